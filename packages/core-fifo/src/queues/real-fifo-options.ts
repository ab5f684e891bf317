import type { Clock } from "../base/clock.ts";
import { InvalidOptionsError, type ListwatchError } from "../base/errors.ts";
import type { KeyFunction } from "../delta/keys.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { PopOptions } from "./queue.ts";
import type { QueueObserver } from "./queue-observer.ts";
import type { Transform } from "../delta/transform.ts";

/**
 * The most keys of one batch: 1000, client-go `defaultBatchSize`, tools/cache/the_real_fifo.go
 * (RF-19).
 */
export const maxBatchKeys = 1000;

/** Options of {@link RealFIFO}. */
export interface RealFIFOOptions<T> {
  /** @default metaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Changes every written object once, deleted ones too; not tombstones and not what a resync
   * queues (RF-3).
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * Whether a replace or a resync is one delta, which the consumer applies to its cache at once.
   * Otherwise the queue compares with `knownObjects` and queues a delta for each object.
   *
   * @default true
   */
  readonly atomicEvents?: boolean | undefined;
  /** The cache behind the queue; required without `atomicEvents`, forbidden with them. */
  readonly knownObjects?: KnownObjects<T> | undefined;
  /**
   * Whether bookmarks are queued; otherwise they are ignored. Only with `atomicEvents`.
   *
   * @default the value of `atomicEvents`
   */
  readonly emitBookmarks?: boolean | undefined;
  /**
   * Whether writes are possible while a processor runs. They always are, there is no lock; the
   * option is here so that options moved from client-go are checked as there: it is only legal with
   * `atomicEvents` (RF-24).
   */
  readonly unlockWhileProcessing?: boolean | undefined;
  /**
   * Whether an atomic replace computes all keys before it queues anything: an object without a key,
   * or whose transform throws, is reported and left out, the others carry their key along. `false`
   * is client-go's way: the consumer meets the bad object later and has to drop the whole list
   * (RF-2, CTL-9), and a transform that throws fails the replace.
   *
   * @default true
   */
  readonly checkKeys?: boolean | undefined;
  /** Names the queue in errors and metrics. @default "RealFIFO" */
  readonly name?: string | undefined;
  /**
   * Deltas above which `waitForCapacity` makes a producer wait.
   *
   * @default 2000, client-go's limit of 2 × 1000 for unlocked processing (RF-24)
   */
  readonly highWaterMark?: number | undefined;
  /** Watches the queue, for metrics and logs. */
  readonly observer?: QueueObserver | undefined;
  /** Measures what the observer is told. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Gets what was left out: an object without a key or whose transform threw, a failed lookup.
   * Nothing is lost besides.
   */
  readonly onError?: ((error: ListwatchError) => void) | undefined;
}

/** Options of {@link RealFIFO.takeBatch}. */
export interface TakeBatchOptions {
  /** The most keys of this batch, 1 to 1000. @default 1000 */
  readonly maxKeys?: number | undefined;
}

/** Options of {@link RealFIFO.popBatch}. */
export interface PopBatchOptions extends PopOptions, TakeBatchOptions {}

/**
 * The options that depend on each other, with their defaults.
 *
 * @throws {InvalidOptionsError} if they exclude each other
 */
export function checkedOptions<T>(options: RealFIFOOptions<T>): {
  readonly emitBookmarks: boolean;
  readonly highWaterMark: number;
} {
  const { atomicEvents = true, highWaterMark = 2 * maxBatchKeys } = options;
  const emitBookmarks = options.emitBookmarks ?? atomicEvents;
  if (atomicEvents === (options.knownObjects !== undefined)) {
    throw new InvalidOptionsError(
      `Couldn't create a RealFIFO: expected knownObjects exactly without atomicEvents, got atomicEvents ${atomicEvents}`,
    );
  }
  if (!atomicEvents && (emitBookmarks || options.unlockWhileProcessing === true)) {
    throw new InvalidOptionsError(
      "Couldn't create a RealFIFO: expected emitBookmarks and unlockWhileProcessing only with atomicEvents",
    );
  }
  if (!(highWaterMark >= 1)) {
    throw new InvalidOptionsError(
      `Couldn't create a RealFIFO: expected a highWaterMark of 1 or more, got ${highWaterMark}`,
    );
  }
  return { emitBookmarks, highWaterMark };
}
