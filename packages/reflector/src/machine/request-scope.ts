import { NetworkError } from "@listwatch/client";
import { translateError } from "@listwatch/client/base";
import type { Clock, Timer } from "@listwatch/core-fifo";
import {
  describeDuration,
  linkAbort,
  untilAborted,
  type LinkedAbort,
} from "@listwatch/core-fifo/base";

/** Options of a {@link RequestScope}. */
export interface RequestScopeOptions {
  readonly clock: Clock;
  /** The scope is aborted with it. */
  readonly parent: AbortSignal | undefined;
  /** Longest time a single wait may take, in milliseconds; Infinity for none. */
  readonly silenceMs: number;
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
  readonly #link: LinkedAbort;
  readonly #deadline: Timer | undefined;
  #silenceMs: number;
  /** Start of the current wait. The watchdog only reads this, so that waits start no timers. */
  #waitingSinceMs: number | undefined;
  #failWait: ((reason: unknown) => void) | undefined;
  #watchdog: Timer | undefined;

  constructor({ clock, parent, silenceMs, limitMs = Infinity, what }: RequestScopeOptions) {
    this.#clock = clock;
    this.#what = what;
    this.#silenceMs = silenceMs;
    this.#link = linkAbort(parent);
    const failWait = (): void => this.#failWait?.(this.signal.reason);
    this.signal.addEventListener("abort", failWait, { once: true });
    this.#arm(silenceMs);
    if (limitMs === Infinity) return;
    this.#deadline = clock.setTimeout(() => {
      this.#fail(`still open ${describeDuration(limitMs)} after its opening`);
    }, limitMs);
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** When the wait in progress, or one that began now, has taken too long. */
  get silentUntilMs(): number {
    return (this.#waitingSinceMs ?? this.#clock.now()) + this.#silenceMs;
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
    this.#waitingSinceMs = this.#clock.now();
  }

  /** Called when it has. */
  endSilence(): void {
    this.#waitingSinceMs = undefined;
  }

  /** Allows another time of silence from now on. */
  setSilence(silenceMs: number): void {
    this.#silenceMs = silenceMs;
    this.#arm(silenceMs);
  }

  /** Ends the request if it still runs, and leaves no timer and no listener. */
  close(reason?: unknown): void {
    this.#watchdog?.cancel();
    this.#deadline?.cancel();
    this.#link.abort(reason);
  }

  #arm(delayMs: number): void {
    this.#watchdog?.cancel();
    if (delayMs === Infinity) return;
    this.#watchdog = this.#clock.setTimeout(() => this.#checkSilence(), delayMs);
  }

  #checkSilence(): void {
    if (this.signal.aborted) return;
    // While nothing is read, as when the store has no room, nothing is expected of the server.
    const since = this.#waitingSinceMs;
    const silentMs = since === undefined ? 0 : this.#clock.now() - since;
    if (silentMs < this.#silenceMs) this.#arm(this.#silenceMs - silentMs);
    else this.#fail(`nothing arrived for ${describeDuration(silentMs)}`);
  }

  #fail(text: string): void {
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
