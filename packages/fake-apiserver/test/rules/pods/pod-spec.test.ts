import { describe, expect, test } from "vitest";
import { podErrors } from "../../support/object-rules.ts";

describe("the spec of a pod", () => {
  test.each([
    [
      { restartPolicy: "Sometimes" },
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
    [
      { dnsPolicy: "X" },
      'spec.dnsPolicy: Unsupported value: "X": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
    [
      { activeDeadlineSeconds: 0 },
      "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
    ],
    [
      { schedulingGates: [{ name: "g" }, { name: "g" }] },
      'spec.schedulingGates[1]: Duplicate value: "g"',
    ],
    [
      { schedulingGates: [{ name: "g" }], nodeName: "n" },
      "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
    ],
    [
      { dnsPolicy: "None" },
      "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
    ],
    [
      { dnsConfig: { nameservers: ["x"] } },
      'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      { securityContext: { fsGroup: -2 } },
      "spec.securityContext.fsGroup: Invalid value: -2: must be between 0 and 2147483647, inclusive",
    ],
    [
      { securityContext: { sysctls: [{ name: "net.a" }] }, hostNetwork: true },
      "spec.securityContext.sysctls[0].name: Invalid value: \"net.a\": may not be specified when 'hostNetwork' is true",
    ],
    [{ hostUsers: false, hostPID: true }, "spec.HostPID: Forbidden: when `hostUsers` is false"],
    [
      {
        topologySpreadConstraints: ["a/b/c", "d", "a/b/c"].map((topologyKey) => ({
          topologyKey,
          maxSkew: 1,
          whenUnsatisfiable: "DoNotSchedule",
        })),
      },
      'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{a/b/c, DoNotSchedule}"',
    ],
    [
      { dnsConfig: { searches: ["_a.b_c.", "-1"] } },
      "spec.dnsConfig.searches[1]: Invalid value: \"-1\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      { securityContext: { windowsOptions: { runAsUserName: "" } } },
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string',
    ],
    [
      { securityContext: { windowsOptions: { runAsUserName: "a/b" } } },
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a/b": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
    ],
    [
      { securityContext: { windowsOptions: { runAsUserName: ".a\\b" } } },
      "spec.securityContext.windowsOptions.runAsUserName: Invalid value: \".a\\\\b\": runAsUserName's Domain doesn't match the NetBios nor the DNS format",
    ],
    [
      { securityContext: { windowsOptions: { gmsaCredentialSpec: "" } } },
      'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
    ],
    [
      { securityContext: { windowsOptions: { hostProcess: true } } },
      "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
    ],
    [
      {
        resourceClaims: [
          { name: "c", resourceClaimName: "x" },
          { name: "c", resourceClaimName: "x" },
        ],
      },
      'spec.resourceClaims[1].name: Duplicate value: "c"',
    ],
  ])("%o (VAL-6, VAL-8)", (spec, error) => {
    expect(podErrors(spec)).toEqual([error]);
  });

  test.each(["serviceAccountName", "nodeName", "hostname", "subdomain"])(
    "%s must be a name (VAL-1)",
    (name) => {
      const [error, ...others] = podErrors({ [name]: "Bad_" });
      expect(error).toMatch(`spec.${name}: Invalid value: "Bad_": a lowercase RFC 1123`);
      expect(others).toEqual([]);
    },
  );
});

describe("the tolerations of a pod", () => {
  test.each([
    [
      { operator: "X", key: "a" },
      'operator: Unsupported value: "X": supported values: "Equal", "Exists"',
    ],
    [
      { operator: "Exists", key: "a", value: "v" },
      "operator: Invalid value: \"v\": value must be empty when `operator` is 'Exists'",
    ],
    [
      { key: "a", tolerationSeconds: 5 },
      "effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set",
    ],
    [
      { operator: "Equal" },
      'operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
    [
      { key: "a", effect: "X" },
      'effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ])("%o", (toleration, error) => {
    expect(podErrors({ tolerations: [toleration] })).toEqual([`spec.tolerations[0].${error}`]);
  });
});

describe("the placement of a pod", () => {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  const nodes = (expression: object) => ({
    nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
  });
  const term = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[0]`;
  const pods = "spec.affinity.podAffinity";

  test.each([
    [nodes({ key: "a", operator: "In", values: ["b"] }), []],
    [
      nodes({ key: "a", operator: "In" }),
      [`${term}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
    ],
    [
      nodes({ key: "a", operator: "Gt", values: ["1", "2"] }),
      [
        `${term}.values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      ],
    ],
    [
      nodes({ key: "a", operator: "Foo" }),
      [`${term}.operator: Invalid value: "Foo": not a valid selector operator`],
    ],
    [
      { podAffinity: { [preferred]: [{ weight: 0, podAffinityTerm: { topologyKey: "zone" } }] } },
      [`${pods}.${preferred}[0].weight: Invalid value: 0: must be in the range 1-100`],
    ],
    [
      { nodeAffinity: { [required]: {} } },
      [
        `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms: Required value: must have at least one node selector term`,
      ],
    ],
  ])("%o", (affinity, errors) => {
    expect(podErrors({ affinity })).toEqual(errors);
  });

  test("spread constraints require a key and a known action", () => {
    const constraint = { maxSkew: 0, topologyKey: "zone", whenUnsatisfiable: "X" };
    expect(podErrors({ topologySpreadConstraints: [constraint] })).toEqual([
      "spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ]);
  });
});

describe("the operating system, claims and resources of a pod (VAL-8)", () => {
  test.each([
    [
      { os: { name: "plan9" } },
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
    [{ os: { name: "" } }, ["spec.os.name: Required value"]],
    [
      { os: { name: "linux" }, securityContext: { windowsOptions: {} } },
      [
        "spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod",
      ],
    ],
    [
      { os: { name: "windows" }, securityContext: { runAsUser: 1 } },
      ["spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod"],
    ],
    [
      { resourceClaims: [{ name: "c" }] },
      [
        'spec.resourceClaims[0]: Invalid value: {"Name":"c","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
      ],
    ],
    [
      { resources: { claims: [{ name: "x" }] } },
      [
        "spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level",
        'spec.resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty',
      ],
    ],
  ])("%o", (spec, errors) => {
    expect(podErrors(spec)).toEqual(errors);
  });
});
