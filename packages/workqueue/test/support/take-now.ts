import type { WorkQueue } from "@listwatch/workqueue";

/** Takes the next item and marks it as done; `undefined` when none waits. */
export function takeNow<T>(queue: WorkQueue<T>): T | undefined {
  const work = queue.length > 0 ? queue.get() : undefined;
  if (work instanceof Promise) throw new Error("Expected an item, got a promise");
  work?.done();
  return work?.item;
}
