import type { Clock, Timer } from "@listwatch/core-fifo";

interface Waiting {
  readonly timer: Timer;
  readonly priority: number;
}

/** Queues a key once its changes have paused. Bounded by the keys that changed within the time. */
export class Debounce {
  readonly #clock: Clock;
  readonly #timeMs: number;
  readonly #queue: (key: string, priority: number) => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock, timeMs: number, queue: (key: string, priority: number) => void) {
    this.#clock = clock;
    this.#timeMs = timeMs;
    this.#queue = queue;
  }

  add(key: string, priority: number): void {
    if (this.#timeMs === 0) return this.#queue(key, priority);
    const before = this.#waiting.get(key);
    before?.timer.cancel();
    const highest = Math.max(priority, before?.priority ?? priority);
    const timer = this.#clock.setTimeout(() => {
      this.#waiting.delete(key);
      this.#queue(key, highest);
    }, this.#timeMs);
    this.#waiting.set(key, { timer, priority: highest });
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }
}
