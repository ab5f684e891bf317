import { asCached } from "@listwatch/core-fifo/base";
import {
  DeletedFinalStateUnknown,
  KeyError,
  type KeyFunction,
  type Cached,
} from "@listwatch/core-fifo";
import type { Notification } from "./informer-event.ts";

/** That an object is there now where `old` was, or nothing. */
export function notificationOf<T>(
  key: string,
  old: Cached<T> | undefined,
  object: Cached<T>,
  isInInitialList: boolean,
): Notification<T> {
  return old === undefined
    ? { type: "add", key, object, isInInitialList }
    : { type: "update", key, object, old };
}

/** That an object is gone whose deletion nobody saw. */
export function missed<T>(key: string, object: T | Cached<T> | undefined): Notification<T> {
  return object === undefined
    ? { type: "delete", key, stale: true }
    : { type: "delete", key, stale: true, object: asCached<T>(object) };
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
