import { DeletedFinalStateUnknown, KeyError, type KeyFunction } from "@listwatch/core-fifo";
import type { KeyedStore } from "@listwatch/store-indexer";
import type { InformerEvent } from "./informer-event.ts";

/** The part of a store that deltas are applied to; `indexer.keyed` is one. */
export type DeltaStore<T> = Pick<
  KeyedStore<T>,
  "add" | "bookmark" | "deleteWithObject" | "get" | "listKeys" | "stageReplace"
>;

/** What deltas are applied to. */
export interface DeltaTarget<T> {
  readonly store: DeltaStore<T>;
  /** The key function of the queue, for objects that carry no key. */
  readonly keyFunc: KeyFunction<T>;
  /** Called with each change, after the store shows it. Must neither throw nor wait. */
  readonly notify: (event: InformerEvent<T>) => void;
}

/** @throws {KeyError} if the object has no key */
export function keyOf<T>(object: T | DeletedFinalStateUnknown<T>, keyFunc: KeyFunction<T>): string {
  if (object instanceof DeletedFinalStateUnknown) return object.key;
  try {
    return keyFunc(object);
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}
