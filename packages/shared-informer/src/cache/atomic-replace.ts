import { asCached } from "@listwatch/core-fifo/base";
import type { Clock, ReplacedAllDelta } from "@listwatch/core-fifo";
import type { DeltaTarget } from "./process-deltas.ts";
import { keyOf, missed, notificationOf } from "./notification-of.ts";

/**
 * Longest stretch of work between two turns of the event loop, in ms: half a frame of a 60 Hz
 * screen.
 */
const sliceMs = 8;

/** Looking at the clock costs as much as an object does. */
const objectsPerLook = 32;

/**
 * Applies a whole list with turns of the event loop between the objects. Readers see the store as
 * it was until all of it changes at once; the last step, which also tells of the changes, is not
 * cut. After an abort it goes on without turns, since a list that was taken from the queue counts
 * as applied.
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
 * Puts the list together beside the store, with a step for each object, then, in the last step,
 * changes the whole store at once and tells the difference to what it was (CTL-9).
 */
export function* replaceAll<T>(
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
    notify(notificationOf(key, before.get(key), asCached<T>(object), isInInitialList));
  }
}
