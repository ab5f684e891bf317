import type { Deque } from "../base/deque.ts";
import { isObjectDelta, type Delta, type Deltas, type ObjectDelta } from "../delta/delta.ts";
import { KeyError } from "../base/errors.ts";

/**
 * Takes all deltas that can be applied together with `first`, which has left the queue: the longest
 * run of deltas of distinct objects. A `ReplacedAll`, `SyncAll` or `Bookmark` concerns the whole
 * collection and is taken alone.
 *
 * @param limit maximum number of deltas
 */
export function takeRun<T>(first: Delta<T>, queued: Deque<Delta<T>>, limit: number): Deltas<T> {
  const run = [first];
  if (!isObjectDelta(first) || first.key === undefined) return run;
  const keys = new Set([first.key]);
  while (run.length < limit) {
    const next = queued.peek();
    if (next === undefined || !isObjectDelta(next)) break;
    // A set that does not grow contained the key. Asking it first would cost a second lookup.
    if (next.key !== undefined && keys.add(next.key).size === run.length) break;
    queued.shift();
    run.push(next);
    // A delta without a key may concern any object, so nothing can follow it in the same batch.
    if (next.key === undefined) break;
  }
  return run;
}

/**
 * Returns the newest queued delta of each key, in the order in which the keys were first queued.
 *
 * @param blame creates the `object` of the error
 * @throws {KeyError} if a transform left a queued object without a key: such a queue cannot be
 *   compared with a list
 */
export function mapNewestByKey<T>(
  queued: Iterable<Delta<T>>,
  blame: (delta: ObjectDelta<T>) => unknown,
): Map<string, ObjectDelta<T>> {
  const newest = new Map<string, ObjectDelta<T>>();
  for (const delta of queued) {
    if (!isObjectDelta(delta)) continue;
    if (delta.key === undefined) throw new KeyError(blame(delta));
    newest.set(delta.key, delta);
  }
  return newest;
}
