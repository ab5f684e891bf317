import type { Clock } from "../base/clock.ts";
import { isPromiseLike } from "../base/values.ts";

/** Cost of one pop or one batch. */
export interface ProcessingReport {
  /** Name of the queue. */
  readonly queue: string;
  /** Number of processed deltas. */
  readonly processed: number;
  /** Number of items that still waited after that. */
  readonly waiting: number;
  /** Duration of the processor, in milliseconds. */
  readonly durationMs: number;
  /**
   * Whether more than 10 items waited, and the processor took more than 100 ms for each delta, more
   * than 1 s for a batch, or more than 100 ms for the deltas of a `DeltaFIFO`. These are
   * client-go's thresholds for a trace, tools/cache/the_real_fifo.go and delta_fifo.go.
   */
  readonly isSlow: boolean;
}

/**
 * Observes a queue, for metrics and logs. Its methods must not throw. Without an observer the queue
 * reads no clock.
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

/** Starts to measure the processing of deltas. The returned function ends the measurement. */
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

/** Wraps a processor, so that the observer is called with the cost of each call. */
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
