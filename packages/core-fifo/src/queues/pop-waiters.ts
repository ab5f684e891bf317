import { QueueClosedError } from "./queue.ts";

interface Waiter {
  serve(): void;
  fail(reason: unknown): void;
}

/**
 * Consumers that wait for an item, in order of arrival.
 *
 * They are served in a microtask after the write, never inside it. A processor does not run in the
 * middle of a writer's work, and a batch contains everything that was written in one go.
 */
export class PopWaiters {
  readonly #waiters = new Set<Waiter>();
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
    return new Promise<R>((resolve, reject) => {
      const remove = (): void => {
        this.#waiters.delete(waiter);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter = {
        serve: () => {
          remove();
          try {
            resolve(take());
          } catch (error) {
            reject(error);
          }
        },
        fail: (reason) => {
          remove();
          reject(reason);
        },
      };
      const onAbort = (): void => waiter.fail(signal?.reason);
      this.#waiters.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Call it after each write. */
  notify(): void {
    if (this.#waiters.size === 0 || this.#isServiceScheduled) return;
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
    for (const waiter of this.#waiters) {
      // Another consumer may have taken the item since the write.
      if (this.#hasItem()) waiter.serve();
      else if (this.#isClosed) waiter.fail(closedError());
      else return;
    }
  }
}

function closedError(): QueueClosedError {
  return new QueueClosedError("Cannot pop: the queue is closed and empty");
}
