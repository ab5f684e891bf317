import type { Heap } from "@listwatch/core-fifo";

/** The least object of a heap, taken out; `undefined` when it is empty. Never waits. */
export function takeLeast<T>(heap: Heap<T>): T | undefined {
  if (heap.length === 0) return undefined;
  const least = heap.pop();
  return least instanceof Promise ? undefined : least;
}
