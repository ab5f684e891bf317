import { describe, expect, test } from "vitest";
import { endpointSliceRules } from "../../src/rules/endpoints.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a" };
const endpoints = [{ addresses: ["10.1.2.3"] }];
const ports = [{ name: "", protocol: "TCP" }];
const slice = { metadata, addressType: "IPv4", endpoints, ports };
const check = (changes: object) =>
  describeErrors(endpointSliceRules.create({ ...slice, ...changes }));
const checkEndpoint = (changes: object) => check({ endpoints: [{ ...endpoints[0], ...changes }] });
const checkPort = (changes: object) => check({ ports: [{ ...ports[0], ...changes }] });
const labelWords =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const nine = Array.from({ length: 9 }, (_, index) => ({ name: `n${index}` }));

describe("an EndpointSlice", () => {
  test.each([
    [{ hostname: "web", nodeName: "node-1", zone: "a b" }, []],
    [{ hostname: "" }, [`endpoints[0].hostname: Invalid value: "": ${labelWords}`]],
    [
      { hints: { forZones: [{ name: "a" }, { name: "a" }], forNodes: [{ name: "a" }] } },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
    ],
    [
      { hints: { forZones: nine } },
      ["endpoints[0].hints.forZones: Too many: 9: must have at most 8 items"],
    ],
    [
      { hints: { forNodes: nine } },
      ["endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items"],
    ],
  ])("with an endpoint with %j: %j", (changes, expected) => {
    expect(checkEndpoint(changes)).toEqual(expected);
  });

  test.each([
    [{ port: 70_000 }, []],
    [
      { protocol: "" },
      ['ports[0].protocol: Unsupported value: "": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [{ appProtocol: "kubernetes.io/h2c" }, []],
  ])("with a port with %j: %j", (changes, expected) => {
    expect(checkPort(changes)).toEqual(expected);
  });

  test("refuses an appProtocol that is empty", () => {
    expect(checkPort({ appProtocol: "" })[0]).toBe(
      'ports[0].appProtocol: Invalid value: "": name part must be non-empty',
    );
  });

  test.each([
    ["a.b.", []],
    ["", ["endpoints[0].addresses[0]: Required value"]],
    [
      "localhost",
      [
        'endpoints[0].addresses[0]: Invalid value: "localhost": should be a domain with at least two segments separated by dots',
      ],
    ],
  ])("with the domain %j: %j", (address, expected) => {
    const named = { addressType: "FQDN", endpoints: [{ addresses: [address] }] };
    expect(check(named)).toEqual(expected);
  });

  test("warns of domains when it is created", () => {
    const named = { ...slice, addressType: "FQDN" };
    const words = "spec.addressType: FQDN endpoints are deprecated";
    expect(endpointSliceRules.warnings?.(named, undefined)).toEqual([words]);
    expect(endpointSliceRules.warnings?.(named, named)).toEqual([]);
  });

  test("keeps endpoints that older versions took", () => {
    const update = (changes: object) =>
      describeErrors(endpointSliceRules.update({ ...stored, ...changes }, stored));
    const stored = { ...slice, endpoints: [{ addresses: ["127.0.0.1"] }] };
    expect(update({})).toEqual([]);
    expect(update({ addressType: "IPv6" })).toEqual([
      'addressType: Invalid value: "IPv6": field is immutable',
    ]);
    expect(update({ endpoints: [{ addresses: ["127.0.0.2"] }] })).toHaveLength(1);
  });
});
