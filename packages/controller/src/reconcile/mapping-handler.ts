import { metaNamespaceKey, type Cached } from "@listwatch/core-fifo";
import { checkSynchronous, createInvalidOptionError, metadataOf } from "@listwatch/core-fifo/base";
import type { ResourceEventHandler } from "@listwatch/shared-informer";
import { lowPriority } from "@listwatch/workqueue";
import type { Predicate } from "./predicates.ts";

/** Which keys a change of an object concerns. */
export type KeysOf<T> = (object: Cached<T>) => readonly string[];

/** Options of a source of a {@link Controller}. */
export interface SourceOptions<T> {
  /** Which changes lead to a reconcile. @default all */
  readonly predicate?: Predicate<T> | undefined;
  /**
   * The priority of the keys that a change concerns, any number: higher leaves the queue earlier.
   * Called with the changed object, which is `undefined` for a deletion whose last state is not
   * known, and with the usual priority; a failing function is reported to the informer, and the
   * usual one counts.
   *
   * @default the usual one: `lowPriority` (-100) for what is in an initial list and for updates
   *   that change no resourceVersion, such as resyncs and relists; 0 for all other changes
   */
  readonly priority?:
    | number
    | ((object: Cached<T> | undefined, usual: number) => number)
    | undefined;
}

/** @throws {InvalidOptionsError} if the priority is neither a number nor a function */
export function checkSourceOptions<T>({ priority }: SourceOptions<T>): void {
  if (typeof priority === "function" || priority === undefined) return;
  if (typeof priority === "number" && !Number.isNaN(priority)) return;
  throw createInvalidOptionError("priority", "a number or a function", priority);
}

/** The key of the object itself. */
export const ownKey = (object: unknown): readonly string[] => [metaNamespaceKey(object)];

const urgentPriority = 0;

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
  { predicate = {}, priority }: SourceOptions<T>,
  add: (key: string, priority: number) => void,
): ResourceEventHandler<T> {
  const addAll = (keys: Iterable<string>, usual: number, object: Cached<T> | undefined): void => {
    if (typeof priority !== "function") {
      for (const key of keys) add(key, priority ?? usual);
      return;
    }
    let chosen = usual;
    try {
      const wanted = priority(object, usual);
      if (typeof wanted !== "number" || Number.isNaN(wanted)) {
        throw createInvalidOptionError("priority", "a function that returns a number", wanted);
      }
      chosen = wanted;
    } finally {
      // No change is lost: what the function throws goes on to the informer after this.
      for (const key of keys) add(key, chosen);
    }
  };
  return {
    onAdd: (object, isInInitialList) =>
      letThrough(
        () => predicate.add?.(object),
        () => addAll(keysOf(object), isInInitialList ? lowPriority : urgentPriority, object),
      ),
    onUpdate: (old, object) =>
      letThrough(
        () => predicate.update?.(old, object),
        () => {
          const isSameObject = old === object;
          const keys = isSameObject ? keysOf(object) : new Set([...keysOf(old), ...keysOf(object)]);
          addAll(keys, isUnchanged(old, object) ? lowPriority : urgentPriority, object);
        },
      ),
    onDelete: (deleted) =>
      letThrough(
        () => predicate.delete?.(deleted),
        () => {
          const { key, object } = deleted;
          if (isSame) addAll([key], urgentPriority, object);
          else if (object !== undefined) addAll(keysOf(object), urgentPriority, object);
        },
      ),
  };
}

/**
 * Queues a change unless a predicate says no. No change is lost: with a predicate that throws, or
 * gives a promise, the keys are queued first, and then the failure goes on to the informer.
 */
function letThrough(ask: () => unknown, queue: () => void): void {
  let isWanted = true;
  try {
    const answer = ask();
    if (typeof answer !== "boolean") checkSynchronous(answer, "true or false");
    isWanted = answer !== false;
  } finally {
    if (isWanted) queue();
  }
}

/**
 * Whether an update hands out a state again: that of a resync or, decoded once more, of a relist
 * (controller-runtime `isObjectUnchanged`, pkg/handler/eventhandler.go). Without versions two
 * states may differ.
 */
function isUnchanged(old: unknown, object: unknown): boolean {
  if (old === object) return true;
  const before = metadataOf(old);
  const now = metadataOf(object);
  const version = now?.resourceVersion ?? "";
  return version !== "" && before?.resourceVersion === version && before.uid === now?.uid;
}
