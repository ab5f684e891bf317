import {
  drain,
  keyOfName,
  metadataOf,
  metaNamespaceKey,
  RealFIFO,
  type Deltas,
  type KeyFunction,
  type KubernetesObject,
  type PopProcessor,
  type Cached,
} from "@listwatch/core-fifo";
import { isStatusError, type ObjectIdentity } from "@listwatch/client";
import {
  Reflector,
  type ReflectorDecision,
  type ReflectorErrorContext,
  type ReflectorStore,
} from "@listwatch/reflector";
import type { IndexValues, NoIndexes, Transform } from "@listwatch/store-indexer";
import { InformerStartedError } from "../delivery/errors.ts";
import { resourceVersionAsNumber, type InformerMetrics } from "../informer/informer-metrics.ts";
import { Informer } from "../informer/informer.ts";
import { checkListerWatcher, checkOneOf } from "../informer/check-options.ts";
import { guardedMetrics } from "../informer/guarded-metrics.ts";
import { orAbort } from "../delivery/or-abort.ts";
import { replaceInSlices } from "../cache/atomic-replace.ts";
import { SourceVersions } from "./source-versions.ts";
import { processDeltas, processDeltasInBatch, type DeltaTarget } from "../cache/process-deltas.ts";
import { problemOf, type FreshOptions, type InformerStatus } from "../informer/informer-status.ts";
import type { SharedInformerOptions, WatchErrorHandler } from "./shared-informer-options.ts";

/**
 * Lists of more objects than this are applied with turns of the event loop in between: no batch is
 * larger either.
 */
const objectsInOneGo = 1000;

