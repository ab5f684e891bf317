import type { Clock } from "@listwatch/core-fifo/base";

/** Delay of a simulated controller's work after a write. */
export type ControllerPace = "controller" | "instant";

// Approximate delay of controllers in a real cluster.
const controllerDelayMs = 100;

/** Runs a simulated controller's work once for several writes. */
export class PendingRun {
  readonly #clock: Clock;
  readonly #pace: ControllerPace;
  readonly #run: () => void;
  #isPending = false;

  constructor(clock: Clock, pace: ControllerPace, run: () => void) {
    this.#clock = clock;
    this.#pace = pace;
    this.#run = run;
  }

  /** Schedules the work, after the current write at the earliest. */
  request(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    const run = (): void => {
      this.#isPending = false;
      this.#run();
    };
    if (this.#pace === "instant") queueMicrotask(run);
    else this.#clock.setTimeout(run, controllerDelayMs);
  }
}
