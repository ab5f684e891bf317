import { describe, expect, test } from "vitest";
import { ingressClassRules, ingressRules } from "../../src/rules/ingress.ts";
import { networkPolicyRules } from "../../src/rules/network.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };
const service = { name: "s", port: { number: 80 } };

describe("ingresses (VAL-16)", () => {
  const check = (spec: object) => describeErrors(ingressRules.create({ metadata, spec }));
  const withPath = (path: object) =>
    check({ rules: [{ http: { paths: [{ backend: { service }, ...path }] } }] });

  test("require a backend or rules", () => {
    expect(check({ defaultBackend: { service } })).toEqual([]);
    expect(check({})).toEqual([
      "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified",
    ]);
  });

  test.each([
    [{ pathType: "Prefix", path: "/" }, []],
    [{ pathType: "ImplementationSpecific" }, []],
    [{ pathType: null, path: "x" }, ["pathType: Required value: pathType must be specified"]],
    [
      { pathType: "", path: "/" },
      [
        'pathType: Unsupported value: "": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
    ],
    [
      {
        pathType: "Prefix",
        path: "/",
        backend: { resource: { apiGroup: "a.b", kind: "a/b", name: "" } },
      },
      [
        `backend.resource.kind: Invalid value: "a/b": may not contain '/'`,
        "backend.resource.name: Required value",
      ],
    ],
    [
      { pathType: "X", path: "x" },
      [
        'pathType: Unsupported value: "X": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
    ],
    [{ pathType: "Exact", path: "x" }, ['path: Invalid value: "x": must be an absolute path']],
    [
      { pathType: "Prefix", path: "/a//b/.." },
      [
        `path: Invalid value: "/a//b/..": must not contain '//'`,
        `path: Invalid value: "/a//b/..": cannot end with '/..'`,
      ],
    ],
    [
      { pathType: "Prefix", path: "/", backend: {} },
      ['backend: Invalid value: "": resource or service backend is required'],
    ],
    [
      { pathType: "Prefix", path: "/", backend: { service: { name: "s" } } },
      ["backend: Required value: port name or number is required"],
    ],
    [
      {
        pathType: "Prefix",
        path: "/",
        backend: { service: { name: "s", port: { name: "p", number: 1 } } },
      },
      ['backend: Invalid value: "": cannot set both port name & port number'],
    ],
  ])("with a path %j: %j", (path, expected) => {
    expect(withPath(path)).toEqual(expected.map((error) => `spec.rules[0].http.paths[0].${error}`));
  });

  test("require host names", () => {
    const rule = { http: { paths: [{ pathType: "Prefix", path: "/", backend: { service } }] } };
    const ofHost = (host: string) => check({ rules: [{ host, ...rule }] });
    expect(ofHost("*.example.com")).toEqual([]);
    expect(ofHost("10.0.0.1")).toEqual([
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ]);
    expect(ofHost("a.*.com")[0]).toContain("a wildcard DNS-1123 subdomain must start with '*.'");
  });

  test("name one class, and warn about the annotation", () => {
    const annotations = { "kubernetes.io/ingress.class": "nginx" };
    const ingress = {
      metadata: { ...metadata, annotations },
      spec: { defaultBackend: { service }, ingressClassName: "other" },
    };
    expect(describeErrors(ingressRules.create(ingress))).toEqual([
      'metadata.annotations.kubernetes.io/ingress.class: Invalid value: "nginx": must match `ingressClassName` when both are specified',
    ]);
    expect(ingressRules.update(ingress, ingress)).toEqual([]);
    expect(ingressRules.warnings?.(ingress, undefined)).toHaveLength(1);
    expect(ingressRules.warnings?.(ingress, ingress)).toEqual([]);
  });
});

describe("ingress classes (VAL-16)", () => {
  test.each([
    [{ controller: "example.com/c" }, []],
    [{}, ["spec.controller: Required value"]],
    [
      { controller: "a.b/c d" },
      [
        `spec.controller: Invalid value: "c d": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
      ],
    ],
    [
      { controller: "c".repeat(251) },
      [
        "spec.controller: Too long: may not be more than 250 bytes",
        `spec.controller: Invalid value: "${"c".repeat(251)}": must be a domain-prefixed path (such as "acme.io/foo")`,
      ],
    ],
    [
      {
        controller: "example.com/c",
        parameters: { apiGroup: "", kind: "a/b", name: "a/b", scope: "" },
      },
      [
        "spec.parameters.apiGroup: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        `spec.parameters.kind: Invalid value: "a/b": may not contain '/'`,
        `spec.parameters.name: Invalid value: "a/b": may not contain '/'`,
        'spec.parameters.scope: Unsupported value: "": supported values: "Cluster", "Namespace"',
      ],
    ],
    [
      { controller: "c" },
      [
        'spec.controller: Invalid value: "c": must be a domain-prefixed path (such as "acme.io/foo")',
      ],
    ],
    [
      {
        controller: "example.com/c",
        parameters: { kind: "K", name: "n", scope: "Cluster", namespace: "x" },
      },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(describeErrors(ingressClassRules.create({ metadata, spec }))).toEqual(expected);
  });

  test("have an immutable controller", () => {
    const of = (controller: string) => ({ metadata, spec: { controller } });
    expect(describeErrors(ingressClassRules.update(of("a.b/d"), of("a.b/c")))).toEqual([
      'spec.controller: Invalid value: "a.b/d": field is immutable',
    ]);
  });
});

describe("network policies (VAL-16)", () => {
  const check = (spec: object) =>
    describeErrors(networkPolicyRules.create({ metadata, spec: { podSelector: {}, ...spec } }));

  test.each([
    [{ policyTypes: ["Egress"], egress: [{ to: [{ podSelector: {} }] }] }, []],
    [
      { policyTypes: ["X"] },
      ['spec.policyTypes[0]: Unsupported value: "X": supported values: "Ingress", "Egress"'],
    ],
    [
      { ingress: [{ from: [{}] }] },
      ["spec.ingress[0].from[0]: Required value: must specify a peer"],
    ],
    [
      { ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }] }] },
      ["spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer"],
    ],
    [
      { egress: [{ to: [{ ipBlock: { cidr: "x" } }] }] },
      [
        'spec.egress[0].to[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      { egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8"] } }] }] },
      [
        'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      ],
    ],
    [
      { egress: [{ ports: [{ port: 80, endPort: 79, protocol: "" }] }] },
      [
        'spec.egress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"',
        "spec.egress[0].ports[0].endPort: Invalid value: 79: must be greater than or equal to `port`",
      ],
    ],
    [
      { ingress: [{ ports: [{ port: 70_000 }, { port: "http", endPort: 5 }, { endPort: 5 }] }] },
      [
        "spec.ingress[0].ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive",
        "spec.ingress[0].ports[1].endPort: Invalid value: 5: may not be specified when `port` is non-numeric",
        "spec.ingress[0].ports[2].endPort: Invalid value: 5: may not be specified when `port` is not specified",
      ],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(check(spec)).toEqual(expected);
  });
});
