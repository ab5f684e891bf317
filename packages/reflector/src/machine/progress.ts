import { ResourceVersionWaiters, type Clock } from "@listwatch/core-fifo";
import type { ReflectorMetrics } from "./metrics.ts";

/** How far the store has been brought, and when. Lives as long as the reflector, over all its runs. */
export class Progress {
  readonly #clock: Clock;
  readonly #metrics: ReflectorMetrics;
  readonly #waiters = new ResourceVersionWaiters();
  #resourceVersion = "";
  #synced = false;
  #lastListMs: number | undefined;
  #lastEventMs: number | undefined;
  #lastBookmarkMs: number | undefined;

  constructor(clock: Clock, metrics: ReflectorMetrics) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** The state that the store shows; `""` before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Whether the store ever received a whole list. */
  get synced(): boolean {
    return this.#synced;
  }

  get lastListMs(): number | undefined {
    return this.#lastListMs;
  }

  get lastEventMs(): number | undefined {
    return this.#lastEventMs;
  }

  get lastBookmarkMs(): number | undefined {
    return this.#lastBookmarkMs;
  }

  /** The store holds a whole list of this resourceVersion. */
  completeList(resourceVersion: string): void {
    this.#synced = true;
    this.#lastListMs = this.#clock.now();
    this.reach(resourceVersion);
  }

  /** The store shows the state of this resourceVersion. */
  reach(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    const { lastResourceVersion } = this.#metrics;
    if (lastResourceVersion !== undefined) {
      const number = Number(resourceVersion);
      // A gauge of NaN would spoil the sums over it.
      if (!Number.isNaN(number)) lastResourceVersion.set(number);
    }
    this.#waiters.reach(resourceVersion);
  }

  noteEvents(): void {
    this.#lastEventMs = this.#clock.now();
  }

  noteBookmark(): void {
    this.#lastBookmarkMs = this.#clock.now();
  }

  /**
   * Resolves when the store has reached the resourceVersion, at once if it has already.
   *
   * @throws the signal's reason, or the reason of {@link Progress.endWaits}
   */
  waitFor(
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<void> {
    return this.#waiters.wait(resourceVersion, options);
  }

  /** Fails every wait in progress. */
  endWaits(reason: Error): void {
    this.#waiters.end(reason);
  }
}
