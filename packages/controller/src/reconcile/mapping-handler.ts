import { metaNamespaceKey, type Cached } from "@listwatch/core-fifo";
import {
  checkSynchronous,
  createInvalidOptionError,
  metadataOf,
  aFunction,
  aNumber,
  anObject,
  someStrings,
  checkOption,
  checkOptions,
  type OptionsOf,
  type OptionCheck,
} from "@listwatch/core-fifo/base";
import type { ResourceEventHandler } from "@listwatch/shared-informer";
import { lowPriority } from "@listwatch/workqueue";
import type { Predicate } from "./predicates.ts";

/** Returns the keys to reconcile after a change of an object. */
export type KeysOf<T> = (object: Cached<T>) => readonly string[];

/** Options of a source of a {@link Controller}. */
export interface SourceOptions<T> {
  /** Selects the changes that cause a reconcile. @default all */
  readonly predicate?: Predicate<T> | undefined;
  /**
   * Priority of the keys of a change, any number; higher leaves the queue earlier. A function is
   * called with the changed object and the default priority. The object is `undefined` for a
   * deletion whose last state is unknown. If the function fails, the informer reports it and the
   * default counts.
   *
   * @default `lowPriority` (-100) for objects of an initial list and for updates that change no
   *   resourceVersion, such as resyncs and relists; 0 for all other changes
   */
  readonly priority?:
    | number
    | ((object: Cached<T> | undefined, usual: number) => number)
    | undefined;
  /**
   * Time without further changes after which a key is queued, in milliseconds. Each change of the
   * key starts the time again, as the debounce of kube-rs does (`Config::debounce`), so a key whose
   * changes never pause is never reconciled. The highest priority of the changes counts.
   *
   * @default 0
   */
  readonly debounceMs?: number | undefined;
}

const sourceTable: OptionsOf<SourceOptions<never>> = {
  debounceMs: aNumber(0),
  predicate: anObject,
  priority: (value) =>
    aFunction(value) && aNumber()(value) ? "a number or a function" : undefined,
};

/** @throws {InvalidOptionsError} if an option cannot be used */
export function checkSourceOptions(options: unknown): void {
  checkOptions(options, sourceTable);
}

/**
 * Returns the keys of a mapping.
 *
 * @throws {InvalidOptionsError} if they are not an array of strings: one string would be taken
 *   apart into characters
 */
function checkKeys(keys: readonly string[]): readonly string[] {
  checkSynchronous(keys, "an array of keys");
  checkOption("mapping", keys, keysTable);
  return keys;
}

const keysTable: OptionCheck = (value) =>
  someStrings(value) && "a function that returns an array of keys";

/** Maps an object to its own key. */
export const ownKey = (object: unknown): readonly string[] => [metaNamespaceKey(object)];

const urgentPriority = 0;

/**
 * Creates a handler that queues the keys of each change. An update queues the keys of both states,
 * because the object may have changed its owner.
 *
 * @param isSame whether `keysOf` returns the object's own key, so that a deletion needs no last
 *   state
 * @param isOwn whether a reconcile of the key has written this state, so that the key need not be
 *   queued
 */
export function createMappingHandler<T>(
  keysOf: KeysOf<T>,
  isSame: boolean,
  { predicate = {}, priority }: SourceOptions<T>,
  add: (key: string, priority: number) => void,
  isOwn: (object: unknown, key: string) => boolean = () => false,
): ResourceEventHandler<T> {
  const others = (keys: readonly string[], object: unknown): readonly string[] =>
    keys.filter((key) => !isOwn(object, key));
  const mapped = (object: Cached<T>): readonly string[] => checkKeys(keysOf(object));
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
      // No change is lost: the error of the function reaches the informer after this.
      for (const key of keys) add(key, chosen);
    }
  };
  return {
    onAdd: (object, isInInitialList) =>
      letThrough(
        () => predicate.add?.(object),
        () => {
          const keys = mapped(object);
          if (isInInitialList) addAll(keys, lowPriority, object);
          else addAll(others(keys, object), urgentPriority, object);
        },
      ),
    onUpdate: (old, object) =>
      letThrough(
        () => predicate.update?.(old, object),
        () => {
          const isSameObject = old === object;
          const keys = isSameObject
            ? mapped(object)
            : others([...new Set([...mapped(old), ...mapped(object)])], object);
          addAll(keys, isUnchanged(old, object) ? lowPriority : urgentPriority, object);
        },
      ),
    onDelete: (deleted) =>
      letThrough(
        () => predicate.delete?.(deleted),
        () => {
          const { key, object } = deleted;
          if (isSame) addAll([key], urgentPriority, object);
          else if (object !== undefined) addAll(mapped(object), urgentPriority, object);
        },
      ),
  };
}

/**
 * Queues a change unless the predicate returns false. No change is lost: if the predicate throws or
 * returns a promise, the keys are queued before the error reaches the informer.
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
 * Whether an update repeats a state, in a resync or a relist (controller-runtime
 * `isObjectUnchanged`, pkg/handler/eventhandler.go). Objects without versions may differ.
 */
function isUnchanged(old: unknown, object: unknown): boolean {
  if (old === object) return true;
  const before = metadataOf(old);
  const now = metadataOf(object);
  const version = now?.resourceVersion ?? "";
  return version !== "" && before?.resourceVersion === version && before.uid === now?.uid;
}
