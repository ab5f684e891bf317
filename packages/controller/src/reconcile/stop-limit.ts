import type { Clock, Timer } from "@listwatch/core-fifo";

/** Time between two reports about reconciles that do not end. */
const repeatMs = 60_000;

/** Dependencies of a {@link StopLimit}. */
interface StopLimitParts {
  readonly clock: Clock;
  /** How long reconciles may continue after the stop. */
  readonly timeoutMs: number;
  /** Called at the limit. */
  readonly abort: () => void;
  /** Called after the abort, once reconciles that heed it have ended, and then each minute. */
  readonly report: () => void;
}

/** Time limit of a stop, with reports while it is exceeded. */
export class StopLimit {
  readonly #parts: StopLimitParts;
  #timer: Timer | undefined;

  constructor(parts: StopLimitParts) {
    this.#parts = parts;
  }

  /** Starts the time limit. Further calls do nothing. */
  start(): void {
    const { abort, clock, timeoutMs } = this.#parts;
    this.#timer ??= clock.setTimeout(() => {
      abort();
      // Reconciles that pass their signal to requests and waits end before the next turn.
      this.#timer = clock.setTimeout(this.#report, 0);
    }, timeoutMs);
  }

  /** Cancels the timer. Call it when no reconcile runs any more. */
  end(): void {
    this.#timer?.cancel();
  }

  readonly #report = (): void => {
    // Set first, so that it fires before the log repeats its line of a minute ago.
    this.#timer = this.#parts.clock.setTimeout(this.#report, repeatMs);
    this.#parts.report();
  };
}
