import { describe, expect, test } from "vitest";
import { limitRangeRules, resourceQuotaRules } from "../../src/rules/limits.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };

describe("limit ranges (VAL-16)", () => {
  const check = (...limits: readonly object[]) =>
    describeErrors(limitRangeRules.create({ metadata, spec: { limits } }));

  test("require bounds in order", () => {
    const cpu = (value: string) => ({ cpu: value });
    expect(
      check({
        type: "Container",
        min: cpu("100m"),
        defaultRequest: cpu("0.2"),
        default: cpu("1"),
        max: cpu("1"),
      }),
    ).toEqual([]);
    expect(
      check({
        type: "Container",
        min: cpu("2"),
        max: cpu("1"),
        default: cpu("1"),
        defaultRequest: cpu("1"),
      }),
    ).toEqual([
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
    ]);
    expect(check({ type: "Container", default: cpu("3"), max: cpu("2") })).toEqual([
      'spec.limits[0].default[cpu]: Invalid value: "2": default value 3 is greater than max value 2',
    ]);
    expect(check({ type: "Container", maxLimitRequestRatio: cpu("0.5") })).toEqual([
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "0.5": ratio 0.5 is less than 1',
    ]);
  });

  test("require a ratio that the bounds allow", () => {
    const memory = (value: string) => ({ memory: value });
    const bounds = { min: memory("1"), max: memory("2") };
    const limit = { type: "Container", ...bounds };
    expect(check({ ...limit, maxLimitRequestRatio: memory("2") })).toEqual([]);
    expect(check({ ...limit, min: memory("-1"), maxLimitRequestRatio: memory("1") })).toEqual([
      'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "1": ratio 1 is greater than max/min = -2.000000',
    ]);
  });

  test("require equal defaults of what is not shared", () => {
    const gpu = (value: string) => ({ "example.net/a": value });
    expect(check({ type: "Container", default: gpu("1"), defaultRequest: gpu("-1") })).toEqual([
      'spec.limits[0].defaultRequest[example.net/a]: Invalid value: "-1": default value 1 must equal to defaultRequest value -1 in example.net/a',
    ]);
  });

  test("require known resources", () => {
    const max = { pods: "1" };
    expect(check({ type: "example.net/a", max })).toEqual([]);
    expect(check({ type: "Container", max })).toEqual([
      'spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers',
    ]);
  });

  test("require known and unique types", () => {
    expect(check({ type: "X" }, { type: "a/b" }, { type: "a/b" })).toEqual([
      'spec.limits[0].type: Invalid value: "X": must be a standard limit type or fully qualified',
      'spec.limits[2].type: Duplicate value: "a/b"',
    ]);
    expect(check({ type: "Pod", default: { cpu: "1" } })).toEqual([
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
    ]);
    expect(check({ type: "PersistentVolumeClaim" })).toEqual([
      "spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
    ]);
  });
});

describe("resource quotas (VAL-16)", () => {
  const check = (spec: object) => describeErrors(resourceQuotaRules.create({ metadata, spec }));

  test.each([
    [{ hard: { pods: "5", "limits.cpu": "1500m", "count/jobs.batch": "1" } }, []],
    [
      { hard: { bogus: "1" } },
      [
        'spec.hard[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
        'spec.hard[bogus]: Invalid value: "bogus": must be a standard resource for quota',
      ],
    ],
    [{ hard: { pods: "1500m" } }, ['spec.hard[pods]: Invalid value: "1500m": must be an integer']],
    [
      { hard: { pods: "-1" } },
      ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [{ scopes: ["Nope"] }, ['spec.scopes: Invalid value: ["Nope"]: unsupported scope']],
    [
      { hard: { secrets: "1" }, scopes: ["BestEffort"] },
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      { scopes: ["Terminating", "NotTerminating"] },
      ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
    ],
  ])("of %j: %j", (spec, expected) => {
    expect(check(spec)).toEqual(expected);
  });

  test("have immutable scopes", () => {
    const update = (spec: object, stored: object) =>
      describeErrors(resourceQuotaRules.update({ metadata, spec }, { metadata, spec: stored }));
    expect(update({ scopes: [] }, {})).toEqual([]);
    expect(update({ scopes: ["BestEffort"] }, {})).toEqual([
      'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
    ]);
  });
});
