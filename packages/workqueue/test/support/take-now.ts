import type { WorkQueue } from "@listwatch/workqueue";

export function takeNow<T>(queue: WorkQueue<T>): T | undefined {
  const work = queue.length > 0 ? queue.get() : undefined;
  if (work instanceof Promise) throw new Error("Expected an item, got a promise");
  work?.[Symbol.dispose]();
  return work?.item;
}
