import { metadataOf } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { ExpirationStore } from "@listwatch/store-indexer";
import { plainKey } from "../framework/keys.ts";
import { stepUnit } from "../framework/step-unit.ts";
import { readStep, storeOutcome, writeOperations, writeStep } from "../framework/store-steps.ts";
import type { Unit } from "../framework/unit.ts";
import { count } from "../framework/values.ts";

export const unit: Unit = stepUnit("expiration-store", (options) => {
  const clock = new SimulatedClock();
  const { neverExpireNames } = options;
  const store = new ExpirationStore<unknown>({
    keyFunc: plainKey,
    clock,
    ...(Array.isArray(neverExpireNames)
      ? { isExpired: ({ object }) => !neverExpireNames.includes(metadataOf(object)?.name) }
      : { ttlMs: count(options, "ttlMs") }),
  });
  return {
    async perform(step) {
      if (step.op === "advance") {
        await clock.advance(count(step, "ms"));
        return {};
      }
      const result = storeOutcome(() => (writeStep(store, step) ? {} : readStep(store, step)));
      if (!writeOperations.has(step.op)) return result;
      return { ...result, resourceVersion: store.lastStoreSyncResourceVersion };
    },
  };
});
