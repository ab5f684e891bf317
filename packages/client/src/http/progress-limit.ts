import {
  describeBytes,
  describeDuration,
  linkAbort,
  untilAborted,
  type Clock,
  type LinkedAbort,
  type Timer,
} from "@listwatch/core-fifo/base";
import { NetworkError } from "../errors/network-error.ts";

/** Minimum progress of a response per waiting time. */
export interface ListProgress {
  /** Number of bytes that must arrive within each waiting time. @default 32_768 */
  readonly bytes?: number | undefined;
  /** Waiting time, in milliseconds. @default 120_000 */
  readonly withinMs?: number | undefined;
}

/** A fifteenth of the slowest mobile networks' rate, and longer than any watchdog for silence. */
const defaults = { bytes: 32 * 1024, withinMs: 120_000 };

/** Shortest timer, in milliseconds. */
const leastWaitMs = 100;

/**
 * Ends a request whose response arrives too slowly: each byte is a sign of life, but all of them
 * could take days. Only waiting time counts, not the time in which the reader is busy.
 */
export class ProgressLimit {
  readonly #clock: Clock;
  readonly #attempted: string;
  readonly #bytes: number;
  readonly #withinMs: number;
  readonly #link: LinkedAbort;
  #arrived = 0;
  #waitedMs = 0;
  #waitingSinceMs: number | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock, attempted: string, parent: AbortSignal, progress: ListProgress = {}) {
    this.#clock = clock;
    this.#attempted = attempted;
    this.#bytes = progress.bytes ?? defaults.bytes;
    this.#withinMs = progress.withinMs ?? defaults.withinMs;
    this.#link = linkAbort(parent);
    this.signal.addEventListener("abort", () => this.#disarm(), { once: true });
  }

  /** Aborted when the request makes too little progress, and with the parent. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** Waits for the beginning of the response. Ends the request if it does not arrive. */
  async opened<R>(answer: Promise<R>): Promise<R> {
    this.beginWait();
    try {
      const opened = await untilAborted(answer, this.signal);
      this.endWait(0);
      this.#disarm();
      return opened;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Call it before waiting for the next bytes. */
  beginWait(): void {
    this.#waitingSinceMs = this.#clock.now();
    if (this.#timer === undefined && !this.signal.aborted) this.#arm();
  }

  /** Call it when they have arrived. */
  endWait(bytes: number): void {
    this.#waitedMs = this.#waited;
    this.#waitingSinceMs = undefined;
    this.#arrived += bytes;
  }

  /** Removes all timers and listeners. */
  end(): void {
    this.#disarm();
    this.#link.release();
  }

  get #waited(): number {
    const since = this.#waitingSinceMs;
    return this.#waitedMs + (since === undefined ? 0 : this.#clock.now() - since);
  }

  #arm(): void {
    const leftMs = Math.max(this.#withinMs - this.#waited, leastWaitMs);
    if (leftMs !== Infinity) this.#timer = this.#clock.setTimeout(() => this.#check(), leftMs);
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #check(): void {
    this.#timer = undefined;
    // The next wait arms it again.
    if (this.#waitingSinceMs === undefined) return;
    if (this.#waited >= this.#withinMs) {
      if (this.#arrived < this.#bytes) return this.#fail();
      this.#arrived = 0;
      this.#waitedMs = 0;
      this.#waitingSinceMs = this.#clock.now();
    }
    this.#arm();
  }

  #fail(): void {
    const expected = `${describeBytes(this.#bytes)} within ${describeDuration(this.#withinMs)}`;
    const text = `expected ${expected} at least, got ${describeBytes(this.#arrived)}`;
    this.#link.abort(new NetworkError("timeout", `${this.#attempted}: ${text}`));
  }
}
