import {
  describeDuration,
  linkAbort,
  type Clock,
  type LinkedAbort,
  type Timer,
} from "@listwatch/core-fifo/base";
import { NetworkError } from "../errors/network-error.ts";

/** Options of a {@link ListLimit}. */
export interface ListLimitOptions {
  readonly clock: Clock;
  /** Longest time without an object, in milliseconds; Infinity for no limit. */
  readonly timeoutMs: number;
  /** Longest time in all, in milliseconds; Infinity for no limit. */
  readonly totalTimeoutMs: number;
  /** Start of error messages. */
  readonly attempted: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Ends a list of which no object arrives for too long, or that takes too long in all. Bytes do not
 * count: a server or proxy can send spaces for days. The delays between attempts count.
 */
export class ListLimit {
  readonly #options: ListLimitOptions;
  readonly #link: LinkedAbort;
  readonly #totalEndMs: number;
  readonly #total: Timer | undefined;
  #endMs: number;
  #timer: Timer | undefined;

  constructor(options: ListLimitOptions) {
    const { clock, signal, timeoutMs, totalTimeoutMs } = options;
    this.#options = options;
    this.#link = linkAbort(signal);
    this.#endMs = clock.now() + timeoutMs;
    this.#totalEndMs = clock.now() + totalTimeoutMs;
    this.#arm();
    if (totalTimeoutMs === Infinity) return;
    const late = (): void =>
      this.#fail(`the list is incomplete after ${describeDuration(totalTimeoutMs)}`);
    this.#total = clock.setTimeout(late, totalTimeoutMs);
  }

  /** Aborted at the limit, and with the signal of the options. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** Time at which the list ends unless objects arrive. */
  get endMs(): number {
    return Math.min(this.#endMs, this.#totalEndMs);
  }

  /** Called when objects have arrived. Starts no timer, since it is called for each batch. */
  noteObjects(): void {
    this.#endMs = this.#options.clock.now() + this.#options.timeoutMs;
  }

  /** Removes all timers and listeners. */
  end(): void {
    this.#timer?.cancel();
    this.#total?.cancel();
    this.#link.release();
  }

  #arm(): void {
    if (this.#endMs === Infinity) return;
    const { clock, timeoutMs } = this.#options;
    this.#timer = clock.setTimeout(() => {
      if (clock.now() < this.#endMs) this.#arm();
      else this.#fail(`no object within ${describeDuration(timeoutMs)}`);
    }, this.#endMs - clock.now());
  }

  #fail(text: string): void {
    this.#link.abort(new NetworkError("timeout", `${this.#options.attempted}: ${text}`));
  }
}
