import type { Cached, Clock, Delta } from "@listwatch/core-fifo";
import { asCached, TimeBudget } from "@listwatch/core-fifo/base";
import { keyOf, type DeltaTarget } from "./delta-target.ts";
import { createMissedDeleteEvent, createUpsertEvent } from "./informer-event.ts";

/** A whole list. */
type ReplacedAll<T> = Extract<Delta<T>, { readonly type: "ReplacedAll" }>;

/** Reading a clock costs as much as an object. */
const objectsPerLook = 32;

/**
 * Applies a whole list with turns of the event loop between the objects. Readers see the former
 * content until everything changes at once. Then the changes are delivered, with turns between
 * them. After an abort it continues without turns, because a list that was taken from the queue
 * counts as applied.
 */
export async function replaceAllInTurns<T>(
  delta: ReplacedAll<T>,
  isInInitialList: boolean,
  target: DeltaTarget<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const budget = new TimeBudget({ clock, itemsPerLook: objectsPerLook });
  // The end of the list was read in this turn.
  await budget.nextTurn();
  for (const step of replaceAll(delta, isInInitialList, target)) {
    const isDue = step === "staged" || budget.count();
    if (isDue && !signal.aborted) await budget.nextTurn();
  }
}

/**
 * Returns the last position of each key, if a list has one twice, as a server that merges others
 * may send. The queue has not checked the keys with client-go's behaviour, which delivers all.
 */
function newestPositions(
  keys: readonly string[] | undefined,
  count: number,
): ReadonlyMap<string, number> | undefined {
  if (keys === undefined || count === keys.length) return undefined;
  return new Map(keys.map((key, position) => [key, position]));
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
  delta: ReplacedAll<T>,
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
  const newest = newestPositions(delta.keys, staged.size);
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
