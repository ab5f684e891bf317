import { describe, expect, test } from "vitest";
import { KindRules } from "../../support/object-rules.ts";
import { jobKind } from "../../../src/kinds/job.ts";
import { template } from "../../support/valid-specs.ts";

const rules = new KindRules(jobKind);
const isTrue = (...types: readonly string[]) => types.map((type) => ({ type, status: "True" }));
const startTime = "2020-01-01T00:00:00Z";
const completionTime = "2020-01-01T00:01:00Z";
const complete = {
  conditions: isTrue("SuccessCriteriaMet", "Complete"),
  ...{ startTime, completionTime },
};

describe("the status of a finished job must be complete", () => {
  test.each([
    [complete, []],
    [{ conditions: isTrue("FailureTarget", "Failed"), startTime }, []],
    [
      { ...complete, conditions: isTrue("Complete") },
      [
        "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      ],
    ],
    [
      { conditions: isTrue("Failed"), startTime },
      [
        "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
      ],
    ],
    [
      { conditions: isTrue("SuccessCriteriaMet", "Complete") },
      [
        "status.completionTime: Required value: completionTime is required for Complete jobs",
        "status.startTime: Required value: startTime is required for finished job",
      ],
    ],
    [
      { completionTime },
      [
        `status.completionTime: Invalid value: "${completionTime}": cannot set completionTime when there is no Complete=True condition`,
      ],
    ],
    [
      { ...complete, active: 1 },
      ["status.active: Invalid value: 1: active>0 is invalid for finished job"],
    ],
    [
      { ready: 2, active: 1 },
      ["status.ready: Invalid value: 2: cannot set more ready pods than active"],
    ],
    [
      { completedIndexes: "1" },
      [
        'status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode',
      ],
    ],
  ])("%j: %j", (status, errors) => {
    expect(rules.ofStatus(status).toSorted()).toEqual(errors.toSorted());
  });
});

describe("a job cannot lose its progress", () => {
  test.each([
    [{ ...complete, conditions: [] }, complete, 3],
    [{ failed: 1 }, { failed: 2 }, 1],
    [{ succeeded: 1 }, { succeeded: 2 }, 1],
    [{ startTime: completionTime }, { startTime }, 1],
    [{ startTime, succeeded: 3 }, { startTime, succeeded: 2 }, 0],
  ])("%j after %j: %i errors", (status, stored, count) => {
    expect(rules.ofStatus(status, stored)).toHaveLength(count);
  });
});

describe("job policies", () => {
  const of = (spec: object) =>
    rules.ofNew({ spec: { template: template({ restartPolicy: "Never" }), ...spec } });

  test.each([
    [
      { podFailurePolicy: { rules: [{ action: "FailJob" }] } },
      [
        "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
      ],
    ],
    [
      {
        podFailurePolicy: {
          rules: [
            { action: "X", onExitCodes: { containerName: "no", operator: "", values: [2, 1] } },
          ],
        },
      },
      [
        'spec.podFailurePolicy.rules[0].action: Unsupported value: "X": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
        'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
        'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "no": must be one of the container or initContainer names in the pod template',
        "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered",
      ],
    ],
    [
      {
        ...{ completionMode: "Indexed", completions: 3 },
        successPolicy: { rules: [{ succeededIndexes: "2-1", succeededCount: 4 }] },
      },
      [
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "2-1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
        "spec.successPolicy.rules[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)",
        "spec.successPolicy.rules[0].succeededCount: Invalid value: 4: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)",
      ],
    ],
    [
      { managedBy: "x" },
      [
        'spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
      ],
    ],
  ])("%j: %j", (spec, errors) => {
    expect(of(spec)).toEqual(errors);
  });
});
