import type { Clock } from "../base/clock.ts";
import { TimeBudget } from "../base/time-budget.ts";
import type { Deltas } from "../delta/delta.ts";
import { QueueClosedError } from "./errors.ts";
import type { PopOptions, PopProcessor } from "./queue.ts";
import { maxBatchKeys, type PopBatchOptions } from "./real-fifo-options.ts";

/** A queue whose deltas can be taken in batches, such as a {@link RealFIFO}. */
export interface BatchQueue<T> {
  popBatch(
    processBatch: PopProcessor<T>,
    processSingle: PopProcessor<T>,
    options?: PopBatchOptions,
  ): Deltas<T> | Promise<Deltas<T>>;
}

/** Options of {@link drain}. */
export interface DrainOptions<T> extends PopOptions {
  /** Called with a batch of deltas of distinct objects. */
  readonly processBatch: PopProcessor<T>;
  /** Called with a delta that comes alone. */
  readonly processSingle: PopProcessor<T>;
  /**
   * Milliseconds of work without a turn of the event loop.
   *
   * @default 8, half a frame at 60 Hz
   */
  readonly budgetMs?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Consumes a queue in slices of limited time: pops batch after batch, and lets the event loop turn
 * when the budget is used up, so that a list of any size does not freeze the program.
 *
 * A synchronous batch cannot be interrupted, so its size is chosen beforehand: as many keys as fit
 * in the rest of the slice at the cost per key of the batch before, at most 1000. A single delta
 * that takes longer, such as an atomic replace, overruns the budget. While items are there, no
 * promise is made but for the turns.
 *
 * Resolves when the queue is closed and empty, or the signal is aborted. Items that are queued then
 * stay there.
 *
 * @throws what a processor throws; its items are gone, and the next call goes on with the rest
 */
export async function drain<T>(queue: BatchQueue<T>, options: DrainOptions<T>): Promise<void> {
  const { budgetMs, clock, signal } = options;
  const budget = new TimeBudget({ clock, limitMs: budgetMs, maxItems: maxBatchKeys });
  const begun =
    (process: PopProcessor<T>): PopProcessor<T> =>
    (deltas, isInInitialList) => {
      // Not before the pop: it may have waited.
      budget.beginBatch();
      return process(deltas, isInInitialList);
    };
  const processBatch = begun(options.processBatch);
  const processSingle = begun(options.processSingle);
  for (;;) {
    let deltas: Deltas<T>;
    try {
      const maxKeys = budget.batchSize;
      const popped = queue.popBatch(processBatch, processSingle, { signal, maxKeys });
      deltas = popped instanceof Promise ? await popped : popped;
    } catch (error) {
      if (error instanceof QueueClosedError) return;
      if (signal?.aborted === true && error === signal.reason) return;
      throw error;
    }
    if (budget.endBatch(deltas.length)) await budget.nextTurn();
  }
}
