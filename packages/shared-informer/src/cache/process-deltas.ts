import { asCached } from "@listwatch/core-fifo/base";
import {
  DeletedFinalStateUnknown,
  type Cached,
  type Delta,
  type Deltas,
  type ObjectDelta,
} from "@listwatch/core-fifo";
import { TransactionError } from "@listwatch/store-indexer";
import { keyOf, type DeltaTarget } from "./delta-target.ts";
import {
  createMissedDeleteEvent,
  createUpsertEvent,
  type InformerEvent,
} from "./informer-event.ts";

/** A whole list. */
export type ReplacedAllDelta<T> = Extract<Delta<T>, { readonly type: "ReplacedAll" }>;

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
  for (const delta of asPlainDeltas<T>(deltas)) {
    if ("object" in delta) {
      const event = applyObjectDelta(delta, isInInitialList, target);
      if (event !== undefined) target.notify(event);
    } else applyWholeDelta(delta, isInInitialList, target);
  }
}

function applyWholeDelta<T>(
  delta: Exclude<Delta<T>, ObjectDelta<T>>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
): void {
  switch (delta.type) {
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
      if (!("object" in delta)) {
        throw new TypeError(
          `Cannot apply a batch: expected deltas of single objects, got ${delta.type}`,
        );
      }
      const event = applyObjectDelta(delta, isInInitialList, target);
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

/** Changes the store by one object. Returns the event without delivering it. */
function applyObjectDelta<T>(
  delta: ObjectDelta<T>,
  isInInitialList: boolean,
  { ignoreUnknownDeletes, keyFunc, store }: DeltaTarget<T>,
): InformerEvent<T> | undefined {
  // A transform may leave nothing to compute a key from. The consumer reports that.
  const key = delta.key ?? keyOf(delta.object, keyFunc);
  if (delta.type !== "Deleted") {
    const object = asCached<T>(delta.object);
    return createUpsertEvent(key, store.add(key, object), object, isInInitialList);
  }
  const isUnknown = ignoreUnknownDeletes === true && store.getByKey(key) === undefined;
  const { object } = delta;
  store.deleteWithObject(key, object);
  if (isUnknown) return undefined;
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

/**
 * Builds the new content beside the store, one object per step. An object with the content of the
 * held one is replaced by that one, so that it is unchanged for all readers: versions do not prove
 * it, since a restored storage has had the same ones before. Skipped objects of the list keep their
 * former state. Then it swaps the content and delivers the differences, one change per step:
 * deletions first, then the objects in list order (client-go `processDeltas`,
 * tools/cache/controller.go).
 */
export function* replaceAll<T>(
  delta: ReplacedAllDelta<T>,
  isInInitialList: boolean,
  { beginList, endList, isSameContent, keyFunc, notify, store }: DeltaTarget<T>,
): Generator<"object" | "staged", void, undefined> {
  const keys = delta.keys ?? delta.objects.map((object) => keyOf(object, keyFunc));
  const staged = store.stageReplace();
  const objects: Cached<T>[] = [];
  for (const [position, read] of delta.objects.entries()) {
    const key = keys[position] ?? "";
    const held = store.getByKey(key);
    const isKept = held !== undefined && isSameContent?.(held, read) === true;
    const object = isKept ? held : asCached<T>(read);
    objects.push(object);
    staged.put(key, object);
    yield "object";
  }
  // A server that merges others may list a key twice; the last one counts. With client-go's
  // behaviour the queue has not computed keys, and all are delivered.
  const hasRepeats = delta.keys !== undefined && staged.size < keys.length;
  const newest = hasRepeats ? new Map(keys.map((key, position) => [key, position])) : undefined;
  for (const key of delta.keptKeys ?? []) {
    const held = store.getByKey(key);
    if (held !== undefined && !staged.has(key)) staged.put(key, held);
  }
  yield "staged";
  const before = staged.commit(delta.resourceVersion);
  // A snapshot of the store contains the list from here on.
  beginList?.();
  for (const key of before.keys()) {
    if (staged.has(key)) continue;
    notify(createMissedDeleteEvent<T>(key, before.get(key)));
    yield "object";
  }
  for (const [position, object] of objects.entries()) {
    const key = keys[position] ?? "";
    if (newest !== undefined && newest.get(key) !== position) continue;
    notify(createUpsertEvent(key, before.get(key), object, isInInitialList));
    yield "object";
  }
  endList?.();
}
