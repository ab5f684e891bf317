import { describe, expect, test } from "vitest";
import {
  controllerRevisionRules,
  disruptionBudgetRules,
  leaseRules,
  priorityClassRules,
  runtimeClassRules,
} from "../../src/rules/policy.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };

describe("disruption budgets (VAL-16)", () => {
  test.each([
    [{ minAvailable: "100%" }, []],
    [
      { minAvailable: 1, maxUnavailable: 1, selector: { matchLabels: { app: "web" } } },
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"web"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      { maxUnavailable: -1 },
      ["spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { minAvailable: "200%" },
      ['spec.minAvailable: Invalid value: "200%": must not be greater than 100%'],
    ],
    [
      { unhealthyPodEvictionPolicy: "X" },
      [
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "X": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(describeErrors(disruptionBudgetRules.create({ metadata, spec }))).toEqual(expected);
  });

  test("require counts that are not negative", () => {
    const budget = { metadata, status: { disruptionsAllowed: -1, currentHealthy: 0 } };
    expect(describeErrors(disruptionBudgetRules.status?.(budget, budget) ?? [])).toEqual([
      "status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });
});

describe("priority classes (VAL-16)", () => {
  const preemptionPolicy = "PreemptLowerPriority";

  test.each([
    ["a", { value: 1_000_000_000 }, []],
    [
      "a",
      { value: 1_000_000_001 },
      ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
    ],
    ["system-node-critical", { value: 2_000_001_000 }, []],
    [
      "system-x",
      { value: 1 },
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
      ],
    ],
    [
      "a",
      { value: 1, preemptionPolicy: "X" },
      [
        'preemptionPolicy: Unsupported value: "X": supported values: "PreemptLowerPriority", "Never"',
      ],
    ],
  ])("called %s with %j: %j", (name, fields, expected) => {
    const object = { metadata: { name }, preemptionPolicy, ...fields };
    expect(describeErrors(priorityClassRules.create(object))).toEqual(expected);
  });

  test("have a policy that is not empty", () => {
    const object = { metadata: { name: "a" }, preemptionPolicy: "", value: 1 };
    expect(describeErrors(priorityClassRules.create(object))).toEqual([
      "preemptionPolicy: Required value",
    ]);
  });

  test("have an immutable value and policy", () => {
    const stored = { metadata, preemptionPolicy, value: 5 };
    const changed = { metadata, preemptionPolicy: "Never", value: 6 };
    expect(describeErrors(priorityClassRules.update(changed, stored))).toEqual([
      "value: Forbidden: may not be changed in an update.",
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ]);
    expect(priorityClassRules.update({ ...stored, globalDefault: true }, stored)).toEqual([]);
  });
});

test("leases require a positive duration and a transition count that is not negative (VAL-16)", () => {
  const check = (spec: object) => describeErrors(leaseRules.create({ metadata, spec }));
  expect(check({ holderIdentity: "a", leaseDurationSeconds: 1, leaseTransitions: 0 })).toEqual([]);
  expect(check({ leaseDurationSeconds: 0, leaseTransitions: -1 })).toEqual([
    "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
    "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("runtime classes have an immutable handler (VAL-16)", () => {
  const of = (handler: string) => ({ metadata, handler });
  expect(runtimeClassRules.create(of("runc"))).toEqual([]);
  expect(describeErrors(runtimeClassRules.create(of("a.b")))).toEqual([
    'handler: Invalid value: "a.b": must not contain dots',
  ]);
  expect(describeErrors(runtimeClassRules.update(of("b"), of("a")))).toEqual([
    'handler: Invalid value: "b": field is immutable',
  ]);
});

test("runtime classes have valid resources and each toleration once (VAL-16)", () => {
  const toleration = { key: "a", operator: "Equal", value: "a", effect: "NoExecute" };
  const runtimeClass = {
    metadata,
    handler: "runc",
    overhead: { podFixed: { cpu: "-1" } },
    scheduling: { tolerations: [toleration, { ...toleration, tolerationSeconds: 1 }] },
  };
  expect(describeErrors(runtimeClassRules.create(runtimeClass))).toEqual([
    'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Equal","Value":"a","Effect":"NoExecute","TolerationSeconds":1}',
  ]);
});

test("controller revisions have immutable data (VAL-16)", () => {
  const of = (value: number, revision: number) => ({ metadata, data: { a: value }, revision });
  expect(controllerRevisionRules.update(of(1, 2), of(1, 1))).toEqual([]);
  expect(describeErrors(controllerRevisionRules.update(of(2, -1), of(1, 1)))).toEqual([
    "revision: Invalid value: -1: must be greater than or equal to 0",
    'data: Invalid value: {"a":2}: field is immutable',
  ]);
  const withData = (data?: unknown) =>
    describeErrors(controllerRevisionRules.create({ metadata, data }));
  expect(withData()).toEqual(["data: Required value: data is mandatory"]);
  expect(withData([])).toEqual(["data: Required value: data must be a valid JSON object"]);
  expect(
    describeErrors(controllerRevisionRules.update({ metadata, revision: 1 }, of(1, 1))),
  ).toEqual(["data: Invalid value: null: field is immutable"]);
});
