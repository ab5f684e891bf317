import { type Clock } from "@listwatch/core-fifo";
import { ResourceVersionWaiters } from "@listwatch/core-fifo/base";
import type { ReflectorMetrics } from "../options/options.ts";
import type { ReflectorStatus } from "../options/status.ts";

type ProgressStatus = Pick<
  ReflectorStatus,
  "lastBookmarkMs" | "lastEventMs" | "lastListMs" | "lastWatchMs" | "resourceVersion" | "synced"
>;

/** How far the store has been brought, and when. Lives as long as the reflector, over all runs. */
export class Progress {
  readonly waiters: ResourceVersionWaiters = new ResourceVersionWaiters();
  readonly #clock: Clock;
  readonly #metrics: ReflectorMetrics;
  // One object for its whole life: it is written for every event.
  readonly #current: { -readonly [Name in keyof ProgressStatus]: ProgressStatus[Name] } = {
    lastBookmarkMs: undefined,
    lastEventMs: undefined,
    lastListMs: undefined,
    lastWatchMs: undefined,
    resourceVersion: "",
    synced: false,
  };

  constructor(clock: Clock, metrics: ReflectorMetrics) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** As of now; to be read at once. */
  get current(): ProgressStatus {
    return this.#current;
  }

  /** The store holds a whole list of this resourceVersion. */
  completeList(resourceVersion: string): void {
    this.#current.synced = true;
    this.#current.lastListMs = this.#clock.now();
    this.reach(resourceVersion);
  }

  /** The store shows the state of this resourceVersion. */
  reach(resourceVersion: string): void {
    this.#current.resourceVersion = resourceVersion;
    const { lastResourceVersion } = this.#metrics;
    if (lastResourceVersion !== undefined) {
      const number = Number(resourceVersion);
      // A gauge of NaN would spoil the sums over it.
      if (!Number.isNaN(number)) lastResourceVersion.set(number);
    }
    this.waiters.reach(resourceVersion);
  }

  noteEvents(): void {
    this.#current.lastEventMs = this.#clock.now();
  }

  /** The server has accepted a watch, or ended one in time. */
  noteWatch(): void {
    this.#current.lastWatchMs = this.#clock.now();
  }

  noteBookmark(): void {
    this.#current.lastBookmarkMs = this.#clock.now();
  }
}
