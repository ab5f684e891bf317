import type { Clock, Timer } from "@listwatch/core-fifo";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";

/** A timer of a process: it fires when it is due and the process runs. */
export class ProcessTimer implements Timer {
  /** Whether it counts as left open when the process ends. */
  isCounted = true;
  readonly #callback: () => void;
  readonly #timers: Set<ProcessTimer>;
  #timer: Timer | undefined;
  #dueMs = 0;

  constructor(callback: () => void, timers: Set<ProcessTimer>) {
    this.#callback = callback;
    this.#timers = timers;
    timers.add(this);
  }

  /** When it fires, or would have fired but for a pause. */
  get dueMs(): number {
    return this.#dueMs;
  }

  arm(world: SimulatedClock, delayMs: number, thawMs: () => number): void {
    this.#dueMs = world.now() + delayMs;
    this.#wait(world, delayMs, thawMs);
  }

  /** Waits again for the end of a pause that has changed. */
  rearm(world: SimulatedClock, thawMs: () => number): void {
    this.#timer?.cancel();
    this.#wait(world, 0, thawMs);
  }

  #wait(world: SimulatedClock, delayMs: number, thawMs: () => number): void {
    this.#timer = world.setTimeout(() => {
      const leftMs = thawMs() - world.now();
      // In the order in which they were due, since timers of one time fire in order of their start.
      if (leftMs > 0) return this.#wait(world, leftMs, thawMs);
      this.#timers.delete(this);
      this.#callback();
    }, delayMs);
  }

  cancel(): void {
    this.#timers.delete(this);
    this.#timer?.cancel();
  }
}

/** Callbacks to the process of a clock. */
interface ClockOwner {
  /** Called with the error of a timer's callback. */
  onError(error: unknown): void;
  /** Called when it starts more than {@link maxSteps} timers and turns, and no time passes. */
  onStuck(): void;
}

/** More timers and turns at one time than any program needs: a loop that never ends. */
export const maxSteps = 100_000;

/**
 * The clock of one life of a process. Its time goes on during a pause, but no timer fires: they
 * fire late, in their order. After its end none fires.
 */
export class ProcessClock implements Clock {
  readonly #world: SimulatedClock;
  readonly #timers = new Set<ProcessTimer>();
  readonly #owner: ClockOwner | undefined;
  #thawMs = -Infinity;
  #skewMs: number;
  #hasEnded = false;
  /** Number of timers and turns that were started at a time, and that time. */
  #steps = { count: 0, atMs: -Infinity };

  constructor(world: SimulatedClock, skewMs = 0, owner?: ClockOwner) {
    this.#world = world;
    this.#skewMs = skewMs;
    this.#owner = owner;
  }

  now(): number {
    return this.#world.now() + this.#skewMs;
  }

  /** Sets the difference to the time of the cluster. Timers keep their delays. */
  set skewMs(ms: number) {
    this.#skewMs = ms;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timer = new ProcessTimer(() => this.#call(callback), this.#timers);
    this.#step();
    if (this.#hasEnded) this.#timers.delete(timer);
    else timer.arm(this.#world, delayMs, () => this.#thawMs);
    return timer;
  }

  nextTurn(): Promise<void> {
    this.#step();
    return this.#hasEnded ? new Promise(() => undefined) : this.#world.nextTurn();
  }

  /** Whether its process is gone. */
  get hasEnded(): boolean {
    return this.#hasEnded;
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

  /** Ends a pause: timers that were due in it fire now, in their order. */
  thaw(): void {
    const now = this.#world.now();
    if (this.#thawMs <= now) return;
    this.#thawMs = now;
    const held = [...this.#timers].filter(({ dueMs }) => dueMs <= now);
    for (const timer of held.toSorted((left, right) => left.dueMs - right.dueMs)) {
      timer.rearm(this.#world, () => this.#thawMs);
    }
  }

  /** No timer fires any more. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of [...this.#timers]) timer.cancel();
  }

  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      if (this.#owner === undefined) throw error;
      this.#owner.onError(error);
    }
  }

  #step(): void {
    const atMs = this.#world.now();
    const count = this.#steps.atMs === atMs ? this.#steps.count + 1 : 1;
    this.#steps = { count, atMs };
    if (count > maxSteps && !this.#hasEnded) this.#owner?.onStuck();
  }
}
