import { metaNamespaceKey, type Cached } from "@listwatch/core-fifo";
import type { ResourceEventHandler } from "@listwatch/shared-informer";
import type { Predicate } from "./predicates.ts";

/** Which keys a change of an object concerns. */
export type KeysOf<T> = (object: Cached<T>) => readonly string[];

/** The key of the object itself. */
export const ownKey = (object: unknown): readonly string[] => [metaNamespaceKey(object)];

/**
 * Creates a handler that queues the keys that a change concerns. Of an update those of both states:
 * an object may have changed its owner, and concerns the old one, too.
 *
 * @param isSame whether `keysOf` returns the key of the object itself, so that no state is needed
 *   when an object was deleted
 */
export function createMappingHandler<T>(
  keysOf: KeysOf<T>,
  isSame: boolean,
  predicate: Predicate<T>,
  enqueue: (key: string, isUrgent: boolean) => void,
): ResourceEventHandler<T> {
  return {
    onAdd: (object, isInInitialList) => {
      if (predicate.add?.(object) === false) return;
      for (const key of keysOf(object)) enqueue(key, !isInInitialList);
    },
    onUpdate: (old, object) => {
      if (predicate.update?.(old, object) === false) return;
      const isResync = old === object;
      const keys = isResync ? keysOf(object) : new Set([...keysOf(old), ...keysOf(object)]);
      for (const key of keys) enqueue(key, !isResync);
    },
    onDelete: (deleted) => {
      if (predicate.delete?.(deleted) === false) return;
      if (isSame) enqueue(deleted.key, true);
      else if (deleted.object !== undefined) {
        for (const key of keysOf(deleted.object)) enqueue(key, true);
      }
    },
  };
}
