import { describe, expect, test } from "vitest";
import { serviceRules } from "../../src/rules/service.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };
const port = { port: 80, protocol: "TCP", targetPort: 80 };
const plain = {
  type: "ClusterIP",
  clusterIP: "10.0.0.9",
  clusterIPs: ["10.0.0.9"],
  sessionAffinity: "None",
  internalTrafficPolicy: "Cluster",
  ports: [port],
};
const check = (spec: object) =>
  describeErrors(serviceRules.create({ metadata, spec: { ...plain, ...spec } }));
const update = (spec: object, stored: object) =>
  describeErrors(
    serviceRules.update(
      { metadata, spec: { ...plain, ...spec } },
      { metadata, spec: { ...plain, ...stored } },
    ),
  );

describe("services (VAL-12)", () => {
  test.each([
    [{}, []],
    [{ ports: undefined }, ["spec.ports: Required value"]],
    [{ ports: undefined, clusterIP: "None", clusterIPs: ["None"] }, []],
    [
      { type: "X" },
      [
        'spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      { type: "NodePort", clusterIP: "None", clusterIPs: ["None"], externalTrafficPolicy: "Local" },
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
    ],
    [
      { sessionAffinity: "X" },
      ['spec.sessionAffinity: Unsupported value: "X": supported values: "ClientIP", "None"'],
    ],
    [
      {
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
      },
      [
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
      ],
    ],
    [
      { internalTrafficPolicy: "", ipFamilyPolicy: "" },
      [
        'spec.ipFamilyPolicy: Unsupported value: "": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
    [
      { internalTrafficPolicy: "" },
      ['spec.internalTrafficPolicy: Unsupported value: "": supported values: "Cluster", "Local"'],
    ],
    [
      { ipFamilies: ["X"] },
      ['spec.ipFamilies[0]: Unsupported value: "X": supported values: "IPv4", "IPv6"'],
    ],
    [
      { ports: [{ ...port, appProtocol: "" }] },
      [
        'spec.ports[0].appProtocol: Invalid value: "": name part must be non-empty',
        expect.stringMatching(
          /^spec\.ports\[0\]\.appProtocol: Invalid value: "": name part must consist/,
        ),
      ],
    ],
    [
      { externalTrafficPolicy: "Local" },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
    ],
    [{ externalTrafficPolicy: "Local", externalIPs: ["1.2.3.4"] }, []],
    [{ trafficDistribution: "PreferSameZone" }, []],
    [
      { trafficDistribution: "X" },
      [
        'spec.trafficDistribution: Unsupported value: "X": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
    [
      { loadBalancerSourceRanges: ["10.0.0.0/8"] },
      ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ],
    [
      { ipFamilies: ["IPv6"] },
      [
        'spec.clusterIPs[0]: Invalid value: "10.0.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    [
      { externalIPs: ["127.0.0.1"], externalTrafficPolicy: "Cluster" },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
  ])("with %j: %j", (spec, expected) => {
    expect(check(spec)).toEqual(expected);
  });

  test("of type ExternalName require a name and no address", () => {
    const bare = { metadata, spec: { type: "ExternalName", sessionAffinity: "None" } };
    expect(describeErrors(serviceRules.create(bare))).toEqual([
      "spec.externalName: Required value",
    ]);
    expect(check({ type: "ExternalName", externalName: "x.y." })).toEqual([
      "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
    ]);
  });

  test.each([
    [
      [{ ...port, port: 0, targetPort: 0 }],
      [
        "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
        "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
      ],
    ],
    [
      [port, { ...port, port: 81 }],
      ["spec.ports[0].name: Required value", "spec.ports[1].name: Required value"],
    ],
    [
      [
        { ...port, name: "a" },
        { ...port, name: "b" },
      ],
      [
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      [
        { ...port, name: "a" },
        { ...port, name: "a", protocol: "UDP" },
      ],
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
    [
      [{ ...port, nodePort: 30_080 }],
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      [{ ...port, protocol: "X" }],
      ['spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"'],
    ],
  ])("with ports %j: %j", (ports, expected) => {
    expect(check({ ports })).toEqual(expected);
  });

  test("have an immutable first address and family, and load balancer class", () => {
    expect(update({ clusterIP: "10.0.0.8", clusterIPs: ["10.0.0.8"] }, {})).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.8"]: may not change once set',
    ]);
    expect(update({}, { type: "ExternalName" })).toEqual([]);
    const balanced = { type: "LoadBalancer", externalTrafficPolicy: "Cluster" };
    expect(
      update({ ...balanced, loadBalancerClass: "a/b" }, { ...balanced, loadBalancerClass: "a/c" }),
    ).toEqual(['spec.loadBalancerClass: Invalid value: "a/b": may not change once set']);
  });

  test("have ingress points only as load balancers", () => {
    const status = { loadBalancer: { ingress: [{ ip: "1.2.3" }] } };
    const ofType = (type: string) => {
      const service = { metadata, spec: { ...plain, type }, status };
      return describeErrors(serviceRules.status?.(service, service) ?? []);
    };
    expect(ofType("NodePort")).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
    expect(ofType("LoadBalancer")).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });

  test("warn about fields that are or will be ignored", () => {
    const warn = (spec: object) =>
      serviceRules.warnings?.({ metadata, spec: { ...plain, ...spec } }, undefined);
    expect(warn({})).toEqual([]);
    expect(warn({ externalIPs: ["1.2.3.4"] })).toEqual([
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ]);
    expect(warn({ clusterIP: "None", sessionAffinity: "ClientIP" })).toEqual([
      "spec.SessionAffinity is ignored for headless services",
    ]);
  });

  test("have source ranges in a field or an annotation, and only as load balancers", () => {
    const key = "service.beta.kubernetes.io/load-balancer-source-ranges";
    const at = `metadata.annotations[${key}]`;
    const of = (type: string, ranges: string, spec: object = {}) => ({
      metadata: { ...metadata, annotations: { [key]: ranges } },
      spec: {
        ...plain,
        type,
        ...(type === "LoadBalancer" && { externalTrafficPolicy: "Cluster" }),
        ...spec,
      },
    });
    const annotated = (type: string, ranges: string, spec?: object) =>
      describeErrors(serviceRules.create(of(type, ranges, spec)));
    expect(annotated("ClusterIP", "10.0.0.0/8")).toEqual([
      `${at}: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
    ]);
    expect(annotated("LoadBalancer", " ")).toEqual([]);
    const wrong = [
      `${at}: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
    ];
    expect(annotated("LoadBalancer", "x, 10.0.0.0/8")).toEqual(wrong);
    const kept = of("LoadBalancer", "x");
    expect(describeErrors(serviceRules.update(kept, kept))).toEqual([]);
    const ranges = ["10.0.0.1/8", " 10.0.0.0/8 ", "010.0.0.0/8", "::ffff:1.2.3.4/128"];
    expect(annotated("LoadBalancer", "x", { loadBalancerSourceRanges: ranges })).toEqual([
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.LoadBalancerSourceRanges[2]: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length',
      'spec.LoadBalancerSourceRanges[3]: Invalid value: "::ffff:1.2.3.4/128": must not have an IPv4-mapped IPv6 address',
    ]);
  });

  test("name their addresses in both fields", () => {
    expect(check({ clusterIP: undefined, clusterIPs: ["10.0.0.5"] })).toEqual([
      'spec.clusterIPs: Invalid value: ["10.0.0.5"]: must be empty when `clusterIP` is not specified',
    ]);
  });
});
