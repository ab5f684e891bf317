import { describe, expect, test } from "vitest";
import { rulesOfKind } from "../support/object-rules.ts";

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and " +
  "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const noReference =
  "must be the name of a request in the claim or the name of a request and a subrequest " +
  "separated by '/'";

const exactly = { deviceClassName: "gpu.example.com", allocationMode: "ExactCount", count: 1 };
const request = { name: "a", exactly };
const either = { name: "b", firstAvailable: [{ name: "c", ...exactly }] };

type Case = readonly [fields: object, errors: readonly string[]];

describe("a claim for devices", () => {
  const claimRules = rulesOfKind("ResourceClaim");
  const templateRules = rulesOfKind("ResourceClaimTemplate");
  const opaque = { driver: "d.example.com", parameters: { a: 1 } };

  test.each<Case>([
    [{ requests: [request, either], config: [{ requests: ["a", "b/c"], opaque }] }, []],
    [
      { requests: [{ name: "", exactly }] },
      [`spec.devices.requests[0].name: Invalid value: "": ${label}`],
    ],
    [
      { requests: [{ name: "a" }] },
      [
        "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
      ],
    ],
    [
      { requests: [{ ...either, exactly }] },
      [
        "spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set",
      ],
    ],
    [
      { requests: [{ name: "a", exactly: { ...exactly, deviceClassName: "", count: -1 } }] },
      [
        "spec.devices.requests[0].exactly.deviceClassName: Required value",
        "spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero",
      ],
    ],
    [
      { requests: [{ name: "a", exactly: { ...exactly, allocationMode: "All" } }] },
      [
        "spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'",
      ],
    ],
    [
      { requests: [{ name: "a", exactly: { ...exactly, selectors: [{}] } }] },
      ["spec.devices.requests[0].exactly.selectors[0].cel: Required value"],
    ],
    [
      {
        requests: [
          { name: "a", exactly: { ...exactly, tolerations: [{ operator: "Exists", value: "x" }] } },
        ],
      },
      [
        'spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "x": must be empty for operator `Exists`',
      ],
    ],
    [
      { requests: [request], constraints: [{ requests: ["b"] }] },
      [
        'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
        `spec.devices.constraints[0].requests[0]: Invalid value: "b": ${noReference}`,
      ],
    ],
    [
      { requests: [either], config: [{ requests: ["b/c/d", "b/x"] }] },
      [
        `spec.devices.config[0].requests[0]: Invalid value: "b/c/d": ${noReference}`,
        `spec.devices.config[0].requests[1]: Invalid value: "b/x": ${noReference}`,
        "spec.devices.config[0].opaque: Required value",
      ],
    ],
    [
      { config: [{ opaque: {} }] },
      [
        "spec.devices.config[0].opaque.driver: Required value",
        "spec.devices.config[0].opaque.parameters: Required value",
      ],
    ],
  ])("%j", (devices, errors) => {
    expect(claimRules.ofNew({ spec: { devices } })).toEqual(errors);
    // A template has the same claim one level further down.
    expect(templateRules.ofNew({ spec: { spec: { devices } } })).toEqual(
      errors.map((error) => `spec.${error}`),
    );
  });

  test("of a template does not change", () => {
    const template = (name: string) => ({
      spec: { spec: { devices: { requests: [{ ...request, name }] } } },
    });
    const errors = templateRules.ofChange(template("B"), template("a"));
    expect(errors).toEqual([
      `spec.spec.devices.requests[0].name: Invalid value: "B": ${label}`,
      expect.stringContaining("field is immutable"),
    ]);
    expect(templateRules.ofChange(template("a"), template("a"))).toEqual([]);
  });
});

test.each<Case>([
  [{ selectors: [{ cel: { expression: "true" } }] }, []],
  [{ selectors: [{}] }, ["spec.selectors[0].cel: Required value"]],
  [{ config: [{}] }, ["spec.config[0].opaque: Required value"]],
])("a class of devices %j", (spec, errors) => {
  expect(rulesOfKind("DeviceClass").ofNew({ spec })).toEqual(errors);
});

