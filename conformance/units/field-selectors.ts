import { escapeFieldValue } from "@listwatch/core-fifo/base";
import type { FieldSelector } from "@listwatch/store-indexer";
import { unescapeFieldValue } from "../../packages/store-indexer/src/selectors/field-parser.ts";
import { outcome, type ErrorKinds } from "../framework/errors.ts";
import { fieldSelector, texts } from "../framework/selectors.ts";
import { stepUnit, type Step } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { text } from "../framework/values.ts";

type Result = Record<string, unknown>;

const kinds: ErrorKinds = {
  LW_INVALID_ESCAPE: "InvalidEscapeSequence",
  LW_INVALID_SELECTOR: "InvalidSelector",
  LW_UNESCAPED_CHARACTER: "UnescapedRune",
};

export const unit: Unit = stepUnit("field-selectors", () => ({
  perform(step) {
    let result: Result = {};
    const failure = outcome(() => {
      result = call(step);
    }, kinds);
    return { ...result, ...failure };
  },
}));

function call(step: Step): Result {
  switch (step.op) {
    case "parse":
    case "describe":
      return describe(fieldSelector(step["selector"]));
    case "matches":
      return { value: fieldSelector(step["selector"]).matches(texts(step["fields"])) };
    case "requiresExactMatch": {
      const value = fieldSelector(step["selector"]).requiresExactMatch(text(step, "field"));
      return { found: value !== undefined, value: value ?? "" };
    }
    case "escapeValue":
      return { value: escapeFieldValue(text(step, "value")) };
    case "unescapeValue":
      return { value: unescapeFieldValue(text(step, "value")) };
    default:
      throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
  }
}

function describe(selector: FieldSelector): Result {
  return {
    string: selector.toString(),
    empty: selector.isEmpty,
    requirements: selector.requirements,
  };
}
