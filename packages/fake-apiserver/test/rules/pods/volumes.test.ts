import { describe, expect, test } from "vitest";
import { containerErrors, podErrors } from "../../support/object-rules.ts";

describe("the volumes of a pod (VAL-8)", () => {
  const errorsOf = (...volumes: readonly object[]) => podErrors({ volumes });

  test.each([
    [{ name: "", emptyDir: {} }, ["spec.volumes[0].name: Required value"]],
    [
      { name: "a", emptyDir: {}, hostPath: { path: "/" } },
      ["spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      { name: "a", hostPath: { path: "/a/../b" } },
      ["spec.volumes[0].hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"],
    ],
    [{ name: "a", secret: {} }, ["spec.volumes[0].secret.secretName: Required value"]],
    [
      { name: "a", configMap: { name: "c", defaultMode: 512 } },
      [
        "spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
      ],
    ],
    [
      { name: "a", configMap: { name: "c", items: [{ key: "k", path: "..p" }] } },
      ["spec.volumes[0].configMap.items[0].path: Invalid value: \"..p\": must not start with '..'"],
    ],
    [
      { name: "a", persistentVolumeClaim: {} },
      ["spec.volumes[0].persistentVolumeClaim.claimName: Required value"],
    ],
    [
      { name: "a", nfs: { server: "s", path: "p" } },
      ['spec.volumes[0].nfs.path: Invalid value: "p": must be an absolute path'],
    ],
    [
      { name: "a", downwardAPI: { items: [{ path: "p" }] } },
      [
        "spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required",
      ],
    ],
    [
      {
        name: "a",
        projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 5 } }] },
      },
      [
        "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
        "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
      ],
    ],
    [
      { name: "a", iscsi: { targetPortal: "p", iqn: "a/b", lun: -1, chapAuthSession: true } },
      [
        'spec.volumes[0].iscsi.iqn: Invalid value: "a/b": must be valid format starting with iqn, eui, or naa',
        "spec.volumes[0].iscsi.lun: Invalid value: -1: must be between 0 and 255, inclusive",
        "spec.volumes[0].iscsi.secretRef: Required value",
      ],
    ],
    [
      { name: "a", csi: { driver: "a".repeat(64), nodePublishSecretRef: {} } },
      [
        "spec.volumes[0].csi.driver: Too long: may not be more than 63 bytes",
        "spec.volumes[0].csi.nodePublishSecretRef.name: Required value",
      ],
    ],
    [
      {
        name: "a",
        ephemeral: {
          volumeClaimTemplate: {
            metadata: {
              name: "n",
              uid: "u",
              generation: 0,
              creationTimestamp: null,
              deletionGracePeriodSeconds: 0,
              labels: { a: "b c" },
              finalizers: ["f/f"],
            },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        },
      },
      [
        "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set",
        "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set",
        "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.deletionGracePeriodSeconds: Forbidden: cannot be set",
        "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set",
      ],
    ],
  ])("%o", (volume, errors) => {
    expect(errorsOf(volume)).toEqual(errors);
  });

  test("names must be unique", () => {
    const volume = { name: "a", emptyDir: {} };
    expect(errorsOf(volume, volume)).toEqual(['spec.volumes[1].name: Duplicate value: "a"']);
  });

  test("paths in a projected volume must not conflict", () => {
    const items = [{ key: "k", path: "p" }];
    const sources = [{ secret: { name: "s", items } }, { configMap: { name: "c", items } }];
    expect(errorsOf({ name: "a", projected: { sources } })).toEqual([
      'spec.volumes[0].projected: Invalid value: "c": conflicting duplicate paths',
    ]);
  });
});

describe("the mounts of a container (VAL-8)", () => {
  const volumes = [{ name: "v", emptyDir: {} }];
  const errorsOf = (fields: object) => containerErrors(fields, { volumes });

  test.each([
    [[{ name: "v", mountPath: "/x" }], []],
    [[{ name: "x", mountPath: "/x" }], ['volumeMounts[0].name: Not found: "x"']],
    [
      [{}],
      [
        "volumeMounts[0].name: Required value",
        'volumeMounts[0].name: Not found: ""',
        "volumeMounts[0].mountPath: Required value",
      ],
    ],
    [
      [
        { name: "v", mountPath: "/x" },
        { name: "v", mountPath: "/x" },
      ],
      ['volumeMounts[1].mountPath: Invalid value: "/x": must be unique'],
    ],
    [
      [{ name: "v", mountPath: "/x", subPath: "/y" }],
      ['volumeMounts.subPath: Invalid value: "/y": must be a relative path'],
    ],
    [
      [{ name: "v", mountPath: "/x", mountPropagation: "Bidirectional" }],
      [
        "volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers",
      ],
    ],
  ])("%o", (volumeMounts, errors) => {
    expect(errorsOf({ volumeMounts })).toEqual(errors);
  });

  test("an invalid volume cannot be mounted", () => {
    const volumeMounts = [{ name: "v", mountPath: "/x" }];
    const broken = [{ name: "v", emptyDir: {}, hostPath: { path: "/" } }];
    expect(containerErrors({ volumeMounts }, { volumes: broken })).toEqual([
      "spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type",
      'volumeMounts[0].name: Not found: "v"',
    ]);
  });

  test("devices must be claims, and not mounts", () => {
    const volumeDevices = [{ name: "v", devicePath: "/dev/x" }];
    expect(errorsOf({ volumeDevices })).toEqual([
      'volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    ]);
    const claims = [{ name: "v", persistentVolumeClaim: { claimName: "c" } }];
    const volumeMounts = [{ name: "v", mountPath: "/x" }];
    expect(containerErrors({ volumeDevices, volumeMounts }, { volumes: claims })).toEqual([
      'volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices',
      'volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts',
    ]);
  });
});
