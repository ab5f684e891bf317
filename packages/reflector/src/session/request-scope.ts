import { NetworkError } from "@listwatch/client";
import { translateError } from "@listwatch/client/base";
import type { Clock } from "@listwatch/core-fifo";
import {
  describeDuration,
  linkAbort,
  untilAborted,
  type LinkedAbort,
} from "@listwatch/core-fifo/base";
import { Deadline, type DeadlineMode } from "./deadline.ts";

/** Options of a {@link RequestScope}. */
export interface RequestScopeOptions {
  readonly clock: Clock;
  /** The scope is aborted with it. */
  readonly parent: AbortSignal | undefined;
  /**
   * Longest time that a single wait may take, or without progress if there is a goal, in
   * milliseconds; Infinity for none.
   */
  readonly silenceMs: number;
  /** Name of what has to arrive. Only {@link RequestScope.noteProgress} resets the limit then. */
  readonly goal?: string | undefined;
  /** Time after which the scope ends, in milliseconds. @default Infinity */
  readonly limitMs?: number | undefined;
  /** Description of the silent request, for the message. */
  readonly what: string;
}

/**
 * Lifetime of one request: its abort signal, its watchdog, its clean-up. Every wait for the server
 * goes through {@link wait}, which ends at once when the scope is aborted, even if the transport
 * ignores the signal.
 */
export class RequestScope {
  readonly #clock: Clock;
  readonly #what: string;
  readonly #goal: string | undefined;
  readonly #link: LinkedAbort;
  readonly #silence: Deadline;
  readonly #total: Deadline;
  #failWait: ((reason: unknown) => void) | undefined;

  constructor({ clock, goal, parent, silenceMs, limitMs = Infinity, what }: RequestScopeOptions) {
    this.#clock = clock;
    this.#what = what;
    this.#goal = goal;
    this.#link = linkAbort(parent);
    const failWait = (): void => this.#failWait?.(this.signal.reason);
    this.signal.addEventListener("abort", failWait, { once: true });
    const end = (mode: DeadlineMode, passedMs: number): void => this.#end(mode, passedMs);
    this.#silence = new Deadline(clock, end);
    this.#silence.start(goal === undefined ? "idle" : "progress", silenceMs);
    this.#total = new Deadline(clock, end);
    this.#total.start("total", limitMs);
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** When the wait in progress, or one that began now, has taken too long. */
  get silentUntilMs(): number {
    return this.#silence.untilMs;
  }

  /**
   * Settles as the promise does; rejects with the reason if the scope is aborted first. One wait at
   * a time: so one listener serves them all, where one for each would cost more than an event.
   */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    if (this.signal.aborted) return untilAborted(promise, this.signal);
    this.beginSilence();
    return new Promise((resolve, reject) => {
      this.#failWait = reject;
      promise.then(
        (value) => {
          this.endSilence();
          return resolve(value);
        },
        (error: unknown) => {
          this.endSilence();
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
  beginSilence(): void {
    this.#silence.beginWait();
  }

  /** Called when it has. */
  endSilence(): void {
    this.#silence.endWait();
  }

  /** Called when the goal has come nearer. */
  noteProgress(): void {
    this.#silence.noteProgress();
  }

  /** Without a goal and with another time of silence from now on. */
  setSilence(silenceMs: number): void {
    this.#silence.start("idle", silenceMs);
  }

  /** Ends the request if it still runs, and leaves no timer and no listener. */
  close(reason?: unknown): void {
    this.#silence.cancel();
    this.#total.cancel();
    this.#link.abort(reason);
  }

  #end(mode: DeadlineMode, passedMs: number): void {
    if (this.signal.aborted) return;
    const time = describeDuration(passedMs);
    const expected = mode === "idle" ? "nothing" : `no ${this.#goal}`;
    const text =
      mode === "total" ? `still open ${time} after its opening` : `${expected} arrived for ${time}`;
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
