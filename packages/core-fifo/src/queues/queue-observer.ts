import type { Clock } from "../base/clock.ts";
import { isPromiseLike } from "../base/values.ts";

/** The cost of one pop or one batch. */
export interface ProcessingReport {
  /** The queue's name. */
  readonly queue: string;
  /** How many deltas were processed. */
  readonly processed: number;
  /** How many items still waited when they were done. */
  readonly waiting: number;
  /** From the call of the processor until it was done, in milliseconds. */
  readonly durationMs: number;
  /**
   * Whether more than 10 items waited and the processor took more than 100 ms for each delta, or
   * more than 1 s for a batch, or more than 100 ms for the deltas of a `DeltaFIFO`: client-go's
   * thresholds for a trace, tools/cache/the_real_fifo.go and delta_fifo.go.
   */
  readonly isSlow: boolean;
}

/**
 * Watches a queue, for metrics and logs. Its methods must not throw; without one the queue reads no
 * clock.
 */
export interface QueueObserver {
  /** Called with the new length of the queue, after a write or a pop. */
  lengthChanged?(length: number): void;
  /** Called when a processor has succeeded or failed. */
  processed?(report: ProcessingReport): void;
}

export const slowMs = 100;
const slowBatchMs = 1000;
const fewItems = 10;

/** Begins to measure the processing of deltas; the function that it returns ends it. */
export function startReport(
  queue: { readonly name: string; readonly length: number },
  observer: QueueObserver,
  processed: number,
  clock: Clock,
  thresholdMs: number = Math.min(slowMs * processed, slowBatchMs),
): () => void {
  const startMs = clock.now();
  return () => {
    const durationMs = clock.now() - startMs;
    observer.processed?.({
      queue: queue.name,
      processed,
      waiting: queue.length,
      durationMs,
      isSlow: queue.length > fewItems && durationMs > thresholdMs,
    });
  };
}

/** Wraps a processor so that the observer is called with what each call cost. */
export function observe<Item extends readonly unknown[]>(
  process: (item: Item, isInInitialList: boolean) => void | Promise<void>,
  queue: { readonly name: string; readonly length: number },
  observer: QueueObserver,
  clock: Clock,
  thresholdMs?: number,
): (item: Item, isInInitialList: boolean) => void | Promise<void> {
  return (item, isInInitialList) => {
    const report = startReport(queue, observer, item.length, clock, thresholdMs);
    let outcome: void | Promise<void>;
    try {
      outcome = process(item, isInInitialList);
    } catch (error) {
      report();
      throw error;
    }
    if (isPromiseLike(outcome)) return Promise.resolve(outcome).finally(report);
    report();
    return undefined;
  };
}
