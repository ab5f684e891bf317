import { NetworkError } from "@listwatch/client";
import { translateError } from "@listwatch/client/base";
import type { Clock, Timer } from "@listwatch/core-fifo";
import {
  describeDuration,
  linkAbort,
  untilAborted,
  type LinkedAbort,
} from "@listwatch/core-fifo/base";

/** Options of a {@link Deadline}. */
export interface DeadlineOptions {
  readonly clock: Clock;
  /** The request is aborted with it. */
  readonly parent: AbortSignal | undefined;
  /** Limit of the mode `idle`, or of `progress` if there is a goal, in ms; Infinity for none. */
  readonly silenceMs: number;
  /** Name of what has to arrive. Only {@link Deadline.noteProgress} resets the limit then. */
  readonly goal?: string | undefined;
  /** Limit of the mode `total`, in milliseconds. @default Infinity */
  readonly limitMs?: number | undefined;
  /** Description of the request, for the message. */
  readonly what: string;
}

/**
 * Time limits of one request, with its abort signal and its clean-up. They count:
 *
 * - `idle`: the current wait for the server, which any arrival ends
 * - `progress`: the time since the goal of the request came nearer, whatever else arrives
 * - `total`: the time since the start, whatever arrives
 *
 * Every wait for the server goes through {@link wait}, which ends at once when a limit has passed,
 * even if the transport ignores the signal.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #what: string;
  readonly #goal: string | undefined;
  readonly #link: LinkedAbort;
  readonly #startMs: number;
  readonly #totalMs: number;
  #mode: "idle" | "progress";
  #silenceMs: number;
  /** `undefined` while nothing is expected. The timer only reads this: a reset starts no timer. */
  #sinceMs: number | undefined;
  #timer: Timer | undefined;
  #failWait: ((reason: unknown) => void) | undefined;

  constructor({ clock, goal, parent, silenceMs, limitMs = Infinity, what }: DeadlineOptions) {
    this.#clock = clock;
    this.#what = what;
    this.#goal = goal;
    this.#link = linkAbort(parent);
    const failWait = (): void => this.#failWait?.(this.signal.reason);
    this.signal.addEventListener("abort", failWait, { once: true });
    this.#startMs = clock.now();
    this.#totalMs = limitMs;
    this.#mode = goal === undefined ? "idle" : "progress";
    this.#silenceMs = silenceMs;
    if (goal !== undefined) this.#sinceMs = this.#startMs;
    this.#check();
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** When the wait in progress, or one that began now, has taken too long. */
  get silentUntilMs(): number {
    return (this.#sinceMs ?? this.#clock.now()) + this.#silenceMs;
  }

  /**
   * Settles as the promise does; rejects with the reason if the request is aborted first. One wait
   * at a time: so one listener serves them all, where one for each would cost more than an event.
   */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    if (this.signal.aborted) return untilAborted(promise, this.signal);
    this.beginWait();
    return new Promise((resolve, reject) => {
      this.#failWait = reject;
      promise.then(
        (value) => {
          this.endWait();
          return resolve(value);
        },
        (error: unknown) => {
          this.endWait();
          return reject(error);
        },
      );
    });
  }

  /** Like {@link wait}, for what the source does: errors of other transports are translated. */
  async ask<T>(promise: PromiseLike<T>): Promise<T> {
    try {
      return await this.wait(promise);
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** Returns an error of the source as one that the reflector can classify. */
  translate(error: unknown): unknown {
    return this.signal.aborted ? error : translateError(error, this.#what, this.#clock.now());
  }

  /** Called when the server is to send something, in a {@link wait} for several arrivals. */
  beginWait(): void {
    if (this.#mode === "idle") this.#sinceMs = this.#clock.now();
  }

  /** Called when it has. */
  endWait(): void {
    if (this.#mode === "idle") this.#sinceMs = undefined;
  }

  /** Called when the goal has come nearer. */
  noteProgress(): void {
    if (this.#mode === "progress") this.#sinceMs = this.#clock.now();
  }

  /** Counts idle time from now on, with another limit: the goal is reached. */
  setIdle(silenceMs: number): void {
    this.#mode = "idle";
    this.#silenceMs = silenceMs;
    this.#sinceMs = undefined;
    this.#timer?.cancel();
    this.#check();
  }

  /** Ends the request if it still runs, and leaves no timer and no listener. */
  close(reason?: unknown): void {
    this.#timer?.cancel();
    this.#link.abort(reason);
  }

  /** Ends the request if a limit has passed, or looks again when the next one can have. */
  #check(): void {
    const now = this.#clock.now();
    const silentMs = this.#sinceMs === undefined ? 0 : now - this.#sinceMs;
    const openMs = now - this.#startMs;
    if (silentMs >= this.#silenceMs) {
      const expected = this.#mode === "idle" ? "nothing" : `no ${this.#goal}`;
      this.#end(`${expected} arrived for ${describeDuration(silentMs)}`);
    } else if (openMs >= this.#totalMs) {
      this.#end(`still open ${describeDuration(openMs)} after its opening`);
    } else {
      const leftMs = Math.min(this.#silenceMs - silentMs, this.#totalMs - openMs);
      if (leftMs === Infinity) return;
      this.#timer = this.#clock.setTimeout(() => this.#check(), leftMs);
    }
  }

  #end(text: string): void {
    if (this.signal.aborted) return;
    this.close(new NetworkError("timeout", `${this.#what}: ${text}`));
  }
}

/**
 * Ends an iteration early. Does not wait for the iterator: a generator that sits in a read ends
 * only when that read does, and what it throws then has no reader.
 */
export function returnIterator(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().then(undefined, () => undefined);
}