describe("a slice of devices", () => {
  const rules = rulesOfKind("ResourceSlice");
  const valid = {
    driver: "d.example.com",
    pool: { name: "p/q", resourceSliceCount: 1 },
    nodeName: "n",
    devices: [{ name: "a", attributes: { a: { string: "x" }, b: { version: "1.2.3-rc.1" } } }],
  };
  const withDevice = (device: object): object => ({ devices: [{ name: "a", ...device }] });
  const ways = "`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`";
  const perDevice = "`perDeviceNodeSelection` is set to true in the ResourceSlice spec";

  test.each<Case>([
    [{}, []],
    [
      { driver: "", pool: {} },
      [
        "spec.driver: Required value",
        "spec.pool.name: Required value",
        "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
      ],
    ],
    [
      { pool: { name: "p", resourceSliceCount: 1, generation: -1 } },
      ["spec.pool.generation: Invalid value: -1: must be greater than or equal to zero"],
    ],
    [{ nodeName: undefined }, [`spec: Required value: exactly one of ${ways} is required`]],
    [
      { nodeName: "" },
      [
        'spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string',
        `spec: Required value: exactly one of ${ways} is required`,
      ],
    ],
    [
      { allNodes: true },
      [
        `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": exactly one of ${ways} is required, but multiple fields are set`,
      ],
    ],
    [
      { allNodes: false },
      ["spec.allNodes: Invalid value: false: must be either unset or set to true"],
    ],
    [
      { sharedCounters: [] },
      ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
    ],
    [{ devices: [{ name: "a" }, { name: "a" }] }, ['spec.devices[1]: Duplicate value: "a"']],
    [withDevice({ name: "A" }), [`spec.devices[0].name: Invalid value: "A": ${label}`]],
    [
      withDevice({ attributes: { a: { version: "1.2" } } }),
      [
        'spec.devices[0].attributes[a].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
      ],
    ],
    [
      withDevice({ attributes: { a: {}, b: { ints: [] } } }),
      [
        'spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified',
        "spec.devices[0].attributes[b].ints: Invalid value: []: must not be empty if specified",
      ],
    ],
    [
      withDevice({ capacity: { a: { value: "1", requestPolicy: {} } } }),
      [
        "spec.devices[0].capacity[a].requestPolicy: Forbidden: allowMultipleAllocations must be true",
      ],
    ],
    [
      withDevice({ allNodes: true }),
      [
        `spec.devices[0]: Invalid value: null: \`nodeName\`, \`nodeSelector\` and \`allNodes\` can only be set if ${perDevice}`,
      ],
    ],
    [
      { nodeName: undefined, perDeviceNodeSelection: true },
      [
        `spec.devices[0]: Required value: exactly one of \`nodeName\`, \`nodeSelector\`, or \`allNodes\` is required when ${perDevice}`,
      ],
    ],
    [
      withDevice({ bindingConditions: ["a"], bindingFailureConditions: ["a"] }),
      [
        'spec.devices[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions',
      ],
    ],
    [
      withDevice({ bindingConditions: ["a"] }),
      [
        "spec.devices[0].bindingFailureConditions: Invalid value: []: bindingFailureConditions are required to use bindingConditions",
      ],
    ],
  ])("%j", (fields, errors) => {
    expect(rules.ofNew({ spec: { ...valid, ...fields } })).toEqual(errors);
  });

  test("stays with its driver, pool and node", () => {
    const changed = { ...valid, driver: "e.example.com", nodeName: "m" };
    expect(rules.ofChange({ spec: changed }, { spec: valid })).toEqual([
      'spec.driver: Invalid value: "e.example.com": field is immutable',
      'spec.nodeName: Invalid value: "m": field is immutable',
    ]);
  });
});
