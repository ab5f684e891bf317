import {
  isPromiseLike,
  aNumber,
  anInteger,
  aSignal,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link parallelize}. */
export interface ParallelizeOptions {
  /** Maximum number of concurrent calls. */
  readonly workers: number;
  /**
   * Number of pieces that a worker takes at once; less than 1 counts as 1.
   *
   * @default 1
   */
  readonly chunkSize?: number | undefined;
  /** Stops further pieces when aborted. Pieces in progress are awaited. @default none */
  readonly signal?: AbortSignal | undefined;
}

const parallelizeTable: OptionsOf<ParallelizeOptions> = {
  workers: anInteger(1),
  chunkSize: aNumber(),
  signal: aSignal,
};

/**
 * Calls `work` with the numbers from 0 to `pieces` − 1, several at a time (client-go
 * `ParallelizeUntil`, util/workqueue/parallelizer.go). Each number is used at most once, and
 * exactly once unless the signal is aborted or a piece fails. Settles when all workers have ended.
 *
 * @throws the error of the first failing piece, after the pieces in progress have ended; later
 *   pieces are not started
 */
export async function parallelize(
  pieces: number,
  work: (piece: number) => unknown,
  options: ParallelizeOptions,
): Promise<void> {
  checkOptions(options, parallelizeTable, ["workers"]);
  const { workers, signal } = options;
  const chunkSize = Math.max(1, options.chunkSize ?? 1);
  const failures: unknown[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < pieces) {
      const end = Math.min(next + chunkSize, pieces);
      const start = next;
      next = end;
      for (let piece = start; piece < end; piece += 1) {
        if (signal?.aborted === true || failures.length > 0) return;
        try {
          const pending = work(piece);
          if (isPromiseLike(pending)) await pending;
        } catch (error) {
          failures.push(error);
        }
      }
    }
  };
  const count = Math.min(workers, Math.ceil(pieces / chunkSize));
  await Promise.all(Array.from({ length: count }, run));
  if (failures.length > 0) throw failures[0];
}
