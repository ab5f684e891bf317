import type { WatchEvent } from "@listwatch/client";

/** What a watch yielded, as a batch. */
export function asBatch<T>(
  value: WatchEvent<T> | readonly WatchEvent<T>[],
): readonly WatchEvent<T>[] {
  return isBatch(value) ? value : [value];
}

function isBatch<T>(
  value: WatchEvent<T> | readonly WatchEvent<T>[],
): value is readonly WatchEvent<T>[] {
  return Array.isArray(value);
}
