import { DeletedFinalStateUnknown, type Cached, type KeyFunction } from "@listwatch/core-fifo";
import { computeKey } from "@listwatch/core-fifo/base";
import type { KeyedStore } from "@listwatch/store-indexer";
import type { InformerEvent } from "./informer-event.ts";

/** Methods of a store that deltas are applied to; `indexer.keyed` has them. */
export type DeltaStore<T> = Pick<
  KeyedStore<T>,
  "add" | "bookmark" | "deleteWithObject" | "getByKey" | "listKeys" | "stageReplace"
>;

/** Receiver of the changes of a store. */
export type ChangeReceiver<T> = Pick<
  DeltaTarget<T>,
  "beginList" | "endList" | "isSameContent" | "notify"
>;

/** Store and receiver that deltas are applied to. */
export interface DeltaTarget<T> {
  /** Store that deltas are applied to. */
  readonly store: DeltaStore<T>;
  /** Key function of the queue, for objects without a key. */
  readonly keyFunc: KeyFunction<T>;
  /**
   * Whether deleting an object that is not in the store causes no event. In client-go it causes
   * one.
   *
   * @default false
   */
  readonly ignoreUnknownDeletes?: boolean | undefined;
  /**
   * Whether the store keeps the held object although a list has another one of its key.
   *
   * @default never
   */
  readonly isSameContent?: ((held: Cached<T>, object: T) => boolean) | undefined;
  /** Called with each change, after the store contains it. Must neither throw nor wait. */
  readonly notify: (event: InformerEvent<T>) => void;
  /** Called when the store contains a whole list, before the changes of that list. */
  readonly beginList?: (() => void) | undefined;
  /** Called after the changes of a list, which may take several turns. */
  readonly endList?: (() => void) | undefined;
}

/** @throws {KeyError} if the object has no key */
export function keyOf<T>(object: T | DeletedFinalStateUnknown<T>, keyFunc: KeyFunction<T>): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : computeKey(keyFunc, object);
}
