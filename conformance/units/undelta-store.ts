import { UndeltaStore } from "@listwatch/store-indexer";
import { plainKey } from "../framework/keys.ts";
import { stepUnit } from "../framework/step-unit.ts";
import { readStep, storeOutcome, writeStep } from "../framework/store-steps.ts";
import type { Unit } from "../framework/unit.ts";
import { encode } from "../framework/values.ts";

export const unit: Unit = stepUnit("undelta-store", () => {
  let pushes: unknown[][] = [];
  const store = new UndeltaStore<unknown>({
    keyFunc: plainKey,
    push: (objects) => {
      pushes.push(objects.map(encode));
    },
  });
  return {
    perform(step) {
      pushes = [];
      const result = storeOutcome(() => (writeStep(store, step) ? {} : readStep(store, step)));
      return { ...result, pushes };
    },
  };
});
