import { provideDispose } from "@listwatch/core-fifo/base";
import type { ItemKey } from "../limiters/rate-limiters.ts";
import type { WaitingItem } from "../orderings/ordering.ts";

provideDispose();

/**
 * An item that a worker is processing. No other worker gets it until it is done.
 *
 * ```ts
 * import { WorkQueue } from "@listwatch/workqueue";
 *
 * const queue = new WorkQueue<string>();
 * queue.add("default/web");
 * {
 *   using work = await queue.get();
 *   console.assert(work?.item === "default/web");
 * } // done here, also when the block throws
 * ```
 */
export interface WorkItem<T> extends Disposable {
  /** Item to process. It is not handed out again until this work item is disposed of. */
  readonly item: T;
  /**
   * The priority with which the item left the queue. After it was added again, the priority of its
   * next round.
   */
  readonly priority: number;
}

type State = "waiting" | "processing" | "again" | "ended";

/**
 * An item from `add` to `done`, the handle that a worker gets, and the node in the ordering. One
 * object for all three saves look-ups and memory.
 *
 * ```
 *   waiting ──take──▶ processing ──add──▶ again
 *                         └─────end─────────┴──▶ ended; after `again`, a new entry waits
 * ```
 */
export class Entry<T> implements WorkItem<T>, WaitingItem<T> {
  readonly item: T;
  readonly key: ItemKey;
  readonly sequence: number;
  place = 0;
  #state: State = "waiting";
  #priority: number;
  readonly #onDone: (entry: Entry<T>) => void;

  constructor(
    item: T,
    key: ItemKey,
    priority: number,
    sequence: number,
    onDone: (entry: Entry<T>) => void,
  ) {
    this.item = item;
    this.key = key;
    this.sequence = sequence;
    this.#priority = priority;
    this.#onDone = onDone;
  }

  /** The entry behind an item that an ordering returned. */
  static of<T>(waiting: WaitingItem<T> | undefined): Entry<T> | undefined {
    return waiting instanceof Entry ? waiting : undefined;
  }

  get state(): State {
    return this.#state;
  }

  /** Priority of the current round; in state `again`, of the next one. */
  get priority(): number {
    return this.#priority;
  }

  /** Whether the item will be processed, now or once more. */
  get isPending(): boolean {
    return this.#state === "waiting" || this.#state === "again";
  }

  take(): void {
    this.#state = "processing";
  }

  /**
   * Records another add, which counts for a later round or merges with an earlier add. Returns
   * whether the priority rose.
   */
  addAgain(priority: number): boolean {
    if (this.#state === "processing") {
      this.#state = "again";
      this.#priority = priority;
      return false;
    }
    if (this.#priority >= priority) return false;
    this.#priority = priority;
    return true;
  }

  end(): void {
    this.#state = "ended";
  }

  [Symbol.dispose](): void {
    this.#onDone(this);
  }
}