/**
 * One list and watch of a collection, one indexed cache of it, any number of handlers.
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
> extends Informer<T, I> {
  readonly #options: SharedInformerOptions<T, I>;
  readonly #keyFunc: KeyFunction<T>;
  readonly #versions: SourceVersions | undefined;
  readonly #metrics: InformerMetrics | undefined;
  #transform: Transform<T> | undefined;
  #onWatchError: WatchErrorHandler | undefined;
  #reflector: Reflector<T> | undefined;
  #queue: RealFIFO<T> | undefined;

  /**
   * @throws {InvalidOptionsError} if an option has none of its values, or there is no
   *   `listerWatcher`
   */
  constructor(options: SharedInformerOptions<T, I>) {
    super(options);
    checkListerWatcher(options.listerWatcher);
    checkOneOf("whenForbidden", options.whenForbidden, ["retry", "stop"]);
    checkOneOf("whenNotFound", options.whenNotFound, ["retry", "stop", "wait"]);
    this.#options = options;
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#versions = options.keepResourceVersions === false ? undefined : new SourceVersions();
    this.#metrics =
      options.metrics &&
      guardedMetrics(options.metrics, (error) => this.report(error, { kind: "metrics" }));
    this.#transform = options.transform;
    this.#onWatchError = options.onWatchError;
  }

  /**
   * The resourceVersion up to which the informer has heard from the server; it may be ahead of the
   * cache, see {@link Informer.lastStoreSyncResourceVersion}. `""` before the first list (SI-8).
   */
  get lastSyncResourceVersion(): string {
    return this.#reflector?.lastSyncResourceVersion ?? "";
  }

  /**
   * Sets the transform; the last one counts (SI-2).
   *
   * @throws {InformerStartedError} after the start
   */
  setTransform(transform: Transform<T> | undefined): void {
    if (this.phase !== "created") throw new InformerStartedError("set a transform");
    this.#transform = transform;
  }

  /**
   * Sets who is told of failed lists and watches; the last one counts (SI-2).
   *
   * @throws {InformerStartedError} after the start
   */
  setWatchErrorHandler(handler: WatchErrorHandler | undefined): void {
    if (this.phase !== "created") throw new InformerStartedError("set a watch error handler");
    this.#onWatchError = handler;
  }

  /** How the informer is, as of now: what it waits for, since when, why, and who lags behind. */
  status(): InformerStatus {
    const source = this.#reflector?.status();
    return {
      name: this.name,
      phase: this.phase,
      hasSynced: this.hasSynced,
      resourceVersion: this.lastStoreSyncResourceVersion,
      source,
      problem: source && problemOf(source),
      queuedDeltas: this.#queue?.length ?? 0,
      handlers: this.handlerStatus(),
    };
  }

  /**
   * Whether the cache is known to show everything up to `withinMs` ago: it has synced, the watch is
   * open, nothing is queued, and the server was heard of in that time. On a quiet collection that
   * is once a minute, with the bookmarks.
   */
  fresh({ withinMs }: FreshOptions): boolean {
    const { hasSynced, queuedDeltas, source } = this.status();
    if (!hasSynced || queuedDeltas > 0 || source?.phase !== "watching" || source.attempts > 0) {
      return false;
    }
    const { lastBookmarkMs = 0, lastEventMs = 0, lastListMs = 0 } = source;
    return this.clock.now() - Math.max(lastBookmarkMs, lastEventMs, lastListMs) <= withinMs;
  }

  protected async runSource(signal: AbortSignal): Promise<void> {
    const transform = this.#transform;
    const queue = new RealFIFO<T>({
      name: this.name,
      keyFunc: this.#keyFunc,
      transform: transform && (this.#versions?.watch(transform) ?? transform),
      behaviour: { checkKeys: this.#options.checkKeys },
      onError: (error) => this.report(error, { kind: "cache" }),
    });
    this.#queue = queue;
    const reflector = new Reflector<T>({
      ...this.#options,
      store: this.#storeOf(queue),
      name: this.name,
      metrics: this.#metrics,
      clock: this.clock,
      watch: {
        ...this.#options.watch,
        resyncMs: this.resyncCheckPeriodMs,
        shouldResync: () => this.shouldResync(),
      },
      onError: (error, context) => this.#onSourceError(error, context),
    });
    this.#reflector = reflector;
    // Neither of the two is of use without the other.
    const oneEnded = new AbortController();
    const end = AbortSignal.any([signal, oneEnded.signal]);
    const reflecting = reflector.run(end).finally(() => oneEnded.abort());
    const applying = this.#applyDeltas(queue, end).finally(() => oneEnded.abort());
    await Promise.allSettled([reflecting, applying]);
    await reflecting;
    await applying;
  }

  #onSourceError(error: unknown, context: ReflectorErrorContext): ReflectorDecision {
    const { whenForbidden = "retry", whenNotFound = "retry" } = this.#options;
    const reaction =
      (isStatusError(error, "Forbidden") && whenForbidden) ||
      (isStatusError(error, "NotFound") && whenNotFound) ||
      "retry";
    if (reaction === "wait") return "retry";
    const handler = this.#onWatchError;
    if (handler === undefined) this.report(error, { kind: "watch" });
    return handler?.(error, context) ?? reaction;
  }

  /**
   * What the reflector writes to. With the usual key and without a transform, an object that a
   * relist brings again in the same state is the one that is in the cache, which saves parsing and
   * memory.
   */
  #storeOf(queue: RealFIFO<T>): ReflectorStore<T> {
    if (this.#transform !== undefined || this.#options.keyFunc !== undefined) return queue;
    return {
      add: (object) => queue.add(object),
      update: (object) => queue.update(object),
      delete: (object) => queue.delete(object),
      replace: (objects, resourceVersion) => queue.replace(objects, resourceVersion),
      resync: () => queue.resync(),
      bookmark: (resourceVersion) => queue.bookmark(resourceVersion),
      waitForCapacity: (signal) => queue.waitForCapacity(signal),
      reuse: (identity) => {
        const held = this.indexer.getByKey(keyOfName(identity));
        return isInState<T>(held, identity) ? held : undefined;
      },
    };
  }

  /** The one consumer of the queue. What is queued at the abort is left there (CTL-1). */
  async #applyDeltas(queue: RealFIFO<T>, signal: AbortSignal): Promise<void> {
    const metrics = this.#metrics;
    const target: DeltaTarget<T> = {
      store: this.indexer.keyed,
      keyFunc: this.#keyFunc,
      notify: (notification) => this.publish(notification),
    };
    const relist: DeltaTarget<T> = {
      ...target,
      notify: (notification) => {
        if (!this.isUnchanged(notification)) metrics?.driftedObjects?.inc();
        this.publish(notification);
      },
    };
    void queue.synced.then(() => this.markSynced());
    const applied =
      (process: typeof processDeltas<T>): PopProcessor<T> =>
      (deltas, isInInitialList) => {
        const startMs = metrics?.processingLatency && this.clock.now();
        // What could not be applied is lost until the next relist (CTL-2).
        const lost = (error: unknown): void => this.report(error, { kind: "cache" });
        const finish = (): Promise<void> | undefined => {
          this.#followVersion(deltas);
          if (metrics !== undefined) this.#measure(metrics, queue, startMs);
          const room = this.afterChange();
          // The first list is not held up, so that the informer is synced as soon as it has been
          // applied.
          return room === undefined || isInInitialList ? undefined : orAbort(room, signal);
        };
        const [first] = deltas;
        const list = first?.type === "ReplacedAll" ? first : undefined;
        const changed = list !== undefined && this.hasSynced ? relist : target;
        if (list !== undefined && list.objects.length > objectsInOneGo) {
          const turns = { clock: this.clock, signal };
          return replaceInSlices(list, isInInitialList, changed, turns).catch(lost).then(finish);
        }
        try {
          process(deltas, isInInitialList, changed);
        } catch (error) {
          lost(error);
        }
        return finish();
      };
    await drain(queue, {
      processBatch: applied(processDeltasInBatch),
      processSingle: applied(processDeltas),
      clock: this.clock,
      signal,
    });
    queue.close();
  }

  #measure(metrics: InformerMetrics, queue: RealFIFO<T>, startMs: number | undefined): void {
    if (startMs !== undefined) {
      metrics.processingLatency?.observe((this.clock.now() - startMs) / 1000);
    }
    metrics.queuedItems?.set(queue.length);
    const version = resourceVersionAsNumber(this.lastStoreSyncResourceVersion);
    if (version !== undefined) metrics.storeResourceVersion?.set(version);
    if (metrics.handlerBacklog === undefined) return;
    for (const { backlog, name } of this.handlerStatus()) metrics.handlerBacklog(name).set(backlog);
  }

  protected override isResync(old: Cached<T>, object: Cached<T>): boolean {
    if (old === object || this.#versions === undefined) return super.isResync(old, object);
    const version = this.#versions.of(object);
    return version !== undefined && version === this.#versions.of(old);
  }

  /**
   * The cache follows the resourceVersions it sees; of an object without its own it would forget
   * how far it is.
   */
  #followVersion(deltas: Deltas<T>): void {
    const last = deltas.at(-1);
    if (last === undefined || !("object" in last)) return;
    const version = this.#versions?.changed(last.object);
    if (version !== undefined) this.indexer.bookmark(version);
  }
}

/** Whether what the cache holds is the object in exactly this state. */
function isInState<T>(
  held: T | Cached<T> | undefined,
  { resourceVersion, uid }: ObjectIdentity,
): held is T {
  const metadata = metadataOf(held);
  return metadata?.resourceVersion === resourceVersion && metadata.uid === uid;
}
