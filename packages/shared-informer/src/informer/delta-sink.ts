import type { Clock, Deltas, KeyFunction, ListwatchError, Scope } from "@listwatch/core-fifo";
import {
  isDevelopment,
  linkAbort,
  metadataOf,
  ResourceVersionWaiters,
} from "@listwatch/core-fifo/base";
import type { IndexerReader, IndexValues } from "@listwatch/store-indexer";
import type { ChangeReceiver } from "../cache/delta-target.ts";
import { InformerCache } from "../cache/informer-cache.ts";
import type { InformerEvent } from "../cache/informer-event.ts";
import { effectiveResyncMs, ResyncPeriod } from "../delivery/resync-schedule.ts";
import type {
  AddListenerOptions,
  Listener,
  ResyncOptions,
  SharedProcessor,
} from "../delivery/shared-processor.ts";
import {
  createInformerStoppedError,
  type NotSyncedError,
  type WaitOptions,
} from "../delivery/wait-for-cache-sync.ts";
import type { InformerMetrics, InformerOptions, ReportError } from "./informer-options.ts";
import type { InformerReports } from "./informer-reports.ts";
import type { InformerSink, InformerSource, SinkStore } from "./informer-source.ts";
import type { InformerWrites } from "./informer-writes.ts";
import { WrittenReader } from "./written-reader.ts";

/** Parts that a {@link DeltaSink} connects, and the options of its cache and resyncs. */
export interface DeltaSinkParts<T, I extends IndexValues, S extends Scope = Scope> extends Pick<
  InformerOptions<T, I, S>,
  "cache" | "indexers" | "resyncMs"
> {
  readonly clock: Clock;
  readonly keyFunc: KeyFunction<T>;
  readonly metrics: InformerMetrics;
  readonly processor: SharedProcessor<T>;
  readonly reports: InformerReports<T>;
  /** Interrupts the work on a large list. */
  readonly signal: AbortSignal;
  readonly source: InformerSource<T>;
}

/**
 * Owns the cache. Applies the deltas of a source, to the cache and then to the mailboxes, in one
 * synchronous section.
 */
export class DeltaSink<T, I extends IndexValues> implements InformerSink<T> {
  readonly cache: InformerCache<T, I>;
  readonly report: ReportError<T>;
  /** Writes of this program that the cache does not show yet; absent if the source has none. */
  readonly writes: InformerWrites<T> | undefined;
  /** The cache for readers, who also see these writes. */
  readonly reader: IndexerReader<T, I>;
  /** Waits for a resourceVersion of the cache. */
  readonly #waiters = new ResourceVersionWaiters();
  readonly #detectRecreate: boolean;
  readonly #parts: DeltaSinkParts<T, I>;
  readonly #resyncPeriod: ResyncPeriod;
  readonly #synced = Promise.withResolvers<void>();
  readonly #receiver: ChangeReceiver<T>;
  readonly #relistReceiver: ChangeReceiver<T>;
  /** Whether changes that are applied come from a list. */
  #isList = false;
  #hasSynced = false;
  #loss: { readonly error: unknown; readonly sinceMs: number } | undefined;

