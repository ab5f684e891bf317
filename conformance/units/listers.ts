import { Indexer, Lister } from "@listwatch/store-indexer";
import { indexFunctions } from "../framework/index-functions.ts";
import { deletionHandlingKey } from "../framework/keys.ts";
import { labelSelector } from "../framework/selectors.ts";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import { storeOutcome, writeStep } from "../framework/store-steps.ts";
import type { Unit } from "../framework/unit.ts";
import { decode, encode, list, text } from "../framework/values.ts";

type Result = Record<string, unknown>;

class ListerSubject implements Subject {
  readonly #store: Indexer<unknown, Record<string, string>>;
  readonly #lister: Lister<unknown>;

  constructor(options: Options) {
    this.#store = new Indexer({
      keyFunc: options["keyFunction"] === "raw" ? rawKey : deletionHandlingKey,
      indexers: indexFunctions(options["indexers"]),
    });
    for (const object of list(options, "objects")) this.#store.add(decode(object));
    this.#lister = new Lister(this.#store, {
      group: text(options, "group"),
      resource: text(options, "resource"),
    });
  }

  perform(step: Step): Result {
    return storeOutcome(() => (writeStep(this.#store, step) ? {} : this.#read(step)));
  }

  #read(step: Step): Result {
    switch (step.op) {
      case "listAllByNamespace": {
        const namespaced = this.#lister.namespace(text(step, "namespace"));
        return { set: namespaced.list(selection(step)).map(encode) };
      }
      case "listAll":
      case "list":
        return { set: this.#lister.list(selection(step)).map(encode) };
      case "get":
        return { item: encode(this.#lister.get(text(step, "name"))) };
      case "namespacedList": {
        const namespaced = this.#lister.namespace(text(step, "namespace"));
        return { set: namespaced.list(selection(step)).map(encode) };
      }
      case "namespacedGet": {
        const namespaced = this.#lister.namespace(text(step, "namespace"));
        return { item: encode(namespaced.get(text(step, "name"))) };
      }
      default:
        throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
    }
  }
}

function selection(step: Step): { labelSelector: ReturnType<typeof labelSelector> } {
  return { labelSelector: labelSelector(step["selector"]) };
}

function rawKey(object: unknown): string {
  return typeof object === "string" ? object : deletionHandlingKey(object);
}

export const unit: Unit = stepUnit("listers", (options) => new ListerSubject(options));
