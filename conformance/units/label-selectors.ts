import { LabelRequirement, LabelSelector } from "@listwatch/store-indexer";
import { outcome, type ErrorKinds } from "../framework/errors.ts";
import { labelSelector, texts } from "../framework/selectors.ts";
import { stepUnit, type Step } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { list, text } from "../framework/values.ts";

type Result = Record<string, unknown>;

const kinds: ErrorKinds = {
  LW_INVALID_REQUIREMENT: "InvalidRequirement",
  LW_INVALID_SELECTOR: "InvalidSelector",
};
// For an invalid set of labels client-go reports the selector, here the requirement is reported.
const kindsOfSets: ErrorKinds = { LW_INVALID_REQUIREMENT: "InvalidSelector" };

export const unit: Unit = stepUnit("label-selectors", () => ({
  perform(step) {
    let result: Result = {};
    const failure = outcome(
      () => {
        result = call(step);
      },
      step.op === "validatedFromSet" ? kindsOfSets : kinds,
    );
    return { ...result, ...failure };
  },
}));

function call(step: Step): Result {
  switch (step.op) {
    case "parse":
    case "describe":
      return describe(labelSelector(step["selector"]));
    case "validatedFromSet":
      return describe(LabelSelector.fromSet(texts(step["labels"])));
    case "addRequirement":
      return describe(labelSelector(step["selector"]).with(requirement(step)));
    case "matches":
      return { value: labelSelector(step["selector"]).matches(texts(step["labels"])) };
    case "requiresExactMatch": {
      const value = labelSelector(step["selector"]).requiresExactMatch(text(step, "label"));
      return { found: value !== undefined, value: value ?? "" };
    }
    case "newRequirement":
      return { string: requirement(step).toString() };
    default:
      throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
  }
}

function describe(selector: LabelSelector): Result {
  return {
    string: selector.toString(),
    empty: selector.isEmpty,
    selectable: selector.isSelectable,
    requirements: selector.requirements.map(({ key, operator, values }) => ({
      key,
      operator,
      values,
    })),
  };
}

function requirement(step: Step): LabelRequirement {
  // Some cases test an unknown operator.
  const operator = text(step, "operator") as LabelRequirement["operator"];
  return new LabelRequirement(text(step, "key"), operator, list(step, "values").map(String));
}
