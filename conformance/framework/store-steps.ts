import { Preset } from "@listwatch/core-fifo/base";
import { NotFoundError, TransactionError, type Store } from "@listwatch/store-indexer";
import { describeError, type ErrorKinds } from "./errors.ts";
import { indexFunctionFailed } from "./index-functions.ts";
import type { Step } from "./step-unit.ts";
import { decode, encode, list, text } from "./values.ts";

type Result = Record<string, unknown>;

const kinds: ErrorKinds = {
  LW_INDEX_CONFLICT: "IndexConflict",
  LW_INDEX_FUNCTION: "IndexFuncPanic",
  LW_INVALID_SELECTOR: "InvalidSelector",
  LW_NO_INDEXER: "NoIndexer",
  LW_NO_SUCH_INDEX: "NoSuchIndex",
  // Stores compare resourceVersions only in the mutation cache, where client-go panics.
  LW_RESOURCE_VERSION: "ResourceVersionPanic",
  [indexFunctionFailed]: "IndexFuncError",
};

/** client-go's ways without its feature gate AtomicFIFO, which programs here cannot turn off. */
export const withoutAtomicFIFO: Preset<"clientGoStoreBehaviour"> = new Preset(
  "clientGoStoreBehaviour",
  { acceptTombstones: false, forgetAddsOnRead: true, trackResourceVersion: false },
);

/** The operations after which a result contains the store's resourceVersion. */
export const writeOperations: ReadonlySet<string> = new Set([
  "add",
  "update",
  "delete",
  "deleteWithObject",
  "replace",
  "transaction",
  "bookmark",
  "resync",
]);

export function storeOutcome(action: () => Result | void): Result {
  try {
    return action() ?? {};
  } catch (error) {
    return { error: describeStoreError(error) };
  }
}

function describeStoreError(error: unknown): Result {
  if (error instanceof TransactionError) {
    const { errors, successfulIndices, totalTransactions } = error;
    return {
      kind: "TransactionError",
      successfulIndices,
      totalTransactions,
      errors: errors.map(describeStoreError),
    };
  }
  if (error instanceof NotFoundError) {
    const { group, objectName: name, resource } = error;
    return { kind: "NotFound", group, name, resource };
  }
  return describeError(error, kinds);
}

/** Performs a write operation; returns false for any other operation. */
export function writeStep(store: Store<unknown>, step: Step): boolean {
  switch (step.op) {
    case "add":
      store.add(decode(step["object"]));
      return true;
    case "update":
      store.update(decode(step["object"]));
      return true;
    case "delete":
      store.delete(decode(step["object"]));
      return true;
    case "replace":
      store.replace(list(step, "objects").map(decode), text(step, "resourceVersion"));
      return true;
    case "bookmark":
      store.bookmark(text(step, "resourceVersion"));
      return true;
    case "resync":
      store.resync();
      return true;
    default:
      return false;
  }
}

export function readStep(store: Store<unknown>, step: Step): Result {
  switch (step.op) {
    case "get":
      return found(store.get(decode(step["object"])));
    case "getByKey":
      return found(store.getByKey(text(step, "key")));
    case "list":
      return { set: store.list().map(encode) };
    case "listKeys":
      return { set: store.listKeys() };
    default:
      throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
  }
}

export function found(item: unknown): Result {
  return item === undefined ? { exists: false } : { exists: true, item: encode(item) };
}
