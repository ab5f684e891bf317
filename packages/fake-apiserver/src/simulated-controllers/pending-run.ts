import type { Clock } from "@listwatch/core-fifo/base";

/** When what a simulated controller has to do after a write is done. */
export type ControllerPace = "controller" | "instant";

// About what the controllers of a real cluster need.
const controllerDelayMs = 100;

/** The work of a simulated controller that writes have made necessary, done once for all of them. */
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

  /** Has the work done soon, but not before the write that leads here has ended. */
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
