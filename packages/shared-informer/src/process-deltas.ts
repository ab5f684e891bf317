import {
  DeletedFinalStateUnknown,
  KeyError,
  type DeletedDelta,
  type Delta,
  type Deltas,
  type Clock,
  type KeyFunction,
  type ReplacedAllDelta,
  type UpsertDelta,
} from "@listwatch/core-fifo";
import {
  asDeepReadonly,
  TransactionError,
  type DeepReadonly,
  type KeyedStore,
} from "@listwatch/store-indexer";
import type { Notification } from "./notification.ts";

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
 * Applies what one pop delivers, delta by delta: first the store, then the notification. What is in the store decides
 * between add and update, never the type of the delta (CTL-7). One synchronous, atomic section.
 *
 * @throws {KeyError} if an object of a whole list has no key; that list has then changed nothing (CTL-9)
 * @throws {IndexFunctionError} if an index function throws; that delta has then changed nothing and is not told (CTL-8)
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
 * Applies deltas of single objects, each with another key: first all of them to the store, then all notifications in the
 * order of the deltas, so that every notification finds the whole batch in the store (CTL-11, CTL-12). One synchronous
 * section.
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
  // A queue says "" when a transform left nothing to compute a key from, and for an object without a name (RF-21).
  const key = delta.key === "" ? keyOf(delta.object, keyFunc) : delta.key;
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
  const object = asDeepReadonly<T>(delta.object);
  const old = store.get(key);
  store.add(key, object);
  return notificationOf(key, old, object, isInInitialList);
}

function notificationOf<T>(
  key: string,
  old: DeepReadonly<T> | undefined,
  object: DeepReadonly<T>,
  isInInitialList: boolean,
): Notification<T> {
  return old === undefined
    ? { type: "add", key, object, isInInitialList }
    : { type: "update", key, object, old };
}

function remove<T>(
  key: string,
  { object }: DeletedDelta<T>,
  store: DeltaStore<T>,
): Notification<T> {
  store.deleteWithObject(key, object);
  return object instanceof DeletedFinalStateUnknown
    ? missed<T>(key, object.object)
    : { type: "delete", key, stale: false, object: asDeepReadonly<T>(object) };
}

function missed<T>(key: string, object: T | DeepReadonly<T> | undefined): Notification<T> {
  return object === undefined
    ? { type: "delete", key, stale: true }
    : { type: "delete", key, stale: true, object: asDeepReadonly<T>(object) };
}

/** Longest stretch of work between two turns of the event loop, in ms: half a frame of a 60 Hz screen. */
const sliceMs = 8;

/** Looking at the clock costs as much as an object does. */
const objectsPerLook = 32;

/**
 * The same as {@link processDeltas} for a whole list, with turns of the event loop between the objects. Readers see the
 * store as it was until all of it changes at once; the last step, which also tells of the changes, is not cut. After an
 * abort it goes on without turns, since a list that was taken from the queue counts as applied.
 */
export async function replaceInSlices<T>(
  delta: ReplacedAllDelta<T>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  // The end of the list was read in this turn.
  await clock.nextTurn();
  let startMs = clock.now();
  let unlooked = 0;
  for (const step of replaceAll(delta, isInInitialList, target)) {
    if (step === "object" && ++unlooked < objectsPerLook) continue;
    unlooked = 0;
    if (signal.aborted || (step === "object" && clock.now() - startMs < sliceMs)) continue;
    await clock.nextTurn();
    startMs = clock.now();
  }
}

/**
 * Puts the list together beside the store, with a step for each object, then, in the last step, changes the whole store at
 * once and tells the difference to what it was (CTL-9).
 */
function* replaceAll<T>(
  delta: ReplacedAllDelta<T>,
  isInInitialList: boolean,
  { keyFunc, notify, store }: DeltaTarget<T>,
): Generator<"object" | "staged", void, undefined> {
  const keys = delta.keys ?? delta.objects.map((object) => keyOf(object, keyFunc));
  const staged = store.stageReplace();
  for (const [position, object] of delta.objects.entries()) {
    staged.put(keys[position] ?? "", object);
    yield "object";
  }
  yield "staged";
  const before = staged.commit(delta.resourceVersion);
  for (const key of before.keys()) {
    if (!staged.has(key)) notify(missed<T>(key, before.get(key)));
  }
  for (const [position, object] of delta.objects.entries()) {
    const key = keys[position] ?? "";
    notify(notificationOf(key, before.get(key), asDeepReadonly<T>(object), isInInitialList));
  }
}

function keyOf<T>(object: T | DeletedFinalStateUnknown<T>, keyFunc: KeyFunction<T>): string {
  if (object instanceof DeletedFinalStateUnknown) return object.key;
  try {
    return keyFunc(object);
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}

function syncAll<T>({ notify, store }: DeltaTarget<T>): void {
  for (const key of store.listKeys()) {
    const object = store.get(key);
    if (object !== undefined) notify({ type: "update", key, object, old: object });
  }
}
