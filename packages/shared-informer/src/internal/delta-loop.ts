import type { Clock, PopProcessor, RealFIFO } from "@listwatch/core-fifo";
import type { SummaryMetric } from "@listwatch/reflector";
import { isThenable } from "./thenable.ts";
import { turnShareOf } from "./turn-share.ts";

/** What {@link runDeltaLoop} does with the deltas of a queue. */
export interface DeltaLoopOptions<T> {
  readonly queue: RealFIFO<T>;
  readonly clock: Clock;
  readonly processBatch: PopProcessor<T>;
  readonly processSingle: PopProcessor<T>;
  /** Gets the seconds that each batch took. */
  readonly latency: SummaryMetric | undefined;
  /** Called after each batch, also after one that failed; the next one waits for the promise it returns. */
  readonly afterBatch: () => Promise<void> | undefined;
  /** Gets what a processor throws; the loop goes on (CTL-2). */
  readonly onError: (error: unknown) => void;
}

/**
 * The one consumer of an informer's queue: takes batch after batch until the abort, and gives up the turn whenever its slice
 * of it is used up, so that no backlog of any size freezes the program. What is queued at the abort is left there (CTL-1).
 */
export async function runDeltaLoop<T>(
  options: DeltaLoopOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const { afterBatch, clock, latency, onError, queue } = options;
  const processBatch = timed(options.processBatch, clock, latency);
  const processSingle = timed(options.processSingle, clock, latency);
  const share = turnShareOf(clock);
  let sliceEndMs = 0;
  const aborted = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => aborted.resolve(), { once: true });
  while (!signal.aborted) {
    try {
      const popped = queue.popBatch(processBatch, processSingle, { signal });
      if (isThenable(popped)) {
        await popped;
        sliceEndMs = clock.now() + share.sliceMs;
      }
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
    }
    const room = afterBatch();
    if (room !== undefined) await Promise.race([room, aborted.promise]);
    if (clock.now() >= sliceEndMs) {
      await clock.nextTurn();
      sliceEndMs = clock.now() + share.sliceMs;
    }
  }
}

function timed<T>(
  process: PopProcessor<T>,
  clock: Clock,
  latency: SummaryMetric | undefined,
): PopProcessor<T> {
  if (latency === undefined) return process;
  return (deltas, isInInitialList) => {
    const startMs = clock.now();
    try {
      return process(deltas, isInInitialList);
    } finally {
      latency.observe((clock.now() - startMs) / 1000);
    }
  };
}
