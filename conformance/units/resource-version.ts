import { compareResourceVersions } from "@listwatch/core-fifo";
import { describeError } from "../framework/errors.ts";
import { stepUnit } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { text } from "../framework/values.ts";

export const unit: Unit = stepUnit("resource-version", () => ({
  perform(step) {
    try {
      return { value: compareResourceVersions(text(step, "a"), text(step, "b")) };
    } catch (error) {
      return { error: describeError(error) };
    }
  },
}));
