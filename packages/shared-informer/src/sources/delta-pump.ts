import {
  QueueClosedError,
  type Clock,
  type PoppedDeltas,
  type RealFIFO,
} from "@listwatch/core-fifo";
import { TimeBudget } from "@listwatch/core-fifo/base";

/** The most keys of one batch: client-go `defaultBatchSize`, tools/cache/the_real_fifo.go. */
const maxBatchKeys = 1000;

/** Options of {@link pumpDeltas}. */
export interface DeltaPumpOptions {
  readonly clock: Clock;
  /** Ends the pump; what is queued then stays there. */
  readonly signal: AbortSignal;
}

/**
 * Takes batch after batch from a queue and applies it, and lets the event loop turn every 8 ms, so
 * that a list of any size does not freeze the program.
 *
 * A batch cannot be interrupted, so its size is chosen beforehand: as many keys as fit in the rest
 * of the 8 ms at the cost per key of the batch before, at most 1000. A single delta that takes
 * longer, such as a list, overruns the budget. While deltas are there, no promise is made but for
 * the turns.
 *
 * Resolves when the queue is closed and empty, or the signal is aborted.
 *
 * @param apply called with each batch, which counts as finished when its promise has settled
 * @throws what `apply` throws; the batch is gone then
 */
export async function pumpDeltas<T>(
  queue: RealFIFO<T>,
  apply: (batch: PoppedDeltas<T>) => Promise<void> | undefined,
  { clock, signal }: DeltaPumpOptions,
): Promise<void> {
  const budget = new TimeBudget({ clock, maxItems: maxBatchKeys });
  while (!signal.aborted) {
    const batch = queue.takeBatch({ maxKeys: budget.batchSize });
    if (batch === undefined) {
      if (!(await waitForDeltas(queue, signal))) return;
      continue;
    }
    budget.beginBatch();
    const applying = apply(batch);
    if (applying !== undefined) await applying;
    if (budget.endBatch(batch.deltas.length)) await budget.nextTurn();
  }
}

/** Returns whether the pump goes on. */
async function waitForDeltas<T>(queue: RealFIFO<T>, signal: AbortSignal): Promise<boolean> {
  try {
    await queue.waitForDeltas({ signal });
    return true;
  } catch (error) {
    if (error instanceof QueueClosedError || signal.aborted) return false;
    throw error;
  }
}
