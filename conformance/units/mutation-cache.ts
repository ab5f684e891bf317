import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { clientGoStoreBehaviour, Indexer, MutationCache } from "@listwatch/store-indexer";
import { indexFunctions } from "../framework/index-functions.ts";
import { deletionHandlingKey } from "../framework/keys.ts";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import { found, storeOutcome } from "../framework/store-steps.ts";
import type { Unit } from "../framework/unit.ts";
import { count, decode, encode, isRecord, text } from "../framework/values.ts";

type Result = Record<string, unknown>;
type Names = Record<string, string>;

class MutationCacheSubject implements Subject {
  readonly #clock = new SimulatedClock();
  readonly #store: Indexer<unknown, Names>;
  readonly #cache: MutationCache<unknown, Names>;

  constructor(options: Options) {
    const { indexers } = options;
    this.#store = new Indexer({
      keyFunc: deletionHandlingKey,
      indexers: indexFunctions(indexers),
    });
    this.#cache = new MutationCache(this.#store, {
      indexer: isRecord(indexers) ? this.#store : undefined,
      ttlMs: count(options, "ttlMs"),
      includeAdds: options["includeAdds"] === true,
      // Restores MUT-2, which untagged cases rely on too.
      behaviour: clientGoStoreBehaviour,
      keyFunc: deletionHandlingKey,
      clock: this.#clock,
    });
  }

  async perform(step: Step): Promise<Result> {
    if (step.op !== "advance") return storeOutcome(() => this.#call(step));
    await this.#clock.advance(count(step, "ms"));
    return {};
  }

  #call(step: Step): Result | void {
    switch (step.op) {
      case "storeAdd":
        return this.#store.add(decode(step["object"]));
      case "storeUpdate":
        return this.#store.update(decode(step["object"]));
      case "storeDelete":
        return this.#store.delete(decode(step["object"]));
      case "mutation":
        return this.#cache.mutation(decode(step["object"]));
      case "mutationMany":
        return this.#mutateMany(step);
      case "getByKey":
        return found(this.#cache.getByKey(text(step, "key")));
      case "byIndex":
        return { set: this.#byIndex(step).map(encode) };
      case "countByIndex":
        return { count: this.#byIndex(step).length };
      default:
        throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
    }
  }

  #mutateMany(step: Step): void {
    const firstVersion = count(step, "firstVersion");
    for (let index = 0; index < count(step, "count"); index += 1) {
      this.#cache.mutation({
        metadata: {
          name: text(step, "prefix") + String(index).padStart(4, "0"),
          namespace: text(step, "namespace"),
          resourceVersion: String(firstVersion + index),
        },
        spec: { n: firstVersion + index },
      });
    }
  }

  #byIndex(step: Step): unknown[] {
    return this.#cache.byIndex(text(step, "indexName"), text(step, "value"));
  }
}

export const unit: Unit = stepUnit(
  "mutation-cache",
  (options) => new MutationCacheSubject(options),
);
