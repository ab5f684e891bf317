import type { Clock, Timer } from "@listwatch/core-fifo";

/** How often reconciles that do not end are reported. */
const repeatMs = 60_000;

/** What a {@link StopLimit} needs. */
interface StopLimitParts {
  readonly clock: Clock;
  /** How long reconciles may go on after the stop. */
  readonly timeoutMs: number;
  /** Called at the limit. */
  readonly abort: () => void;
  /** Called when what heeds the abort has ended, and then once a minute. */
  readonly report: () => void;
}

/** The time limit of a stop, and what is said as long as it is exceeded. */
export class StopLimit {
  readonly #parts: StopLimitParts;
  #timer: Timer | undefined;

  constructor(parts: StopLimitParts) {
    this.#parts = parts;
  }

  /** Notes the stop; the first one counts. */
  start(): void {
    const { abort, clock, timeoutMs } = this.#parts;
    this.#timer ??= clock.setTimeout(() => {
      abort();
      // What passes its signal on to requests and waits ends before the next turn.
      this.#timer = clock.setTimeout(this.#report, 0);
    }, timeoutMs);
  }

  /** To be called when nothing runs any more: no timer is left. */
  end(): void {
    this.#timer?.cancel();
  }

  readonly #report = (): void => {
    // Set first, so that it fires before the log repeats what it got a minute ago.
    this.#timer = this.#parts.clock.setTimeout(this.#report, repeatMs);
    this.#parts.report();
  };
}
