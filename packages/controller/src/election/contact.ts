import type { Clock } from "@listwatch/core-fifo";
import { isAlreadyExists, isConflict } from "@listwatch/client";

/** Conflicts in a row that are normal: with many candidates each of them meets some. */
const normalConflicts = 5;

/** Whether an elector reaches its lease: when it last did, and what was in the way since then. */
export class Contact {
  readonly #clock: Clock;
  #lastMs = -Infinity;
  #conflicts = 0;
  #error: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For how long the lease has not been reached, in milliseconds. */
  get ageMs(): number {
    return this.#clock.now() - this.#lastMs;
  }

  /** The last failure since the lease was reached. */
  get error(): unknown {
    return this.#error;
  }

  /** To be called when the run begins: until the first answer the time counts from here. */
  begin(): void {
    this.#lastMs = this.#clock.now();
  }

  /** To be called when the server has answered what was asked. */
  reached(): void {
    this.#lastMs = this.#clock.now();
    this.#conflicts = 0;
    this.#error = undefined;
  }

  /**
   * Notes a failed request. Returns whether it is a failure and not the 409 of a candidate that
   * another one has overtaken.
   */
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