  constructor(parts: DeltaSinkParts<T, I>) {
    this.#parts = parts;
    const { cache = {}, clock, indexers, keyFunc, processor, reports, resyncMs, source } = parts;
    const { ignoreUnknownDeletes, isSameContent } = source;
    this.report = reports.report;
    this.#detectRecreate = cache.detectRecreate ?? source.detectRecreate ?? true;
    this.#resyncPeriod = new ResyncPeriod(resyncMs);
    const freeze = cache.freeze ?? isDevelopment();
    this.cache = new InformerCache<T, I>({
      clock,
      freeze,
      ignoreUnknownDeletes,
      indexers,
      keyFunc,
      onIndexError: (error) => reports.report(error, { kind: "cache" }),
    });
    this.writes = source.createWrites?.({
      freeze,
      cached: (key) => this.cache.store.getByKey(key),
      version: () => this.resourceVersion,
    });
    this.reader = new WrittenReader(this.cache.store, this.writes);
    const beginList = (): void => processor.beginList();
    const endList = (): void => processor.endList();
    this.#receiver = { notify: (event) => this.#deliver(event), beginList, endList, isSameContent };
    this.#relistReceiver = { ...this.#receiver, notify: (event) => this.#deliverDrift(event) };
    // An informer may end before anyone waits for it. That is not an unhandled rejection.
    this.#synced.promise.catch(() => {});
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** A change that could not be applied and that no list has repaired so far. */
  get loss(): { readonly error: unknown; readonly sinceMs: number } | undefined {
    return this.#loss;
  }

  /** The resourceVersion up to which the cache is complete. */
  get resourceVersion(): string {
    const { progress } = this.#parts.source;
    if (progress === undefined) return this.cache.store.lastStoreSyncResourceVersion;
    return this.#hasSynced ? progress.resourceVersion : "";
  }

  get store(): SinkStore<T> {
    return this.cache.store;
  }

  get resyncCheckPeriodMs(): number {
    return this.#resyncPeriod.checkMs;
  }

  /** Adds a mailbox and fills it with the content of the cache. */
  addListener(listener: Listener<T>, options: AddListenerOptions, isStarted: boolean): void {
    const { processor, reports } = this.#parts;
    const period = this.#resyncPeriod;
    const resyncMs = period.admit(options.resyncMs, isStarted);
    processor.setResyncCheckPeriod(period.checkMs);
    // Without an `await` the cache does not change between adding the mailbox and reading.
    processor.addListener(listener, { ...options, resyncMs });
    if (options.changesOnly !== true) {
      const requestedMs = period.requestedMs(options.resyncMs);
      const effectiveMs = effectiveResyncMs(resyncMs, period.checkMs);
      reports.warnOfResync(listener.name, requestedMs, effectiveMs);
    }
    for (const [key, object] of this.cache.entries()) {
      listener.push({ type: "add", key, object, isInInitialList: true });
    }
  }

  apply(
    deltas: Deltas<T>,
    isInInitialList: boolean,
    resourceVersion?: string,
  ): Promise<void> | undefined {
    const { cache, report } = this;
    const { clock, metrics, signal } = this.#parts;
    const startMs = metrics.processingLatency && clock.now();
    const isList = deltas[0]?.type === "ReplacedAll";
    const receiver = this.#hasSynced && isList ? this.#relistReceiver : this.#receiver;
    this.#isList = isList;
    let isLost = false;
    // A failed change is lost until the next relist, as in client-go.
    const reportLoss = (error: unknown): void => {
      isLost = true;
      this.#loss ??= { error, sinceMs: clock.now() };
      report(error, { kind: "cache" });
    };
    const finish = (): void => {
      if (isList && !isLost) this.#loss = undefined;
      if (resourceVersion !== undefined) cache.bookmark(resourceVersion);
      this.#measure(metrics, startMs);
      this.writes?.reach?.(isList);
      if (this.#parts.source.progress === undefined) this.#waiters.reach(this.resourceVersion);
    };
    try {
      // A second run of a source lists again. For handlers that list is not the initial one.
      const isInitial = isInInitialList && !this.#hasSynced;
      const applying = cache.apply(deltas, isInitial, receiver, signal);
      if (applying !== undefined) return applying.catch(reportLoss).then(finish);
    } catch (error) {
      reportLoss(error);
    }
    finish();
    return undefined;
  }

  noteOtherHistory(): void {
    this.writes?.forget?.();
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

  shouldResync(options?: ResyncOptions): boolean {
    const { processor } = this.#parts;
    return processor.waitForRoom() === undefined && processor.shouldResync(options);
  }

  /**
   * Resolves when the cache is complete up to this resourceVersion; see
   * `Informer.waitForResourceVersion`.
   */
  async waitForResourceVersion(resourceVersion: string, options: WaitOptions): Promise<void> {
    const waiters = this.#waiters;
    waiters.reach(this.resourceVersion);
    const { progress } = this.#parts.source;
    if (progress === undefined) return waiters.wait(resourceVersion, options);
    const wait = linkAbort(options.signal);
    const { signal } = wait;
    const sourcesReach = async (): Promise<void> => {
      await this.synced.catch(() => {
        throw createStoppedError();
      });
      await progress.waitForResourceVersion(resourceVersion, { signal });
    };
    try {
      // The first wait ends with the informer, and at once if the string is not a resourceVersion.
      await Promise.race([waiters.wait(resourceVersion, { signal }), sourcesReach()]);
    } finally {
      wait.abort();
    }
  }

  /** Ends all waits. */
  end(notSynced: NotSyncedError): void {
    this.#synced.reject(notSynced);
    this.#waiters.end(createStoppedError());
    this.writes?.end?.();
  }

  /** Delivers a change that is already in the cache. Equal states are only delivered by a resync. */
  #deliver(event: InformerEvent<T>): void {
    const { processor } = this.#parts;
    if (!this.#isList && this.writes?.isEmpty === false) this.writes.match(event);
    if (this.#isUnchanged(event)) {
      processor.distributeResync(event);
    } else if (
      this.#detectRecreate &&
      event.type === "update" &&
      isRecreated(event.old, event.object)
    ) {
      const { key, object, old } = event;
      processor.distribute({ type: "delete", key, stale: true, object: old });
      processor.distribute({ type: "add", key, object, isInInitialList: false });
    } else {
      processor.distribute(event);
    }
  }

  #deliverDrift(event: InformerEvent<T>): void {
    if (!this.#isUnchanged(event)) this.#parts.metrics.driftedObjects?.inc();
    this.#deliver(event);
  }

  /** Updates between equal states only go to the handlers that take part in a resync. */
  #isUnchanged(event: InformerEvent<T>): boolean {
    if (event.type !== "update") return false;
    return this.#parts.source.isSameState(event.old, event.object);
  }

  #measure(metrics: InformerMetrics, startMs: number | undefined): void {
    const { clock, processor } = this.#parts;
    if (startMs !== undefined) metrics.processingLatency?.observe((clock.now() - startMs) / 1000);
    const { handlerBacklog, storeResourceVersion } = metrics;
    // Without a sink there are neither.
    if (storeResourceVersion === undefined || handlerBacklog === undefined) return;
    const version = resourceVersionAsNumber(this.resourceVersion);
    if (version !== undefined) storeResourceVersion.set(version);
    for (const { backlog, name } of processor.listeners) handlerBacklog(name).set(backlog);
  }
}

function createStoppedError(): ListwatchError {
  return createInformerStoppedError("wait for a resourceVersion");
}

/** Whether two states belong to two objects with one name. */
function isRecreated(old: unknown, object: unknown): boolean {
  const uid = metadataOf(object)?.uid;
  return uid !== undefined && metadataOf(old)?.uid !== uid;
}

/**
 * Digits that a number holds exactly; client-go keeps the same number,
 * tools/cache/informer_metrics.go.
 */
const exactDigits = 15;

/** Converts a resourceVersion for a gauge, 0 for none; `undefined` if it is not a number. */
function resourceVersionAsNumber(resourceVersion: string): number | undefined {
  if (resourceVersion === "") return 0;
  return /^[0-9]+$/.test(resourceVersion) ? Number(resourceVersion.slice(-exactDigits)) : undefined;
}
