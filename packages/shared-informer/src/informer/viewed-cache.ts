import type { Cached } from "@listwatch/core-fifo";
import type { InformerWrites } from "./informer-writes.ts";

/** The cache of an informer, as the views of the informer see it. */
export interface ViewedCache<T> {
  /** Notes of own writes; `undefined` if the source creates none. */
  readonly writes: InformerWrites<T> | undefined;
  /** Reads by key with the noted writes. */
  readonly reader: { getByKey(key: string): Cached<T> | undefined };
  /** Reads by key without the noted writes. */
  readonly store: { getByKey(key: string): Cached<T> | undefined };
}

/** The {@link ViewedCache} of each informer, for the views of it. */
export const viewedCaches: WeakMap<object, object> = new WeakMap();
