import { UndeltaStore } from "@listwatch/store-indexer";
import { plainKey } from "../framework/keys.ts";
import { stepUnit } from "../framework/step-unit.ts";
import { readStep, storeOutcome, writeStep } from "../framework/store-steps.ts";
import type { Unit } from "../framework/unit.ts";
import { encode } from "../framework/values.ts";
import { objectName } from "@listwatch/core-fifo";

export const unit: Unit = stepUnit("undelta-store", () => {
  let pushes: unknown[][] = [];
  const store = new UndeltaStore<unknown>({
    keyFunc: plainKey,
    push: (objects) => {
      pushes.push(objects.toSorted(byNamespaceAndName).map(encode));
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

// A pushed list has no order; recorded lists are sorted like this.
function byNamespaceAndName(left: unknown, right: unknown): number {
  const a = objectName(left, { allowMissingName: true });
  const b = objectName(right, { allowMissingName: true });
  return compare(a.namespace, b.namespace) || compare(a.name, b.name);
}

function compare(left: string, right: string): number {
  return Number(left > right) - Number(left < right);
}
