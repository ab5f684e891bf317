import { DeletedFinalStateUnknown, KeyError, type KeyFunction } from "@listwatch/core-fifo";
import { checkKey } from "@listwatch/core-fifo/base";
import type { KeyedStore } from "@listwatch/store-indexer";
import type { InformerEvent } from "./informer-event.ts";

/** The part of a store that deltas are applied to; `indexer.keyed` is one. */
export type DeltaStore<T> = Pick<
  KeyedStore<T>,
  "add" | "bookmark" | "deleteWithObject" | "getByKey" | "listKeys" | "stageReplace"
>;

/** What is called with the changes of a store. */
export type ChangeReceiver<T> = Pick<DeltaTarget<T>, "beginList" | "endList" | "notify">;

/** What deltas are applied to. */
export interface DeltaTarget<T> {
  readonly store: DeltaStore<T>;
  /** The key function of the queue, for objects that carry no key. */
  readonly keyFunc: KeyFunction<T>;
  /**
   * Whether the deletion of an object that the store does not have is no event. In client-go it is
   * one.
   *
   * @default false
   */
  readonly ignoreUnknownDeletes?: boolean | undefined;
  /** Called with each change, after the store shows it. Must neither throw nor wait. */
  readonly notify: (event: InformerEvent<T>) => void;
  /** Called when the store shows a whole list, before the changes of that list. */
  readonly beginList?: (() => void) | undefined;
  /** Called behind the changes of a list, which may take several turns. */
  readonly endList?: (() => void) | undefined;
}

/** @throws {KeyError} if the object has no key */
export function keyOf<T>(object: T | DeletedFinalStateUnknown<T>, keyFunc: KeyFunction<T>): string {
  if (object instanceof DeletedFinalStateUnknown) return object.key;
  try {
    return checkKey(keyFunc(object));
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}
