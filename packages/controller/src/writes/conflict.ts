import { sleep, type Clock } from "@listwatch/core-fifo";
import { isConflict, type RequestOptions } from "@listwatch/client";
import { DelaySequence, type DelaySequenceOptions } from "@listwatch/workqueue";
import {
  aClock,
  aFunction,
  aNumber,
  aSignal,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link retryOnConflict}. */
export interface RetryOnConflictOptions {
  /**
   * Delays between the attempts. There are as many attempts as steps.
   *
   * @default 5 steps of 10 ms with 10 % jitter (client-go `retry.DefaultRetry`, util/retry/util.go)
   */
  readonly delays?:
    | (DelaySequenceOptions & {
        /** Maximum number of attempts, the first one included. */
        readonly steps: number;
      })
    | undefined;
  /**
   * Clock for the delays.
   *
   * @default the client's clock; systemClock for `retryOnConflict`, which has no client
   */
  readonly clock?: Clock | undefined;
  /**
   * Ends the wait for the next attempt, which rejects with the reason of the signal.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

/** Checks of {@link RetryOnConflictOptions}. */
export const conflictTable: OptionsOf<RetryOnConflictOptions> = {
  delays: {
    durationMs: aNumber(0),
    factor: aNumber(0),
    jitter: aNumber(0),
    steps: aNumber(1),
    capMs: aNumber(0),
    resetMs: aNumber(0),
    clock: aClock,
    random: aFunction,
  } satisfies OptionsOf<DelaySequenceOptions>,
  clock: aClock,
  signal: aSignal,
};

/** Required members of `delays`, if it is given. */
export const requiredDelays = ["delays.durationMs", "delays.steps"] as const;

/** @throws {InvalidOptionsError} if an option cannot be used */
export function checkConflictOptions(options: unknown): void {
  checkOptions(options, conflictTable, requiredDelays);
}

const defaultDelays = { durationMs: 10, factor: 1, jitter: 0.1, steps: 5 } as const;

/**
 * Calls `attempt`, which reads and writes an object, and repeats it while it fails with a conflict
 * because another client wrote in between (client-go `retry.RetryOnConflict`).
 *
 * @throws the conflict of the last attempt; any other error at once
 */
export async function retryOnConflict<R>(
  attempt: () => Promise<R>,
  options: RetryOnConflictOptions = {},
): Promise<R> {
  checkConflictOptions(options);
  const { delays = defaultDelays, clock, signal } = options;
  const sequence = new DelaySequence(delays);
  for (let left = delays.steps; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !isConflict(error)) throw error;
    }
    await sleep(sequence.next(), { clock, signal });
  }
}

/** The methods of a resource client that accept objects of any type. */
export interface ObjectPatcher<T> {
  readonly clock?: Clock | undefined;
  get(key: string, options: RequestOptions): Promise<T>;
  patch(key: string, patch: object, options: RequestOptions): Promise<T>;
  patchStatus(key: string, patch: object, options: RequestOptions): Promise<T>;
}
