import {
  describeDuration,
  linkAbort,
  untilAborted,
  type Clock,
  type LinkedAbort,
} from "@listwatch/core-fifo/base";
import { NetworkError } from "../errors/network-error.ts";

/** Options of an {@link IdleLimit}. */
export interface IdleLimitOptions {
  readonly clock: Clock;
  /** Longest wait for the next byte, in milliseconds; Infinity for no limit. */
  readonly idleMs: number;
  /** Start of error messages. */
  readonly attempted: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Ends a stream in which no byte arrives for too long. A half-open connection would keep its reader
 * waiting forever. Time in which the reader is busy does not count.
 */
export class IdleLimit {
  readonly #options: IdleLimitOptions;
  readonly #link: LinkedAbort;

  constructor(options: IdleLimitOptions) {
    this.#options = options;
    this.#link = linkAbort(options.signal);
  }

  /** Aborted when a wait takes too long, and with the signal of the options. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /**
   * Waits for the response, or for its next bytes.
   *
   * @throws {NetworkError} of kind `timeout` if they do not arrive in time; the reason of the
   *   signal
   */
  async wait<R>(next: Promise<R>): Promise<R> {
    const { clock, idleMs, attempted } = this.#options;
    const late = (): void => {
      const text = `${attempted}: no byte within ${describeDuration(idleMs)}`;
      this.#link.abort(new NetworkError("timeout", text));
    };
    const timer = idleMs === Infinity ? undefined : clock.setTimeout(late, idleMs);
    try {
      return await untilAborted(next, this.signal);
    } finally {
      timer?.cancel();
    }
  }

  /** Removes all listeners. */
  end(): void {
    this.#link.release();
  }
}
