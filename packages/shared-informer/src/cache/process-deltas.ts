import { asCached } from "@listwatch/core-fifo/base";
import {
  DeletedFinalStateUnknown,
  type Cached,
  type Delta,
  type Deltas,
  type ObjectDelta,
} from "@listwatch/core-fifo";
import { TransactionError } from "@listwatch/store-indexer";
import { replaceAll } from "./atomic-replace.ts";
import { keyOf, type DeltaStore, type DeltaTarget } from "./delta-target.ts";
import {
  createMissedDeleteEvent,
  createUpsertEvent,
  type InformerEvent,
} from "./informer-event.ts";

/**
 * Applies the deltas of one pop, one by one: first to the store, then as an event. Whether the
 * store has the key decides between add and update, never the type of the delta (client-go
 * `processDeltas`, tools/cache/controller.go). One synchronous, atomic section.
 *
 * @param isInInitialList whether the deltas belong to the first list, as `pop` reports it
 * @param target store and receiver of the changes
 * @throws {KeyError} if an object of a whole list has no key; that list has changed nothing
 * @throws {IndexFunctionError} if an index function throws; that delta has changed nothing and
 *   causes no event
 */
export function processDeltas<T>(
  deltas: Deltas<NoInfer<T | Cached<T>>>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
): void {
  for (const delta of asPlainDeltas<T>(deltas)) processDelta(delta, isInInitialList, target);
}

function processDelta<T>(delta: Delta<T>, isInInitialList: boolean, target: DeltaTarget<T>): void {
  switch (delta.type) {
    case "Added":
    case "Updated":
    case "Replaced":
    case "Sync":
    case "Deleted": {
      const event = applyObjectDelta(delta, isInInitialList, target);
      if (event !== undefined) target.notify(event);
      break;
    }
    case "ReplacedAll":
      for (const _ of replaceAll(delta, isInInitialList, target));
      break;
    case "SyncAll":
      deliverAllAgain(target);
      break;
    case "Bookmark":
      target.store.bookmark(delta.resourceVersion);
      break;
  }
}

/**
 * Applies deltas of single objects with distinct keys. The store gets all of them before the
 * events, in the order of the deltas, so that every event finds the whole batch in the store
 * (client-go `processDeltasInBatch`, tools/cache/controller.go). One synchronous section.
 *
 * @param isInInitialList whether the deltas belong to the first list, as `popBatch` reports it
 * @param target store and receiver of the changes
 * @throws {TransactionError} if some could not be applied; all others are applied and delivered
 */
export function processDeltasInBatch<T>(
  deltas: Deltas<NoInfer<T | Cached<T>>>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
): void {
  const { notify } = target;
  const events: InformerEvent<T>[] = [];
  const failures: { readonly position: number; readonly error: unknown }[] = [];
  for (const [position, delta] of asPlainDeltas<T>(deltas).entries()) {
    try {
      const event = applyObjectDelta(asObjectDelta(delta), isInInitialList, target);
      if (event !== undefined) events.push(event);
    } catch (error) {
      failures.push({ position, error });
    }
  }
  for (const event of events) notify(event);
  if (failures.length === 0) return;
  const failed = new Set(failures.map(({ position }) => position));
  throw new TransactionError(
    [...deltas.keys()].filter((position) => !failed.has(position)),
    deltas.length,
    failures.map(({ error }) => error),
  );
}

/** Returns the same deltas: a queue that takes its type from a store delivers read-only objects. */
function asPlainDeltas<T>(deltas: Deltas<T | Cached<T>>): Deltas<T> {
  // They only reach the store and events, whose types are read-only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return deltas as unknown as Deltas<T>;
}

/** @throws {TypeError} if the delta concerns the whole collection */
function asObjectDelta<T>(delta: Delta<T>): ObjectDelta<T> {
  switch (delta.type) {
    case "Added":
    case "Updated":
    case "Replaced":
    case "Sync":
    case "Deleted":
      return delta;
    case "ReplacedAll":
    case "SyncAll":
    case "Bookmark":
  }
  throw new TypeError(`Cannot apply a batch: expected deltas of single objects, got ${delta.type}`);
}

/** Changes the store by one object. Returns the event without delivering it. */
function applyObjectDelta<T>(
  delta: ObjectDelta<T>,
  isInInitialList: boolean,
  { ignoreUnknownDeletes, keyFunc, store }: DeltaTarget<T>,
): InformerEvent<T> | undefined {
  // A transform may leave nothing to compute a key from. The consumer reports that.
  const key = delta.key ?? keyOf(delta.object, keyFunc);
  if (delta.type !== "Deleted") {
    return upsert(key, asCached<T>(delta.object), isInInitialList, store);
  }
  const isUnknown = ignoreUnknownDeletes === true && store.getByKey(key) === undefined;
  const event = remove(key, delta.object, store);
  return isUnknown ? undefined : event;
}

function upsert<T>(
  key: string,
  object: Cached<T>,
  isInInitialList: boolean,
  store: DeltaStore<T>,
): InformerEvent<T> {
  return createUpsertEvent(key, store.add(key, object), object, isInInitialList);
}

function remove<T>(
  key: string,
  object: T | DeletedFinalStateUnknown<T>,
  store: DeltaStore<T>,
): InformerEvent<T> {
  store.deleteWithObject(key, object);
  if (!(object instanceof DeletedFinalStateUnknown)) {
    return { type: "delete", key, stale: false, object: asCached<T>(object) };
  }
  const { object: last } = object;
  return createMissedDeleteEvent(key, last === undefined ? undefined : asCached<T>(last));
}

function deliverAllAgain<T>({ notify, store }: DeltaTarget<T>): void {
  for (const key of store.listKeys()) {
    const object = store.getByKey(key);
    if (object !== undefined) notify({ type: "update", key, object, old: object });
  }
}
