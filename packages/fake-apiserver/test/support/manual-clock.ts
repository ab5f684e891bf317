import { systemClock } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

/** Turns of the event loop in which promises, streams and timers of the runtime settle. */
const settlingTurns = 4;

/** A clock that stands still in 2026. */
export class ManualClock extends SimulatedClock {
  constructor(startMs: number = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    super({ startMs });
  }

  /** Fires due timers in order, and lets everything settle after each one. */
  override async settle(): Promise<void> {
    await settle();
  }
}

/** Runs everything that can run without time passing. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < settlingTurns; turn++) await systemClock.nextTurn();
}
