import { ResourceVersionWaiters, type Clock, type Deltas } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import type { IndexValues } from "@listwatch/store-indexer";
import type { InformerCache } from "../cache/informer-cache.ts";
import type { InformerEvent } from "../cache/informer-event.ts";
import type { ResyncPeriod } from "../delivery/resync-schedule.ts";
import type { SharedProcessor } from "../delivery/shared-processor.ts";
import { resourceVersionAsNumber, type InformerMetrics } from "./informer-metrics.ts";
import type { Report } from "./informer-options.ts";
import type { InformerSink, InformerSource, SinkStore } from "./informer-source.ts";

/** What a {@link DeltaSink} connects. */
export interface DeltaSinkParts<T, I extends IndexValues> {
  readonly cache: InformerCache<T, I>;
  readonly clock: Clock;
  readonly detectRecreate: boolean;
  readonly metrics: InformerMetrics | undefined;
  readonly processor: SharedProcessor<T>;
  readonly report: Report<T>;
  readonly resyncPeriod: ResyncPeriod;
  /** Ends the turns of a large list. */
  readonly signal: AbortSignal;
  readonly source: InformerSource<T>;
}

/** Applies what a source brings: first the cache, then the mailboxes, in one synchronous section. */
export class DeltaSink<T, I extends IndexValues> implements InformerSink<T> {
  readonly store: SinkStore<T>;
  /** The waits for a resourceVersion of the cache. */
  readonly waiters: ResourceVersionWaiters = new ResourceVersionWaiters();
  readonly #parts: DeltaSinkParts<T, I>;
  readonly #synced = Promise.withResolvers<void>();
  #hasSynced = false;

  constructor(parts: DeltaSinkParts<T, I>) {
    this.#parts = parts;
    this.store = parts.cache.store;
    // An informer that ends early with no wait in progress is no reason for an unhandled rejection.
    this.#synced.promise.catch(() => {});
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** The resourceVersion up to which the cache is complete. */
  get resourceVersion(): string {
    const { cache, source } = this.#parts;
    const { progress } = source;
    if (progress === undefined) return cache.store.lastStoreSyncResourceVersion;
    return this.#hasSynced ? progress.resourceVersion : "";
  }

  get resyncCheckPeriodMs(): number {
    return this.#parts.resyncPeriod.checkMs;
  }

  apply(
    deltas: Deltas<T>,
    isInInitialList: boolean,
    resourceVersion?: string,
  ): Promise<void> | undefined {
    const { cache, clock, metrics, report, signal } = this.#parts;
    const startMs = metrics?.processingLatency && clock.now();
    const isRelist = this.#hasSynced && deltas[0]?.type === "ReplacedAll";
    const notify = isRelist ? this.#deliverDrift : this.#deliver;
    // What could not be applied is lost until the next relist, as in client-go.
    const reportLoss = (error: unknown): void => report(error, { kind: "cache" });
    const finish = (): void => {
      if (resourceVersion !== undefined) cache.bookmark(resourceVersion);
      if (metrics !== undefined) this.#measure(metrics, startMs);
      if (this.#parts.source.progress === undefined) this.waiters.reach(this.resourceVersion);
    };
    try {
      // A source that is run again lists again; to the handlers that list is not the initial one.
      const isInitial = isInInitialList && !this.#hasSynced;
      const applying = cache.apply(deltas, isInitial, notify, signal);
      if (applying !== undefined) return applying.catch(reportLoss).then(finish);
    } catch (error) {
      reportLoss(error);
    }
    finish();
    return undefined;
  }

  markSynced(): void {
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
    this.#parts.processor.sourceSynced();
  }

  waitForRoom(): Promise<void> | undefined {
    return this.#parts.processor.waitForRoom();
  }

  shouldResync(): boolean {
    const { processor } = this.#parts;
    return processor.waitForRoom() === undefined && processor.shouldResync();
  }

  /** Ends every wait. */
  end(notSynced: unknown, stopped: unknown): void {
    this.#synced.reject(notSynced);
    this.waiters.end(stopped);
  }

  /** Delivers a change that the cache shows already; one without a difference only as a resync. */
  readonly #deliver = (event: InformerEvent<T>): void => {
    const { detectRecreate, processor } = this.#parts;
    if (this.#isUnchanged(event)) {
      processor.distributeResync(event);
    } else if (detectRecreate && event.type === "update" && isRecreated(event.old, event.object)) {
      const { key, object, old } = event;
      processor.distribute({ type: "delete", key, stale: true, object: old });
      processor.distribute({ type: "add", key, object, isInInitialList: false });
    } else {
      processor.distribute(event);
    }
  };

  readonly #deliverDrift = (event: InformerEvent<T>): void => {
    if (!this.#isUnchanged(event)) this.#parts.metrics?.driftedObjects?.inc();
    this.#deliver(event);
  };

  /** Updates between equal states go to the handlers that take part in a resync only. */
  #isUnchanged(event: InformerEvent<T>): boolean {
    return event.type === "update" && this.#parts.source.isSameState(event.old, event.object);
  }

  #measure(metrics: InformerMetrics, startMs: number | undefined): void {
    const { clock, processor } = this.#parts;
    if (startMs !== undefined) metrics.processingLatency?.observe((clock.now() - startMs) / 1000);
    const version = resourceVersionAsNumber(this.resourceVersion);
    if (version !== undefined) metrics.storeResourceVersion?.set(version);
    const { handlerBacklog } = metrics;
    if (handlerBacklog === undefined) return;
    for (const { backlog, name } of processor.listeners) handlerBacklog(name).set(backlog);
  }
}

/** Whether two states belong to two objects of one name. */
function isRecreated(old: unknown, object: unknown): boolean {
  const uid = metadataOf(object)?.uid;
  return uid !== undefined && metadataOf(old)?.uid !== uid;
}
