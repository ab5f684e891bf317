import type { Clock, Timer } from "@listwatch/core-fifo";
import { NetworkError } from "@listwatch/client";
import { LinkedController } from "../internal/linked-controller.ts";

/** Options of a {@link RequestScope}. */
export interface RequestScopeOptions {
  readonly clock: Clock;
  /** The scope is aborted with it. */
  readonly parent: AbortSignal;
  /** Longest time a single wait may take; Infinity for none. */
  readonly silenceMs: number;
  /** What is silent, for the message. */
  readonly what: string;
}

/**
 * Lifetime of one request: its abort signal, its watchdog, its clean-up. Everything that the
 * request is awaited for goes through {@link wait}, which ends at once when the scope is aborted,
 * even if the transport ignores the signal.
 */
export class RequestScope {
  readonly #options: RequestScopeOptions;
  readonly #controller: LinkedController;
  #silenceMs: number;
  /**
   * When the wait in progress began; the watchdog looks only at that, so that a wait starts no
   * timer of its own.
   */
  #waitingSince: number | undefined;
  #failWait: ((reason: unknown) => void) | undefined;
  #watchdog: Timer | undefined;
  #deadline: Timer | undefined;

  constructor(options: RequestScopeOptions) {
    this.#options = options;
    this.#silenceMs = options.silenceMs;
    this.#controller = new LinkedController(options.parent);
    this.signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#guard(this.#silenceMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Allows another time of silence from now on. */
  set silenceMs(silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#guard(silenceMs);
  }

  /** Ends the scope when this much time has passed from now. */
  limit(limitMs: number): void {
    this.#deadline?.cancel();
    if (limitMs === Infinity) return;
    const { clock, what } = this.#options;
    this.#deadline = clock.setTimeout(() => {
      this.abort(
        new NetworkError("timeout", `${what}: still open ${limitMs} ms after its opening`),
      );
    }, limitMs);
  }

  /**
   * Settles as the promise does; rejects with the reason if the scope is aborted first. One wait at
   * a time.
   */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    this.#waitingSince = this.#options.clock.now();
    return this.pause(promise);
  }

  /** The same, for something that is not the server's fault: the watchdog does not look. */
  pause<T>(promise: PromiseLike<T>): Promise<T> {
    if (this.signal.aborted) {
      promise.then(undefined, () => undefined);
      return Promise.reject(this.signal.reason as unknown);
    }
    return new Promise((resolve, reject) => {
      this.#failWait = reject;
      promise.then(
        (value) => {
          this.#waitingSince = undefined;
          return resolve(value);
        },
        (error: unknown) => {
          this.#waitingSince = undefined;
          return reject(error);
        },
      );
    });
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Ends the request if it still runs, and leaves no timer and no listener. */
  close(): void {
    this.#controller.release();
    this.#watchdog?.cancel();
    this.#deadline?.cancel();
    this.abort(undefined);
  }

  readonly #onAbort = (): void => {
    this.#watchdog?.cancel();
    this.#deadline?.cancel();
    this.#waitingSince = undefined;
    this.#failWait?.(this.signal.reason);
  };

  #guard(delayMs: number): void {
    this.#watchdog?.cancel();
    if (delayMs === Infinity || this.signal.aborted) return;
    this.#watchdog = this.#options.clock.setTimeout(() => this.#look(), delayMs);
  }

  #look(): void {
    const { clock, what } = this.#options;
    // A pause that the reader takes on its own account is no silence of the server.
    const silentMs = this.#waitingSince === undefined ? 0 : clock.now() - this.#waitingSince;
    if (silentMs < this.#silenceMs) this.#guard(this.#silenceMs - silentMs);
    else this.abort(new NetworkError("timeout", `${what}: nothing came for ${silentMs} ms`));
  }
}
