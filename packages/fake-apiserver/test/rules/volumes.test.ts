import { describe, expect, test } from "vitest";
import { volumeClaimRules } from "../../src/rules/volume-claim.ts";
import { storageClassRules, volumeRules } from "../../src/rules/volume.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a" };
const requests = (storage: string) => ({ resources: { requests: { storage } } });
const claimed = { accessModes: ["ReadWriteOnce"], ...requests("1Gi"), volumeMode: "Filesystem" };

describe("volume claims (VAL-4, VAL-14)", () => {
  const check = (spec: object) => describeErrors(volumeClaimRules.create({ metadata, spec }));

  test.each([
    [claimed, []],
    [
      {},
      [
        "spec.accessModes: Required value: at least 1 access mode is required",
        "spec.resources[storage]: Required value",
      ],
    ],
    [
      { ...claimed, ...requests("0") },
      ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      { ...claimed, accessModes: ["X"] },
      [
        'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
    [
      { ...claimed, accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] },
      ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"],
    ],
    [
      { ...claimed, accessModes: [""] },
      [
        'spec.accessModes: Unsupported value: "": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
    [
      { ...claimed, volumeMode: "" },
      ['spec.volumeMode: Unsupported value: "": supported values: "Block", "Filesystem"'],
    ],
    [
      { ...claimed, volumeAttributesClassName: "-1" },
      [
        `spec.volumeAttributesClassName: Invalid value: "-1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      { ...claimed, dataSource: { kind: "Secret", name: "s" } },
      [
        `spec.dataSource: Invalid value: "Secret": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
      ],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(check(spec)).toEqual(expected);
  });

  const frozen =
    "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  const shrunk =
    "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity";
  const bound = { phase: "Bound", capacity: { storage: "1Gi" } };
  test.each([
    ["get a volume once", { volumeName: "v" }, {}, {}, []],
    ["and keep it", { volumeName: "w" }, { volumeName: "v" }, {}, [frozen]],
    ["get a class once", { storageClassName: "c" }, {}, {}, []],
    ["do not grow before they are bound", requests("2Gi"), {}, {}, [frozen]],
    ["grow when they are bound", requests("2Gi"), {}, bound, []],
    ["may say the same size in other words", requests("1024Mi"), {}, {}, []],
    ["do not shrink below what they have", requests("512Mi"), {}, bound, [shrunk]],
    ["shrink to above what they have", requests("2Gi"), requests("3Gi"), bound, []],
  ])("%s", (_, changes, before, status, expected) => {
    const stored = { metadata, spec: { ...claimed, ...before }, status };
    const changed = { metadata, spec: { ...claimed, ...before, ...changes }, status };
    expect(describeErrors(volumeClaimRules.update(changed, stored))).toEqual(expected);
  });
});

describe("volumes (VAL-14)", () => {
  const plain = {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    hostPath: { path: "/d", type: "" },
  };
  const check = (spec: object) => describeErrors(volumeRules.create({ metadata, spec }));

  test.each([
    [plain, []],
    [
      {},
      [
        "spec.accessModes: Required value",
        "spec.capacity: Required value",
        'spec.capacity: Unsupported value: null: supported values: "storage"',
        "spec: Required value: must specify a volume type",
      ],
    ],
    [
      { ...plain, nfs: { server: "s", path: "/" } },
      ["spec.nfs: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      { ...plain, hostPath: { path: "../x" } },
      [`spec.hostPath.path: Invalid value: "../x": must not contain '..'`],
    ],
    [
      { ...plain, hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
      [
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      { ...plain, hostPath: undefined, local: { path: "/d" } },
      ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
    ],
    [
      { ...plain, hostPath: undefined, nfs: { path: "d" } },
      [
        "spec.nfs.server: Required value",
        'spec.nfs.path: Invalid value: "d": must be an absolute path',
      ],
    ],
    [
      { ...plain, hostPath: undefined, nfs: { server: "s" } },
      [
        "spec.nfs.path: Required value",
        'spec.nfs.path: Invalid value: "": must be an absolute path',
      ],
    ],
    [
      { ...plain, hostPath: undefined, iscsi: { iqn: "a/b", lun: 256, initiatorName: "eui.1" } },
      [
        "spec.iscsi.targetPortal: Required value",
        'spec.iscsi.iqn: Invalid value: "a/b": must be valid format',
        "spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive",
        'spec.iscsi.initiatorname: Invalid value: "eui.1": must be valid format',
      ],
    ],
    [
      { ...plain, hostPath: undefined, csi: { driver: "d", nodeExpandSecretRef: {} } },
      [
        "spec.csi.volumeHandle: Required value",
        "spec.csi.nodeExpandSecretRef.name: Required value",
        "spec.csi.nodeExpandSecretRef.namespace: Required value",
      ],
    ],
    [{ ...plain, hostPath: undefined, flexVolume: { driver: "d" } }, []],
    [
      { ...plain, hostPath: undefined, flocker: {}, fc: {} },
      [
        "spec.fc: Forbidden: may not specify more than 1 volume type",
        "spec.flocker: Required value: one of datasetName and datasetUUID is required",
      ],
    ],
    [
      { ...plain, hostPath: undefined, fc: { targetWWNs: ["a"] } },
      ["spec.fc.lun: Required value: lun is required if targetWWNs is specified"],
    ],
    [
      { ...plain, volumeAttributesClassName: "" },
      [
        "spec.volumeAttributesClassName: Required value: an empty string is disallowed",
        "spec.csi: Required value: has to be specified when using volumeAttributesClassName",
      ],
    ],
    [
      { ...plain, volumeMode: "" },
      ['spec.volumeMode: Unsupported value: "": supported values: "Block", "Filesystem"'],
    ],
    [
      { ...plain, capacity: { storage: "-1500m" } },
      [
        "spec.capacity[storage]: Invalid value: -2: must be a valid resource quantity",
        'spec.capacity[storage]: Invalid value: "-1500m": must be greater than zero',
      ],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(check(spec)).toEqual(expected);
  });

  const affinity = (key: string) => ({
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "Exists" }] }] },
  });
  test.each([
    [affinity("failure-domain.beta.kubernetes.io/zone"), affinity("topology.kubernetes.io/zone")],
    [affinity("a"), affinity("a")],
  ])("may give %j a new key", (before, nodeAffinity) => {
    const stored = { metadata, spec: { ...plain, nodeAffinity: before } };
    const changed = { metadata, spec: { ...plain, nodeAffinity } };
    expect(volumeRules.update(changed, stored)).toEqual([]);
  });

  test("keep other keys, and their class", () => {
    const named = { csi: { driver: "d", volumeHandle: "h" }, hostPath: undefined };
    const spec = { ...plain, ...named, nodeAffinity: affinity("a") };
    const stored = { metadata, spec: { ...spec, volumeAttributesClassName: "a" } };
    const changed = { metadata, spec: { ...spec, nodeAffinity: affinity("b") } };
    expect(describeErrors(volumeRules.update(changed, stored))).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
      'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA',
    ]);
  });

  test("have an immutable source and mode", () => {
    const stored = { metadata, spec: { ...plain, volumeMode: "Filesystem" } };
    const update = (spec: object) =>
      describeErrors(volumeRules.update({ metadata, spec: { ...stored.spec, ...spec } }, stored));
    expect(update({ persistentVolumeReclaimPolicy: "Delete" })).toEqual([]);
    expect(update({ hostPath: { path: "/e" }, volumeMode: "Block" })).toEqual([
      "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation",
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
  });
});

describe("storage classes (VAL-16)", () => {
  const plain = {
    metadata,
    provisioner: "a/b",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
  };

  test("require a provisioner and known policies", () => {
    const check = (fields: object) =>
      describeErrors(storageClassRules.create({ ...plain, ...fields }));
    expect(check({})).toEqual([]);
    expect(check({ reclaimPolicy: "", volumeBindingMode: "" })).toEqual([
      'volumeBindingMode: Unsupported value: "": supported values: "Immediate", "WaitForFirstConsumer"',
    ]);
    expect(check({ provisioner: "", reclaimPolicy: "Recycle" })).toEqual([
      "provisioner: Required value",
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    ]);
  });

  test("need different topologies", () => {
    const term = { matchLabelExpressions: [{ key: "a", values: ["b"] }] };
    const check = (...allowedTopologies: readonly object[]) =>
      describeErrors(storageClassRules.create({ ...plain, allowedTopologies }));
    expect(check(term)).toEqual([]);
    expect(check(term, term, {})).toEqual([
      'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
      'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""',
    ]);
  });

  test("are immutable, except allowVolumeExpansion", () => {
    const update = (fields: object) =>
      describeErrors(storageClassRules.update({ ...plain, ...fields }, plain));
    expect(update({ allowVolumeExpansion: true })).toEqual([]);
    expect(update({ parameters: { a: "b" } })).toEqual([
      'parameters: Invalid value: {"a":"b"}: field is immutable',
    ]);
  });

  test("warn about old node labels", () => {
    const key = "failure-domain.beta.kubernetes.io/zone";
    const allowedTopologies = [{ matchLabelExpressions: [{ key, values: ["a"] }] }];
    expect(storageClassRules.warnings?.({ ...plain, allowedTopologies }, undefined)).toEqual([
      'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ]);
  });
});

describe("volumes", () => {
  test("warn about what no release runs", () => {
    const spec = {
      persistentVolumeReclaimPolicy: "Recycle",
      storageos: { volumeName: "a" },
      rbd: { image: "a" },
    };
    expect(volumeRules.warnings?.({ metadata, spec }, undefined)).toEqual([
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
      "spec.storageOS: deprecated in v1.22, non-functional in v1.25+",
      "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
    ]);
  });
});
