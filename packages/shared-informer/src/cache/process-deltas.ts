import { asCached } from "@listwatch/core-fifo/base";
import {
  DeletedFinalStateUnknown,
  type DeletedDelta,
  type Delta,
  type Deltas,
  type KeyFunction,
  type UpsertDelta,
} from "@listwatch/core-fifo";
import { TransactionError, type KeyedStore } from "@listwatch/store-indexer";
import { keyOf, missed, notificationOf } from "./notification-of.ts";
import { replaceAll } from "./atomic-replace.ts";
import type { Notification } from "./informer-event.ts";

/** The part of a store that deltas are applied to; `indexer.keyed` is one. */
export type DeltaStore<T> = Pick<
  KeyedStore<T>,
  "add" | "bookmark" | "deleteWithObject" | "get" | "listKeys" | "stageReplace"
>;

/** Where deltas go. */
export interface DeltaTarget<T> {
  readonly store: DeltaStore<T>;
  /** The key function of the queue, for objects that do not carry a key along. */
  readonly keyFunc: KeyFunction<T>;
  /** Told of each change, after the store shows it (GEN-4). Must neither throw nor wait. */
  readonly notify: (notification: Notification<T>) => void;
}

/**
 * Applies what one pop delivers, delta by delta: first the store, then the notification. What is in
 * the store decides between add and update, never the type of the delta (CTL-7). One synchronous,
 * atomic section.
 *
 * @throws {KeyError} if an object of a whole list has no key; that list has then changed nothing
 *   (CTL-9)
 * @throws {IndexFunctionError} if an index function throws; that delta has then changed nothing and
 *   is not told (CTL-8)
 */
export function processDeltas<T>(
  deltas: Deltas<T>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
): void {
  for (const delta of deltas) processDelta(delta, isInInitialList, target);
}

function processDelta<T>(delta: Delta<T>, isInInitialList: boolean, target: DeltaTarget<T>): void {
  switch (delta.type) {
    case "Added":
    case "Updated":
    case "Replaced":
    case "Sync":
    case "Deleted":
      target.notify(applyToOne(delta, isInInitialList, target));
      break;
    case "ReplacedAll":
      for (const _ of replaceAll(delta, isInInitialList, target));
      break;
    case "SyncAll":
      syncAll(target);
      break;
    case "Bookmark":
      target.store.bookmark(delta.resourceVersion);
      break;
  }
}

/**
 * Applies deltas of single objects, each with another key: first all of them to the store, then all
 * notifications in the order of the deltas, so that every notification finds the whole batch in the
 * store (CTL-11, CTL-12). One synchronous section.
 *
 * @throws {TransactionError} if some could not be applied; the others were, and were told
 */
export function processDeltasInBatch<T>(
  deltas: Deltas<T>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
): void {
  const { notify } = target;
  const notifications: Notification<T>[] = [];
  const failures: { readonly position: number; readonly error: unknown }[] = [];
  for (const [position, delta] of deltas.entries()) {
    try {
      notifications.push(applyToOne(delta, isInInitialList, target));
    } catch (error) {
      failures.push({ position, error });
    }
  }
  for (const notification of notifications) notify(notification);
  if (failures.length === 0) return;
  const failed = new Set(failures.map(({ position }) => position));
  throw new TransactionError(
    [...deltas.keys()].filter((position) => !failed.has(position)),
    deltas.length,
    failures.map(({ error }) => error),
  );
}

/** Changes the store by one object, without telling anybody yet. */
function applyToOne<T>(
  delta: Delta<T>,
  isInInitialList: boolean,
  { keyFunc, store }: DeltaTarget<T>,
): Notification<T> {
  const { type } = delta;
  if (type === "ReplacedAll" || type === "SyncAll" || type === "Bookmark") {
    throw new TypeError(`Couldn't apply a batch: expected deltas of single objects, got ${type}`);
  }
  // A transform can leave nothing to compute a key from; the failure belongs to the consumer.
  const key = delta.key ?? keyOf(delta.object, keyFunc);
  return delta.type === "Deleted"
    ? remove(key, delta, store)
    : upsert(key, delta, isInInitialList, store);
}

function upsert<T>(
  key: string,
  delta: UpsertDelta<T>,
  isInInitialList: boolean,
  store: DeltaStore<T>,
): Notification<T> {
  const object = asCached<T>(delta.object);
  return notificationOf(key, store.add(key, object), object, isInInitialList);
}

function remove<T>(
  key: string,
  { object }: DeletedDelta<T>,
  store: DeltaStore<T>,
): Notification<T> {
  store.deleteWithObject(key, object);
  return object instanceof DeletedFinalStateUnknown
    ? missed<T>(key, object.object)
    : { type: "delete", key, stale: false, object: asCached<T>(object) };
}

function syncAll<T>({ notify, store }: DeltaTarget<T>): void {
  for (const key of store.listKeys()) {
    const object = store.get(key);
    if (object !== undefined) notify({ type: "update", key, object, old: object });
  }
}
