import { ListwatchError } from "../base/errors.ts";
import type { Delta, Deltas } from "../delta/delta.ts";
import type { DeletedFinalStateUnknown } from "../delta/tombstone.ts";

/**
 * Takes what a pop delivers. While it runs, or until the promise it returns has settled, the item
 * is out of the queue and no other consumer gets it.
 *
 * @param isInInitialList whether the item belongs to the first list that was put in the queue
 */
export type PopProcessor<T, Item = Deltas<T>> = (
  item: Item,
  isInInitialList: boolean,
) => void | Promise<void>;

/** Options of a pop. */
export interface PopOptions {
  /**
   * Ends the wait; the pop then rejects with the signal's reason. It does not interrupt a
   * processor.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a reflector writes into. Writes are synchronous, so that a section that must be atomic has
 * no `await` in it; each throws without effect when it cannot be done.
 */
export interface QueueWriter<T> {
  add(object: T): void;
  update(object: T): void;
  delete(object: T | DeletedFinalStateUnknown<T>): void;
  /** Replaces the whole collection; `resourceVersion` is that of the list. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Hands every known object out again. */
  resync(): void;
}

/** The deltas that a loop over a queue receives together. */
export interface PoppedDeltas<T, D = Delta<T>> {
  readonly deltas: readonly D[];
  /** Whether the deltas belong to the first list that was put in the queue. */
  readonly isInInitialList: boolean;
}

/**
 * A queue with one way in and one way out. Most queues hand out deltas; {@link FIFO} hands out
 * objects.
 */
export interface Queue<T, Item = Deltas<T>> extends QueueWriter<T> {
  /**
   * Takes the oldest item and hands it to `process`. Returns at once, without a promise, when an
   * item is there and `process` is synchronous; otherwise one promise per waiting consumer.
   *
   * @throws {QueueClosedError} once the queue is closed and empty
   * @throws the signal's reason when it is aborted before an item comes
   * @throws what `process` throws; the item is gone and everything else is still queued
   */
  pop(process: PopProcessor<T, Item>, options?: PopOptions): Item | Promise<Item>;
  /** Ends the queue: waiting pops fail, what is queued can still be popped. Idempotent. */
  close(): void;
  readonly isClosed: boolean;
  /**
   * Whether the first list has been popped completely, or a single write came before any list.
   * Never goes back.
   */
  readonly hasSynced: boolean;
  /** Resolves when {@link Queue.hasSynced} turns true; stays pending if it never does. */
  readonly synced: Promise<void>;
}

/** The queue is closed and has nothing left, or no longer takes writes. Code `LW_QUEUE_CLOSED`. */
export class QueueClosedError extends ListwatchError {
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
  override readonly name: string = "RequeueError";

  constructor(options?: ErrorOptions) {
    super("LW_REQUEUE", "The item is to be queued again", options);
  }
}
