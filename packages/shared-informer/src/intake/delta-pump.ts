import {
  QueueClosedError,
  type Clock,
  type PoppedDeltas,
  type RealFIFO,
} from "@listwatch/core-fifo";
import { BatchBudget, maxBatchKeys, onAborted } from "@listwatch/core-fifo/base";

/** Options of {@link pumpDeltas}. */
export interface DeltaPumpOptions {
  readonly clock: Clock;
  /** Ends the pump and closes the queue. Queued deltas stay in it. */
  readonly signal: AbortSignal;
}

/**
 * Takes one batch after the other from a queue and applies it. It yields to the event loop every 8
 * ms, so that a list of any size does not freeze the program.
 *
 * A batch cannot be interrupted, so its size is chosen beforehand: as many keys as fit into the
 * rest of the 8 ms at the cost per key of the previous batch, at most 1000. A single delta that
 * takes longer, such as a list, overruns the budget. While deltas wait, promises are only created
 * for the pauses.
 *
 * Resolves when the queue is closed and empty, or the signal is aborted.
 *
 * @param apply called with each batch, which is finished when its promise has settled
 * @throws the error of `apply`; that batch is lost
 */
export async function pumpDeltas<T>(
  queue: RealFIFO<T>,
  apply: (batch: PoppedDeltas<T>) => Promise<void> | undefined,
  { clock, signal }: DeltaPumpOptions,
): Promise<void> {
  const budget = new BatchBudget({ clock, maxItems: maxBatchKeys });
  // One listener for all waits. One for each would cost as much as a small event.
  const removeListener = onAborted(signal, () => queue.close());
  try {
    while (!signal.aborted) {
      const batch = queue.takeBatch({ maxKeys: budget.batchSize });
      if (batch === undefined) {
        budget.beginWait();
        await queue.waitForDeltas();
        budget.endWait();
        continue;
      }
      budget.beginBatch();
      const applying = apply(batch);
      if (applying !== undefined) await applying;
      if (budget.endBatch(batch.deltas.length)) await budget.nextTurn();
    }
  } catch (error) {
    if (!(error instanceof QueueClosedError)) throw error;
  } finally {
    removeListener();
  }
}
