import { ListwatchError } from "../base/errors.ts";
import type { Delta, Deltas, DeletedFinalStateUnknown } from "../delta/delta.ts";
import { aClock, aFunction, anObject, aString, having, type OptionsOf } from "../base/options.ts";

type QueueOptions = Record<
  "clock" | "keyFunc" | "knownObjects" | "name" | "observer" | "onError" | "transform",
  unknown
>;

/** Checks of the options that queues of deltas have in common. */
export const queueTable: OptionsOf<QueueOptions> = {
  keyFunc: aFunction,
  transform: aFunction,
  knownObjects: having("listKeys", "getByKey"),
  name: aString,
  observer: anObject,
  clock: aClock,
  onError: aFunction,
};

/**
 * Processes a popped item. While it runs, or until its promise settles, the item is out of the
 * queue and no other consumer gets it.
 *
 * @param isInInitialList whether the item belongs to the first list that was queued
 */
export type PopProcessor<T, Item = Deltas<T>> = (
  item: Item,
  isInInitialList: boolean,
) => void | Promise<void>;

/** Options of a pop. */
export interface PopOptions {
  /**
   * Ends the wait. The pop rejects with the reason of the signal. A running processor is not
   * interrupted.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The methods of a queue that a reflector writes to. Writes are synchronous, so that an atomic
 * section contains no `await`. A write that throws has no effect.
 */
export interface QueueWriter<T> {
  /** Queues an object that appeared. */
  add(object: T): void;
  /** Queues the new state of an object. */
  update(object: T): void;
  /** Queues a deletion. A tombstone replaces an object whose final state is unknown. */
  delete(object: T | DeletedFinalStateUnknown<T>): void;
  /** Replaces the whole collection. `resourceVersion` belongs to the list. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Delivers all known objects again. */
  resync(): void;
}

/** Deltas delivered together to a loop over a queue. */
export interface PoppedDeltas<T, D = Delta<T>> {
  /** Deltas in their order of arrival. */
  readonly deltas: readonly D[];
  /** Whether the deltas belong to the first list that was queued. */
  readonly isInInitialList: boolean;
}

/** A queue with one input and one output. Most queues deliver deltas, {@link FIFO} delivers objects. */
export interface Queue<T, Item = Deltas<T>> extends QueueWriter<T> {
  /**
   * Removes the oldest item and passes it to `process`. If there is an item and `process` is
   * synchronous, returns at once, not as a promise.
   *
   * @throws {QueueClosedError} once the queue is closed and empty
   * @throws the reason of the signal if it is aborted before an item is added
   * @throws the error of `process`; its item is consumed, all others stay queued
   */
  pop(process: PopProcessor<T, Item>, options?: PopOptions): Item | Promise<Item>;
  /** Closes the queue. Waiting pops fail; remaining items can be popped. Idempotent. */
  close(): void;
  /** Whether the queue was closed. Its remaining items can still be popped. */
  readonly isClosed: boolean;
  /**
   * Whether the first list has been popped completely, or a single write preceded any list. Never
   * becomes false again.
   */
  readonly hasSynced: boolean;
  /** Resolves when {@link Queue.hasSynced} becomes true; stays pending if it never does. */
  readonly synced: Promise<void>;
}

/** The queue is closed and has nothing left, or no longer takes writes. Code `LW_QUEUE_CLOSED`. */
export class QueueClosedError extends ListwatchError {
  /** Always `"QueueClosedError"`, also in minified programs. */
  override readonly name: string = "QueueClosedError";

  constructor(message: string) {
    super("LW_QUEUE_CLOSED", message);
  }
}

/**
 * Thrown by a processor to have its item put back in the queue, unless the same key has been queued
 * again meanwhile. The pop then fails with the `cause`, or succeeds if there is none. Code
 * `LW_REQUEUE`.
 */
export class RequeueError extends ListwatchError {
  /** Always `"RequeueError"`, also in minified programs. */
  override readonly name: string = "RequeueError";

  constructor(options?: ErrorOptions) {
    super("LW_REQUEUE", "The item is to be queued again", options);
  }
}
