import type { Timer } from "@listwatch/core-fifo";
import { linkAbort, type LinkedAbort } from "@listwatch/core-fifo/base";
import { RetryWithDeadline } from "../services/retry.ts";
import type { Settings } from "../options/settings.ts";

type SessionSettings = Pick<Settings<never>, "clock" | "retry" | "watch"> & {
  readonly store: Pick<Settings<never>["store"], "resync">;
};

/**
 * State from the first watch request after a list to the next list, over all connections and waits
 * in between: the resync timer, and how long the server's internal errors have been retried.
 */
export class WatchSession {
  /** Retries after internal errors of the server in the stream. */
  readonly internalErrors: RetryWithDeadline;
  readonly #settings: SessionSettings;
  readonly #link: LinkedAbort;
  #timer: Timer | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(run: { readonly settings: SessionSettings; readonly signal: AbortSignal }) {
    const { settings, signal } = run;
    this.#settings = settings;
    this.#link = linkAbort(signal);
    this.internalErrors = new RetryWithDeadline(
      settings.retry.maxInternalErrorRetryMs,
      settings.clock,
    );
  }

  /** Aborted with the run, and when a resync has failed. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** Error of a failed resync, which ends the session. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Lets the store hand its objects out again, period by period. */
  startResync(): void {
    const { clock, store, watch } = this.#settings;
    if (watch.resyncMs === 0 || watch.resyncMs === Infinity || store.resync === undefined) return;
    this.#timer = clock.setTimeout(() => this.#resync(), watch.resyncMs);
  }

  /** Leaves no timer and no listener. */
  close(): void {
    this.#timer?.cancel();
    this.#link.release();
  }

  #resync(): void {
    const { store, watch } = this.#settings;
    try {
      if (watch.shouldResync()) store.resync?.();
    } catch (error) {
      this.#failure = { error };
      this.#link.abort(error);
      return;
    }
    // Only now, so that the period counts from the end of the resync (client-go
    // `startResync`, tools/cache/reflector.go).
    this.startResync();
  }
}
