import { aSignal } from "../base/abort.ts";
import type { Cached } from "../base/cached.ts";
import type { Clock } from "../base/clock.ts";
import { InvalidOptionsError, type ListwatchError } from "../base/errors.ts";
import { Preset } from "../base/preset.ts";
import type { KeyFunction } from "../delta/keys.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { PopOptions } from "./queue.ts";
import type { QueueObserver } from "./queue-observer.ts";
import type { Transform } from "../base/user-functions.ts";
import { aBoolean, anything, aNumber, checkOptions, type OptionsOf } from "../base/options.ts";
import { queueTable } from "./queue.ts";
import { readCheckedList, readUncheckedList, type ReadList } from "./object-key.ts";

/**
 * client-go's behaviour of a {@link RealFIFO}, for programs that depend on it: an atomic replace
 * queues objects without a key, so that the consumer has to drop the whole list later, and fails
 * when a transform throws. By default such an object is reported and skipped.
 */
export const clientGoQueueBehaviour: Preset<"clientGoQueueBehaviour"> = /* @__PURE__ */ new Preset(
  "clientGoQueueBehaviour",
  { readList: readUncheckedList },
);

/** Options of {@link RealFIFO}. */
export interface RealFIFOOptions<T> {
  /** Computes the key of an object, once for each write. @default metaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Changes every written object once, including deleted ones, except tombstones and objects of a
   * resync.
   *
   * @default none
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * Cache behind the queue. With it, a replace or a resync is compared with the cache and queues a
   * delta for each object. Without it, it is one delta, which the consumer applies to its cache at
   * once.
   *
   * @default none
   */
  readonly knownObjects?: KnownObjects<T> | NoInfer<KnownObjects<Cached<T>>> | undefined;
  /**
   * Whether bookmarks are queued; otherwise they are ignored. Excludes `knownObjects`.
   *
   * @default true without `knownObjects`
   */
  readonly emitBookmarks?: boolean | undefined;
  /**
   * {@link clientGoQueueBehaviour} selects client-go's behaviour where the queue differs.
   *
   * @default none
   */
  readonly behaviour?: Preset<"clientGoQueueBehaviour"> | undefined;
  /** Name of the queue in errors and metrics. @default "RealFIFO" */
  readonly name?: string | undefined;
  /**
   * Number of deltas above which `waitForCapacity` makes a producer wait.
   *
   * @default 2000, twice client-go's `defaultBatchSize`
   */
  readonly highWaterMark?: number | undefined;
  /** Observes the queue, for metrics and logs. @default none */
  readonly observer?: QueueObserver | undefined;
  /** Measures the time of processors, for the observer. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Called for every object that is skipped: one without a key, one whose transform threw, or a
   * failed lookup. All others are delivered.
   *
   * @default none
   */
  readonly onError?: ((error: ListwatchError) => void) | undefined;
}

/** Options of {@link RealFIFO.takeBatch}. */
export interface TakeBatchOptions {
  /** Maximum number of keys in this batch, 1 to 1000. @default 1000 */
  readonly maxKeys?: number | undefined;
}

/** Options of {@link RealFIFO.popBatch}. */
export interface PopBatchOptions extends PopOptions, TakeBatchOptions {}

const realFIFOTable: OptionsOf<RealFIFOOptions<never>> = {
  ...queueTable,
  emitBookmarks: aBoolean,
  behaviour: anything,
  highWaterMark: aNumber(1),
};

export const takeTable: OptionsOf<TakeBatchOptions> = { maxKeys: aNumber(1) };
export const batchTable: OptionsOf<PopBatchOptions> = { ...takeTable, signal: aSignal };

/**
 * Checks the preset, and the options that depend on each other.
 *
 * @returns the function that reads the objects of an atomic replace
 * @throws {InvalidOptionsError} if they exclude each other, or one has none of its values
 */
export function resolveRealFIFOOptions<T>(options: RealFIFOOptions<T>): ReadList {
  checkOptions(options, realFIFOTable);
  const { emitBookmarks, knownObjects } = options;
  if (knownObjects !== undefined && emitBookmarks === true) {
    throw new InvalidOptionsError(
      "Cannot create a RealFIFO: expected emitBookmarks only without knownObjects, got both",
    );
  }
  const defaults: { readonly readList: ReadList } = { readList: readCheckedList };
  return Preset.resolve(options.behaviour, "clientGoQueueBehaviour", defaults).readList;
}
