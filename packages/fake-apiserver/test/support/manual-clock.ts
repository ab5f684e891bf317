import type { Clock, ClockTimer } from "@listwatch/fake-apiserver";

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** Turns of the event loop that let promises, streams and timers of the runtime settle. */
const settlingTurns = 4;

/** A clock that stands still until `advance`. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now: number = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.#now = now;
  }

  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): ClockTimer {
    const timer: Timer = { due: this.#now + ms, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Fires what falls due, in order, and lets everything settle after each timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const [next] = [...this.#timers].toSorted((left, right) => left.due - right.due);
      if (next === undefined || next.due > end) break;
      this.#timers.delete(next);
      this.#now = next.due;
      next.callback();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets everything run that can run without time passing. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < settlingTurns; turn++) {
    await new Promise<void>((resolve) => {
      const channel = new MessageChannel();
      channel.port1.addEventListener("message", () => {
        channel.port1.close();
        resolve();
      });
      channel.port1.start();
      channel.port2.postMessage(undefined);
    });
  }
}
