import type { KubernetesObject, Scope, Transform } from "@listwatch/core-fifo";
import type { Indexers, IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { assertIndexes } from "../cache/informer-cache.ts";
import { Informer } from "../informer/informer.ts";
import {
  createSourceTable,
  ReflectorSource,
  sourceCacheTable,
  type WatchErrorHandler,
} from "./reflector-source.ts";
import type { SharedInformerOptions } from "./shared-informer-options.ts";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import { checkOptions, type OptionsOf } from "@listwatch/core-fifo/base";
import { informerCacheTable, informerTable } from "../informer/informer-options.ts";

// A function: bundlers keep a constant that is spread from others, used or not.
const createTable = (): OptionsOf<SharedInformerOptions<never, never>> => ({
  ...informerTable,
  ...createSourceTable(),
  cache: { ...informerCacheTable, ...sourceCacheTable },
});

/**
 * One list and watch of a collection, one indexed cache, any number of handlers.
 *
 * ```ts
 * import { SharedInformer } from "@listwatch/shared-informer";
 *
 * const informer = new SharedInformer<{ metadata: { name: string } }>({
 *   listerWatcher: {
 *     list: async () => ({
 *       metadata: { resourceVersion: "1" },
 *       items: [{ metadata: { name: "a" } }],
 *     }),
 *     watch: async () => ({ async *[Symbol.asyncIterator]() {} }),
 *   },
 * });
 * informer.addEventHandler({ onAdd: (object) => console.log("added", object.metadata.name) });
 * const stop = new AbortController();
 * const ended = informer.run(stop.signal);
 * await informer.synced;
 * console.log(informer.store.listKeys()); // ["a"]
 * stop.abort();
 * await ended;
 * ```
 */
export class SharedInformer<
  T extends KubernetesObject = KubernetesObject,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> extends Informer<T, I, S> {
  readonly #source: ReflectorSource<T>;

  /**
   * @throws {InvalidOptionsError} if `listerWatcher` is missing, or an option has a value that is
   *   not allowed
   */
  constructor(options: SharedInformerOptions<T, I, S>) {
    checkOptions(options, createTable(), ["listerWatcher"]);
    const { behaviour, cache, clock, list, listerWatcher, name, random, retry } = options;
    const { keep, keyFunc, transform } = cache ?? {};
    const source = new ReflectorSource<T>({
      behaviour,
      cache: { keep, keyFunc, transform },
      clock,
      list,
      listerWatcher,
      name,
      random,
      retry,
      telemetry: options.telemetry,
      watch: options.watch,
    });
    super(source, options, keyFunc);
    this.#source = source;
  }

  /**
   * The resourceVersion up to which list and watch have read, `""` before the first list. It may be
   * ahead of the cache, see {@link Informer.lastStoreSyncResourceVersion}.
   */
  get lastSyncResourceVersion(): string {
    return this.#source.lastSyncResourceVersion;
  }

  /**
   * Sets the transform; the last one counts.
   *
   * @param transform changes each object before it is cached; `undefined` for none
   * @throws {ListwatchError} with the code `LW_INFORMER_STARTED` after the start
   */
  setTransform(transform: Transform<T> | undefined): void {
    this.#source.setTransform(transform);
  }

  /**
   * Sets the function that is called with failed lists and watches, instead of `onError`; the last
   * one counts.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STARTED` after the start
   */
  setWatchErrorHandler(handler: WatchErrorHandler | undefined): void {
    this.#source.setWatchErrorHandler(handler);
  }

  /** Same as {@link Informer.addIndexers}. */
  override addIndexers<J extends IndexValues>(
    indexers: Indexers<T, J>,
  ): SharedInformer<T, I & J, S> {
    super.addIndexers(indexers);
    assertIndexes<SharedInformer<T, I & J, S>>(this, indexers);
    return this;
  }
}

/**
 * Creates an informer for one handler, which sets the pace. The cache waits until the handler has
 * processed the previous changes, and the informer reads nothing from the server while many changes
 * wait. So no backlog grows, and the cache is at most one batch ahead of the handler.
 */
export function newInformer<
  T extends KubernetesObject = KubernetesObject,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
>(
  handler: ResourceEventHandler<T>,
  options: SharedInformerOptions<T, I, S>,
): SharedInformer<T, I, S> {
  const informer = new SharedInformer(options);
  informer.addEventHandler(handler, { maxBacklog: 0 });
  return informer;
}
