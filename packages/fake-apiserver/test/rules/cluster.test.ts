import { describe, expect, test } from "vitest";
import { endpointSliceRules, endpointsRules } from "../../src/rules/endpoints.ts";
import { coreEventRules, eventRules } from "../../src/rules/event.ts";
import { namespaceRules } from "../../src/rules/namespace.ts";
import { nodeRules } from "../../src/rules/node.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };

describe("nodes (VAL-16)", () => {
  test.each([
    [{ podCIDRs: ["10.0.0.0/24", "2001:db8::/64"] }, []],
    [
      { podCIDRs: ["x"] },
      [
        'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      { podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] },
      [
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      { taints: [{ key: "a", effect: "X" }] },
      [
        'metadata.taints[0].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      {
        taints: [
          { key: "a", effect: "NoExecute" },
          { key: "a", value: "b", effect: "NoExecute" },
        ],
      },
      [
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoExecute","TimeAdded":null}: taints must be unique by key and effect pair',
      ],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(describeErrors(nodeRules.create({ metadata, spec }))).toEqual(expected);
  });

  test("get immutable ranges and provider", () => {
    const of = (spec: object) => ({ metadata, spec });
    const given = of({ podCIDRs: ["10.0.0.0/24"], providerID: "a" });
    expect(nodeRules.update(given, of({}))).toEqual([]);
    expect(
      describeErrors(nodeRules.update(of({ podCIDRs: ["10.0.1.0/24"], providerID: "b" }), given)),
    ).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      "spec.providerID: Invalid value: null: field cannot be modified once set",
    ]);
  });

  test("keep what they were registered with", () => {
    const of = (spec: object) => ({ metadata, spec });
    const stored = of({ providerID: "a", externalID: "b" });
    expect(describeErrors(nodeRules.update(of({}), stored))).toEqual([
      "spec.providerID: Invalid value: null: field cannot be cleared once set",
      "spec.externalID: Forbidden: may not be updated",
    ]);
  });

  test("have swap or say nothing of it", () => {
    const status = { nodeInfo: { swap: { capacity: 0 } } };
    expect(describeErrors(nodeRules.create({ metadata, status }))).toEqual([
      "metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero",
    ]);
  });
});

test("the phase of a namespace must match its deletion (VAL-16)", () => {
  const check = (phase: string, deletionTimestamp?: string) => {
    const namespace = {
      metadata: { name: "a", ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
      status: { phase },
    };
    return describeErrors(namespaceRules.status?.(namespace, namespace) ?? []);
  };
  const deleted = "2024-01-01T00:00:00Z";
  expect([...check("Active"), ...check("Terminating", deleted)]).toEqual([]);
  expect([...check("Terminating"), ...check("Active", deleted)]).toEqual([
    "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
  ]);
});

describe("events (VAL-16)", () => {
  const involvedObject = { kind: "Pod", name: "p", namespace: "default" };

  test("are in the namespace of their object", () => {
    const elsewhere = { kind: "Pod", name: "p", namespace: "other" };
    expect(coreEventRules.create({ metadata, involvedObject })).toEqual([]);
    expect(describeErrors(coreEventRules.create({ metadata, involvedObject: elsewhere }))).toEqual([
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ]);
    const node = { kind: "Node", name: "n" };
    const other = { name: "a", namespace: "x" };
    expect(coreEventRules.create({ metadata, involvedObject: node })).toEqual([]);
    expect(coreEventRules.create({ metadata: other, involvedObject: node })).toHaveLength(1);
  });

  test("of events.k8s.io require action, time and reporter", () => {
    expect(describeErrors(eventRules.create({ metadata, involvedObject }))).toEqual([
      "eventTime: Required value",
      'type: Invalid value: "": has invalid value: ',
    ]);
    const event = {
      metadata,
      involvedObject,
      eventTime: "2024-01-01T00:00:00.000000Z",
      type: "Normal",
      reportingComponent: "example.com/c",
      reportingInstance: "c-1",
      action: "Pull",
      reason: "r".repeat(129),
      count: 2,
    };
    expect(describeErrors(eventRules.create(event))).toEqual([
      'reason: Invalid value: "": can have at most 128 characters',
      'count: Invalid value: "": needs to be unset',
    ]);
  });
});

describe("endpoints (VAL-16)", () => {
  test("require reachable addresses", () => {
    const check = (subset: object) =>
      describeErrors(endpointsRules.create({ metadata, subsets: [subset] }));
    const ports = [{ port: 80, protocol: "TCP" }];
    expect(check({ addresses: [{ ip: "10.0.0.1" }], ports })).toEqual([]);
    expect(check({ ports: [...ports, ...ports] })).toEqual([
      "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`",
      "subsets[0].ports[0].name: Required value",
      "subsets[0].ports[1].name: Required value",
    ]);
    expect(check({ notReadyAddresses: [{ ip: "::1" }] })).toEqual([
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ]);
    expect(check({ addresses: [{ ip: "" }], ports })).toEqual([
      'subsets[0].addresses[0].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'subsets[0].addresses[0].ip: Invalid value: "": must be a valid IP address',
    ]);
    expect(check({ addresses: [{ ip: "10.0.0.1", nodeName: "" }], ports })).toHaveLength(1);
  });

  test("may keep what an older version took", () => {
    const stored = { metadata, subsets: [{ addresses: [{ ip: "" }] }] };
    const changed = { ...stored, subsets: [{ addresses: [{ ip: "x" }] }] };
    expect(endpointsRules.update(stored, stored)).toEqual([]);
    expect(endpointsRules.update(changed, stored)).toHaveLength(2);
  });

  test("in slices have one type, which is immutable", () => {
    const check = (slice: object) =>
      describeErrors(endpointSliceRules.create({ metadata, ...slice }));
    expect(check({ addressType: "IPv6", endpoints: [{ addresses: ["2001:db8::1"] }] })).toEqual([]);
    expect(check({ addressType: "X", endpoints: [{}] })).toEqual([
      'addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"',
      "endpoints[0].addresses: Required value: must contain at least 1 address",
    ]);
    expect(check({ addressType: "IPv4", endpoints: [{ addresses: ["::2"] }] })).toHaveLength(1);
    const ports = [
      { name: "", protocol: "TCP" },
      { name: "", protocol: "TCP" },
    ];
    expect(check({ addressType: "FQDN", ports })).toEqual(['ports[1].name: Duplicate value: ""']);
    const of = (addressType: string) => ({ metadata, addressType });
    expect(describeErrors(endpointSliceRules.update(of("IPv6"), of("IPv4")))).toEqual([
      'addressType: Invalid value: "IPv6": field is immutable',
    ]);
  });

  test("in slices are reported after ports, those of the wrong family by the list", () => {
    const check = (slice: object) =>
      describeErrors(endpointSliceRules.create({ metadata, ...slice }));
    const ports = [{ name: "A", protocol: "TCP" }];
    expect(
      check({ addressType: "IPv4", endpoints: [{ addresses: ["a", "::2", "01.2.3.4"] }], ports }),
    ).toEqual([
      expect.stringMatching(/^ports\[0\]\.name: /),
      'endpoints[0].addresses[0]: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'endpoints[0].addresses: Invalid value: "::2": must be an IPv4 address',
      'endpoints[0].addresses[2]: Invalid value: "01.2.3.4": must not have leading 0s',
    ]);
    const addresses = ["1.2.3.4", "::ffff:1.2.3.4"];
    expect(check({ addressType: "IPv6", endpoints: [{ addresses }] })).toEqual([
      'endpoints[0].addresses: Invalid value: "1.2.3.4": must be an IPv6 address',
      'endpoints[0].addresses[1]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ]);
  });
});
