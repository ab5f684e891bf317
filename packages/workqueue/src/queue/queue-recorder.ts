import type { Clock, Timer } from "@listwatch/core-fifo";
import type { ItemKey } from "./item-key.ts";
import type { QueueCounter, QueueGauge, QueueMetrics, QueueSummary } from "./metrics.ts";

/** client-go `defaultUnfinishedWorkUpdatePeriod`, util/workqueue/queue.go. */
const unfinishedPeriodMs = 500;

/**
 * Keeps the metrics of one queue, of which none can stop it. Exists only for queues that have any,
 * because it remembers a time per item.
 */
export class QueueRecorder {
  readonly #metrics: QueueMetrics;
  readonly #clock: Clock;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #addedMs = new Map<ItemKey, number>();
  readonly #takenMs = new Map<ItemKey, number>();
  #timer: Timer | undefined;

  constructor(
    metrics: QueueMetrics,
    clock: Clock,
    onError: ((error: unknown) => void) | undefined,
  ) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#onError = onError;
  }

  added(key: ItemKey): void {
    this.#inc(this.#metrics.adds);
    this.#addedMs.set(key, this.#clock.now());
    this.#set(this.#metrics.depth, this.#addedMs.size);
  }

  taken(key: ItemKey): void {
    const now = this.#clock.now();
    const addedMs = this.#addedMs.get(key) ?? now;
    this.#addedMs.delete(key);
    this.#takenMs.set(key, now);
    this.#set(this.#metrics.depth, this.#addedMs.size);
    this.#observe(this.#metrics.queueDuration, (now - addedMs) / 1000);
    this.#measureLater();
  }

  finished(key: ItemKey): void {
    const now = this.#clock.now();
    this.#observe(this.#metrics.workDuration, (now - (this.#takenMs.get(key) ?? now)) / 1000);
    this.#takenMs.delete(key);
    if (this.#takenMs.size === 0) this.#measure();
  }

  retried(): void {
    this.#inc(this.#metrics.retries);
  }

  /**
   * A timer exists only while something is in work: one that is always there would keep a process
   * alive.
   */
  #measureLater(): void {
    if (this.#timer !== undefined) return;
    const { unfinishedWork, longestRunningProcessor } = this.#metrics;
    if (unfinishedWork === undefined && longestRunningProcessor === undefined) return;
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
    this.#set(this.#metrics.unfinishedWork, unfinishedMs / 1000);
    this.#set(this.#metrics.longestRunningProcessor, longestMs / 1000);
    if (this.#takenMs.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #inc(metric: QueueCounter | undefined): void {
    this.#attempt(() => metric?.inc());
  }

  #set(metric: QueueGauge | undefined, value: number): void {
    this.#attempt(() => metric?.set(value));
  }

  #observe(metric: QueueSummary | undefined, value: number): void {
    this.#attempt(() => metric?.observe(value));
  }

  #attempt(record: () => void): void {
    try {
      record();
    } catch (error) {
      try {
        this.#onError?.(error);
      } catch {
        // There is nobody left to tell.
      }
    }
  }
}
