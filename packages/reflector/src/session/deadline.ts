import type { Clock, Timer } from "@listwatch/core-fifo";

/**
 * Time that a limit counts:
 *
 * - `idle`: the current wait for the server, which any arrival ends
 * - `progress`: the time since the goal of the state came nearer, whatever else arrives
 * - `total`: the time since the start, whatever arrives
 */
export type DeadlineMode = "idle" | "progress" | "total";

/** Time limit of a state. Only the goal of its mode resets it. */
export class Deadline {
  readonly #clock: Clock;
  readonly #onPassed: (mode: DeadlineMode, passedMs: number) => void;
  #mode: DeadlineMode = "total";
  #limitMs = Infinity;
  /** `undefined` while nothing is expected. The timer only reads this: a reset starts no timer. */
  #sinceMs: number | undefined;
  #timer: Timer | undefined;

  /** @param onPassed called once, with the time that has passed */
  constructor(clock: Clock, onPassed: (mode: DeadlineMode, passedMs: number) => void) {
    this.#clock = clock;
    this.#onPassed = onPassed;
  }

  /** Time at which it passes if nothing resets it. */
  get untilMs(): number {
    return (this.#sinceMs ?? this.#clock.now()) + this.#limitMs;
  }

  /** Counts from now on, with another mode and limit; Infinity for no limit. */
  start(mode: DeadlineMode, limitMs: number): void {
    this.#mode = mode;
    this.#limitMs = limitMs;
    this.#sinceMs = mode === "idle" ? undefined : this.#clock.now();
    this.cancel();
    this.#arm(limitMs);
  }

  /** The server is to send something. */
  beginWait(): void {
    if (this.#mode === "idle") this.#sinceMs = this.#clock.now();
  }

  /** Something has arrived, or nothing is expected for now. */
  endWait(): void {
    if (this.#mode === "idle") this.#sinceMs = undefined;
  }

  /** The goal has come nearer. */
  noteProgress(): void {
    if (this.#mode === "progress") this.#sinceMs = this.#clock.now();
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  #arm(delayMs: number): void {
    if (delayMs === Infinity) return;
    this.#timer = this.#clock.setTimeout(() => this.#check(), delayMs);
  }

  #check(): void {
    const passedMs = this.#sinceMs === undefined ? 0 : this.#clock.now() - this.#sinceMs;
    if (passedMs < this.#limitMs) this.#arm(this.#limitMs - passedMs);
    else this.#onPassed(this.#mode, passedMs);
  }
}
