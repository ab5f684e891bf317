import type { Clock, Timer } from "@listwatch/core-fifo";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";

/** A timer of a process: it fires when it is due and the process runs. */
export class ProcessTimer implements Timer {
  /** Whether it counts as left open when the process ends. */
  isCounted = true;
  readonly #callback: () => void;
  readonly #timers: Set<ProcessTimer>;
  #timer: Timer | undefined;

  constructor(callback: () => void, timers: Set<ProcessTimer>) {
    this.#callback = callback;
    this.#timers = timers;
    timers.add(this);
  }

  arm(world: SimulatedClock, delayMs: number, thawMs: () => number): void {
    this.#timer = world.setTimeout(() => {
      const leftMs = thawMs() - world.now();
      // In the order in which they were due, since timers of one time fire in order of their start.
      if (leftMs > 0) return this.arm(world, leftMs, thawMs);
      this.#timers.delete(this);
      this.#callback();
    }, delayMs);
  }

  cancel(): void {
    this.#timers.delete(this);
    this.#timer?.cancel();
  }
}

/**
 * The clock of one life of a process. Its time goes on during a pause, but no timer fires: they
 * fire late, in their order. After its end none fires.
 */
export class ProcessClock implements Clock {
  readonly #world: SimulatedClock;
  readonly #timers = new Set<ProcessTimer>();
  #thawMs = -Infinity;
  #skewMs: number;
  #hasEnded = false;

  constructor(world: SimulatedClock, skewMs = 0) {
    this.#world = world;
    this.#skewMs = skewMs;
  }

  now(): number {
    return this.#world.now() + this.#skewMs;
  }

  /** Sets the difference to the time of the cluster. Timers keep their delays. */
  set skewMs(ms: number) {
    this.#skewMs = ms;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timer = new ProcessTimer(callback, this.#timers);
    if (this.#hasEnded) this.#timers.delete(timer);
    else timer.arm(this.#world, delayMs, () => this.#thawMs);
    return timer;
  }

  nextTurn(): Promise<void> {
    return this.#hasEnded ? new Promise(() => undefined) : this.#world.nextTurn();
  }

  /** Number of timers that wait, without those that do not keep a process running. */
  get pendingTimers(): number {
    let count = 0;
    for (const { isCounted } of this.#timers) if (isCounted) count += 1;
    return count;
  }

  /** Whether the process stands still. */
  get isPaused(): boolean {
    return this.#world.now() < this.#thawMs;
  }

  /** Lets no timer fire for a time. */
  pause(ms: number): void {
    this.#thawMs = Math.max(this.#thawMs, this.#world.now() + ms);
  }

  /** No timer fires any more. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of [...this.#timers]) timer.cancel();
  }
}
