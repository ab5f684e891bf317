import {
  clientGoStoreBehaviour,
  Indexer,
  KeyedStore,
  type TransactionItem,
} from "@listwatch/store-indexer";
import { indexFunctions } from "../framework/index-functions.ts";
import { deletionHandlingKey, plainKey } from "../framework/keys.ts";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import {
  found,
  readStep,
  storeOutcome,
  withoutAtomicFIFO,
  writeOperations,
  writeStep,
} from "../framework/store-steps.ts";
import { transformer } from "../framework/transformers.ts";
import type { Unit } from "../framework/unit.ts";
import { decode, encode, isRecord, list, text } from "../framework/values.ts";

type Result = Record<string, unknown>;
type Names = Record<string, string>;

export const unit: Unit = stepUnit("store", (options) =>
  options["kind"] === "threadSafe" ? new KeyedSubject(options) : new IndexerSubject(options),
);

class IndexerSubject implements Subject {
  readonly #store: Indexer<unknown, Names>;

  constructor(options: Options) {
    const deletionHandling = options["keyFunction"] === "deletionHandling";
    this.#store = new Indexer({
      keyFunc: deletionHandling ? deletionHandlingKey : plainKey,
      indexers: indexFunctions(options["indexers"]),
      transform: transformer(options["transformer"]),
      behaviour: behaviourOf(options),
    });
  }

  perform(step: Step): Result {
    const result = storeOutcome(() => this.#call(step));
    if (!writeOperations.has(step.op)) return result;
    return { ...result, resourceVersion: this.#store.lastStoreSyncResourceVersion };
  }

  #call(step: Step): Result {
    if (writeStep(this.#store, step)) return {};
    if (step.op === "transaction") {
      this.#store.transaction(list(step, "items").map(transactionItem));
      return {};
    }
    return indexStep(this.#store, step) ?? readStep(this.#store, step);
  }
}

class KeyedSubject implements Subject {
  readonly #store: KeyedStore<unknown, Names>;

  constructor(options: Options) {
    this.#store = new KeyedStore({
      indexers: indexFunctions(options["indexers"]),
      behaviour: behaviourOf(options),
    });
  }

  perform(step: Step): Result {
    const result = storeOutcome(() => this.#call(step));
    if (!writeOperations.has(step.op)) return result;
    return { ...result, resourceVersion: this.#store.lastStoreSyncResourceVersion };
  }

  #call(step: Step): Result {
    const store = this.#store;
    switch (step.op) {
      case "add":
        store.add(text(step, "key"), decode(step["object"]));
        return {};
      case "update":
        store.update(text(step, "key"), decode(step["object"]));
        return {};
      case "delete":
        store.delete(text(step, "key"));
        return {};
      case "deleteWithObject":
        store.deleteWithObject(text(step, "key"), decode(step["object"]));
        return {};
      case "replace":
        store.replace(keyedObjects(step), text(step, "resourceVersion"));
        return {};
      case "transaction":
        store.transaction(list(step, "items").map(keyedTransactionItem));
        return {};
      case "bookmark":
        store.bookmark(text(step, "resourceVersion"));
        return {};
      case "get":
        return found(store.getByKey(text(step, "key")));
      case "list":
        return { set: store.list().map(encode) };
      case "listKeys":
        return { set: store.listKeys() };
      case "resync":
        return {};
      default: {
        const result = indexStep(store, step);
        if (result !== undefined) return result;
        throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
      }
    }
  }
}

function indexStep(
  store: Indexer<unknown, Names> | KeyedStore<unknown, Names>,
  step: Step,
): Result | undefined {
  switch (step.op) {
    case "index":
      return {
        set: store.index(text(step, "indexName"), decode(step["object"])).map(encode),
      };
    case "byIndex":
      return { set: store.byIndex(text(step, "indexName"), text(step, "value")).map(encode) };
    case "indexKeys":
      return { keys: store.indexKeys(text(step, "indexName"), text(step, "value")) };
    case "listIndexFuncValues":
      return { set: store.listIndexFuncValues(text(step, "indexName")) };
    case "getIndexers":
      return { set: Object.keys(store.getIndexers()) };
    case "addIndexers":
      store.addIndexers(indexFunctions(step["indexers"]));
      return {};
    default:
      return undefined;
  }
}

function keyedObjects(step: Step): Map<string, unknown> {
  const { items } = step;
  if (!isRecord(items)) throw new TypeError("Couldn't read items: expected an object");
  return new Map(Object.entries(items).map(([key, object]) => [key, decode(object)]));
}

function transactionItem(value: unknown): TransactionItem<unknown> {
  if (!isRecord(value)) throw new TypeError("Couldn't read an item: expected an object");
  const { object, type } = value;
  if (type === "Add" || type === "Update" || type === "Delete") {
    return { type, object: decode(object) };
  }
  throw new TypeError(`Couldn't read an item: unknown type ${JSON.stringify(type)}`);
}

function keyedTransactionItem(
  value: unknown,
): Parameters<KeyedStore<unknown>["transaction"]>[0][number] {
  return { ...transactionItem(value), key: isRecord(value) ? text(value, "key") : "" };
}

function behaviourOf(options: Options): typeof clientGoStoreBehaviour {
  return options["atomicFIFO"] === false ? withoutAtomicFIFO : clientGoStoreBehaviour;
}
