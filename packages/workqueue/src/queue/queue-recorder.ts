import type { Clock, Timer } from "@listwatch/core-fifo";
import { createMeters, type MetricsSink } from "@listwatch/core-fifo/base";
import type { ItemKey } from "../limiters/rate-limiters.ts";
import { queueMeters, type QueueMetrics } from "./metrics.ts";

/** client-go `defaultUnfinishedWorkUpdatePeriod`, util/workqueue/queue.go. */
const unfinishedPeriodMs = 500;

/**
 * Records the metrics of one queue. A metric that throws does not stop the queue. Only queues with
 * metrics have a recorder, because it stores a time per item.
 */
export class QueueRecorder {
  readonly #metrics: QueueMetrics;
  readonly #clock: Clock;
  readonly #addedMs = new Map<ItemKey, number>();
  readonly #takenMs = new Map<ItemKey, number>();
  #timer: Timer | undefined;

  constructor(
    sink: MetricsSink,
    name: string,
    clock: Clock,
    onError: ((error: unknown) => void) | undefined,
  ) {
    this.#metrics = createMeters(sink, queueMeters, { name }, onError);
    this.#clock = clock;
  }

  added(key: ItemKey): void {
    this.#metrics.adds?.inc();
    this.#addedMs.set(key, this.#clock.now());
    this.#metrics.depth?.set(this.#addedMs.size);
  }

  taken(key: ItemKey): void {
    const now = this.#clock.now();
    const addedMs = this.#addedMs.get(key) ?? now;
    this.#addedMs.delete(key);
    this.#takenMs.set(key, now);
    this.#metrics.depth?.set(this.#addedMs.size);
    this.#metrics.queueDuration?.observe((now - addedMs) / 1000);
    this.#measureLater();
  }

  finished(key: ItemKey): void {
    const now = this.#clock.now();
    this.#metrics.workDuration?.observe((now - (this.#takenMs.get(key) ?? now)) / 1000);
    this.#takenMs.delete(key);
    if (this.#takenMs.size === 0) this.#measure();
  }

  retried(): void {
    this.#metrics.retries?.inc();
  }

  /** The timer exists only while an item is processed; it would keep a process alive otherwise. */
  #measureLater(): void {
    if (this.#timer !== undefined) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#measure();
      if (this.#takenMs.size > 0) this.#measureLater();
    }, unfinishedPeriodMs);
  }

  #measure(): void {
    const now = this.#clock.now();
    let unfinishedMs = 0;
    let longestMs = 0;
    for (const takenMs of this.#takenMs.values()) {
      unfinishedMs += now - takenMs;
      longestMs = Math.max(longestMs, now - takenMs);
    }
    this.#metrics.unfinishedWork?.set(unfinishedMs / 1000);
    this.#metrics.longestRunningProcessor?.set(longestMs / 1000);
    if (this.#takenMs.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
