import type { Clock } from "@listwatch/core-fifo";

/**
 * Longest stretch of work between two turns of the event loop, in ms: half a frame of a 60 Hz
 * screen.
 */
const turnBudgetMs = 8;

/** Shortest slice, in ms: below it the cost of the turns themselves would show. */
const minSliceMs = 0.05;

/**
 * Shares the time of a turn among all who have work at the same time, so that together they keep to
 * the budget.
 */
export class TurnShare {
  readonly clock: Clock;
  #workers = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Time that each worker may take before it has to give up the turn, in ms. */
  get sliceMs(): number {
    return Math.max(turnBudgetMs / Math.max(this.#workers, 1), minSliceMs);
  }

  enter(): void {
    this.#workers++;
  }

  leave(): void {
    this.#workers--;
  }
}

// One clock is one event loop; all listeners on it compete for the same turns, whichever informer they belong to.
const shares = new WeakMap<Clock, TurnShare>();

export function turnShareOf(clock: Clock): TurnShare {
  let share = shares.get(clock);
  if (share === undefined) {
    share = new TurnShare(clock);
    shares.set(clock, share);
  }
  return share;
}
