import { DeletedFinalStateUnknown, KeyError, type KeyFunction } from "@listwatch/core-fifo";
import { asDeepReadonly, type DeepReadonly } from "@listwatch/store-indexer";
import type { Notification } from "./informer-event.ts";

/** That an object is there now where `old` was, or nothing. */
export function notificationOf<T>(
  key: string,
  old: DeepReadonly<T> | undefined,
  object: DeepReadonly<T>,
  isInInitialList: boolean,
): Notification<T> {
  return old === undefined
    ? { type: "add", key, object, isInInitialList }
    : { type: "update", key, object, old };
}

/** That an object is gone whose deletion nobody saw. */
export function missed<T>(key: string, object: T | DeepReadonly<T> | undefined): Notification<T> {
  return object === undefined
    ? { type: "delete", key, stale: true }
    : { type: "delete", key, stale: true, object: asDeepReadonly<T>(object) };
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
