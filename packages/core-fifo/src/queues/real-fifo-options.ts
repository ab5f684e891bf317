import type { Cached } from "../base/cached.ts";
import type { Clock } from "../base/clock.ts";
import { checkAtLeast } from "../base/checks.ts";
import { InvalidOptionsError, type ListwatchError } from "../base/errors.ts";
import type { KeyFunction } from "../delta/keys.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { PopOptions } from "./queue.ts";
import type { QueueObserver } from "./queue-observer.ts";
import type { Transform } from "../base/transform.ts";

/** The most keys of one batch: client-go `defaultBatchSize`, tools/cache/the_real_fifo.go. */
export const maxBatchKeys = 1000;

/** Where a {@link RealFIFO} can be told to behave as client-go does. */
export interface RealFIFOBehaviour {
  /**
   * Whether an atomic replace computes all keys before it queues anything: an object without a key,
   * or whose transform throws, is reported and left out, the others carry their key along.
   * Otherwise the consumer finds the bad object later and has to drop the whole list, and a
   * transform that throws fails the replace.
   *
   * @default true
   */
  readonly checkKeys?: boolean | undefined;
}

/** client-go's behaviour of a {@link RealFIFO}, for programs that depend on it. */
export const clientGoQueueBehaviour: RealFIFOBehaviour = { checkKeys: false };

/** Options of {@link RealFIFO}. */
export interface RealFIFOOptions<T> {
  /** @default metaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Changes every written object once, deleted ones too; not tombstones and not what a resync
   * queues.
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * The cache behind the queue. With it a replace or a resync is compared with the cache and queues
   * a delta for each object; without it, it is one delta, which the consumer applies to its cache
   * at once.
   *
   * @default none
   */
  readonly knownObjects?: KnownObjects<T> | NoInfer<KnownObjects<Cached<T>>> | undefined;
  /**
   * Whether bookmarks are queued; otherwise they are ignored. Not with `knownObjects`.
   *
   * @default true without `knownObjects`
   */
  readonly emitBookmarks?: boolean | undefined;
  /**
   * How the queue behaves where client-go behaves otherwise; {@link clientGoQueueBehaviour} is
   * client-go's way.
   */
  readonly behaviour?: RealFIFOBehaviour | undefined;
  /**
   * Whether an atomic replace names the keys of the objects that it leaves out because their
   * transform threw, as `keptKeys`: they are not gone, and the consumer keeps what it has of them.
   *
   * @default false
   */
  readonly keepLeftOut?: boolean | undefined;
  /** Names the queue in errors and metrics. @default "RealFIFO" */
  readonly name?: string | undefined;
  /**
   * Deltas above which `waitForCapacity` makes a producer wait.
   *
   * @default 2000, twice client-go's `defaultBatchSize`
   */
  readonly highWaterMark?: number | undefined;
  /** Watches the queue, for metrics and logs. */
  readonly observer?: QueueObserver | undefined;
  /** Measures the time that processors take, for the observer. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Called with everything that was left out: an object without a key or whose transform threw, a
   * failed lookup. Nothing else is lost.
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
 * Checks the options that depend on each other.
 *
 * @throws {InvalidOptionsError} if they exclude each other
 */
export function checkRealFIFOOptions<T>(options: RealFIFOOptions<T>): void {
  const { emitBookmarks, knownObjects } = options;
  if (knownObjects !== undefined && emitBookmarks === true) {
    throw new InvalidOptionsError(
      "Cannot create a RealFIFO: expected emitBookmarks only without knownObjects, got both",
    );
  }
  checkAtLeast("highWaterMark", options.highWaterMark, 1);
}
