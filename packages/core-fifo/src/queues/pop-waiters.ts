import { WaitQueue } from "../base/wait-queue.ts";
import { QueueClosedError } from "./queue.ts";

/**
 * Consumers that wait for an item, in order of arrival.
 *
 * They are served in a microtask after the write, never inside it. A processor does not run in the
 * middle of a writer's work, and a batch contains everything that was written in one go.
 */
export class PopWaiters {
  readonly #waits = new WaitQueue<unknown, () => unknown>();
  readonly #hasItem: () => boolean;
  #isClosed = false;
  #isServiceScheduled = false;

  constructor(hasItem: () => boolean) {
    this.#hasItem = hasItem;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Waits for an item, then resolves with the result of `take`.
   *
   * @throws {QueueClosedError} if the queue is closed
   */
  wait<R>(take: () => R | Promise<R>, signal: AbortSignal | undefined): Promise<R> {
    if (this.#isClosed) throw closedError();
    // The wait ends with the result of this function.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#waits.wait(signal, take) as Promise<R>;
  }

  /** Call it after each write. */
  notify(): void {
    if (this.#waits.length === 0 || this.#isServiceScheduled) return;
    this.#isServiceScheduled = true;
    queueMicrotask(() => {
      this.#isServiceScheduled = false;
      this.#serve();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.notify();
  }

  #serve(): void {
    for (const wait of this.#waits) {
      // Another consumer may have taken the item since the write.
      if (this.#hasItem()) wait.settle(wait.wanted);
      else if (this.#isClosed) wait.reject(closedError());
      else return;
    }
  }
}

function closedError(): QueueClosedError {
  return new QueueClosedError("Cannot pop: the queue is closed and empty");
}
