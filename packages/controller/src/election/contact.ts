import type { Clock } from "@listwatch/core-fifo";
import { isAlreadyExists, isConflict } from "@listwatch/client";

/** Consecutive conflicts that are normal with many candidates. */
const normalConflicts = 5;

/** Records when an elector last reached its lease, and the last failure since then. */
export class Contact {
  readonly #clock: Clock;
  #lastMs = -Infinity;
  #conflicts = 0;
  #error: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Time since the lease was last reached, in milliseconds. */
  get ageMs(): number {
    return this.#clock.now() - this.#lastMs;
  }

  /** The last failure since then. */
  get error(): unknown {
    return this.#error;
  }

  /** Starts the time at the beginning of the run, before the first answer. */
  begin(): void {
    this.#lastMs = this.#clock.now();
  }

  /** Records an answer of the server. */
  reached(): void {
    this.#lastMs = this.#clock.now();
    this.#conflicts = 0;
    this.#error = undefined;
  }

  /** Records a failed request. Returns `false` for a normal 409: another candidate was faster. */
  failed(error: unknown): boolean {
    if (isConflict(error) || isAlreadyExists(error)) {
      this.#conflicts += 1;
      if (this.#conflicts <= normalConflicts) {
        this.#lastMs = this.#clock.now();
        return false;
      }
    }
    this.#error = error;
    return true;
  }
}
