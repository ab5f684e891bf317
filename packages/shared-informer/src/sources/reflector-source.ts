import { isStatusError } from "@listwatch/client";
import {
  metaNamespaceKey,
  RealFIFO,
  systemClock,
  type Cached,
  type Clock,
  type Deltas,
  type KeyFunction,
  type KubernetesObject,
  type PoppedDeltas,
  type Transform,
} from "@listwatch/core-fifo";
import {
  checkFunctions,
  checkOneOf,
  linkAbort,
  untilAborted,
  metadataOf,
} from "@listwatch/core-fifo/base";
import {
  Reflector,
  type ReflectorErrorContext,
  type ReflectorStatus,
  type ReflectorStore,
} from "@listwatch/reflector";
import type { IndexValues } from "@listwatch/store-indexer";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import { createReport, guardInformerMetrics, type Report } from "../informer/informer-options.ts";
import type { InformerSink, InformerSource } from "../informer/informer-source.ts";
import { problemOf, type SourceStatus } from "../informer/informer-status.ts";
import { pumpDeltas } from "./delta-pump.ts";
import type { SharedInformerOptions, WatchErrorHandler } from "./shared-informer-options.ts";
import { SourceVersions } from "./source-versions.ts";

/** A list and watch of a collection, and the queue between it and the cache of an informer. */
export class ReflectorSource<
  T extends KubernetesObject,
  I extends IndexValues,
> implements InformerSource<T> {
  readonly #options: SharedInformerOptions<T, I>;
  readonly #clock: Clock;
  readonly #keyFunc: KeyFunction<T>;
  readonly #metrics: InformerMetrics | undefined;
  readonly #report: Report<T>;
  readonly #versions: SourceVersions | undefined;
  #transform: Transform<T> | undefined;
  #onWatchError: WatchErrorHandler | undefined;
  #reflector: Reflector<T> | undefined;
  #queue: RealFIFO<T> | undefined;

  /** @throws {InvalidOptionsError} if an option has none of its values, or is missing */
  constructor(options: SharedInformerOptions<T, I>) {
    const { behaviour, cache, clock = systemClock, listerWatcher, retry, telemetry } = options;
    checkFunctions("listerWatcher", listerWatcher, ["list", "watch"]);
    checkOneOf("retry.whenForbidden", retry?.whenForbidden, ["retry", "stop"]);
    checkOneOf("retry.whenNotFound", retry?.whenNotFound, ["retry", "stop", "wait"]);
    this.#options = options;
    this.#clock = clock;
    this.#keyFunc = cache?.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#report = createReport(options);
    this.#metrics = guardInformerMetrics(telemetry?.metrics, this.#report);
    this.#versions = behaviour?.keepResourceVersions === false ? undefined : new SourceVersions();
    this.#transform = cache?.transform;
    this.#onWatchError = retry?.onWatchError;
  }

  /** The resourceVersion up to which list and watch have read; `""` before the first list. */
  get lastSyncResourceVersion(): string {
    return this.#reflector?.lastSyncResourceVersion ?? "";
  }

  /** Sets the transform of the runs that follow. */
  setTransform(transform: Transform<T> | undefined): void {
    this.#transform = transform;
  }

  /** Sets what is called with failed lists and watches. */
  setWatchErrorHandler(handler: WatchErrorHandler | undefined): void {
    this.#onWatchError = handler;
  }

  status(): SourceStatus {
    const source = this.#reflector?.status();
    const queuedDeltas = this.#queue?.length ?? 0;
    return {
      source,
      problem: source && problemOf(source),
      queuedDeltas,
      freshAsOfMs: source && queuedDeltas === 0 ? lastMessageMs(source) : undefined,
    };
  }

  isSameState(old: Cached<T>, object: Cached<T>): boolean {
    if (old === object) return true;
    const version = this.#versionOf(object);
    return version !== undefined && version === this.#versionOf(old);
  }

  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    const queue = this.#createQueue();
    const reflector = this.#createReflector(queue, sink);
    this.#queue = queue;
    this.#reflector = reflector;
    // Neither of the two is of use without the other.
    const both = linkAbort(signal);
    const end = (): void => both.abort();
    const reflecting = reflector.run(both.signal).finally(end);
    const apply = (batch: PoppedDeltas<T>): Promise<void> | undefined =>
      this.#apply(batch, queue, sink, both.signal);
    const applying = pumpDeltas(queue, apply, { clock: this.#clock, signal: both.signal }).finally(
      end,
    );
    await Promise.allSettled([reflecting, applying]);
    queue.close();
    await reflecting;
    await applying;
  }

  #createQueue(): RealFIFO<T> {
    const transform = this.#transform;
    return new RealFIFO<T>({
      name: this.#options.name,
      keyFunc: this.#keyFunc,
      transform: transform && (this.#versions?.watch(transform) ?? transform),
      behaviour: this.#options.behaviour,
      onError: (error) => this.#report(error, { kind: "cache" }),
    });
  }

  #createReflector(queue: RealFIFO<T>, sink: InformerSink<T>): Reflector<T> {
    const { behaviour, list, listerWatcher, name = "informer", retry, telemetry } = this.#options;
    return new Reflector<T>({
      behaviour,
      clock: this.#clock,
      list,
      listerWatcher,
      metrics: this.#metrics,
      name,
      onError: (error, context) => this.#decide(error, context),
      onTrace: telemetry?.onTrace,
      random: retry?.random,
      retry,
      store: this.#storeOf(queue, sink),
      watch: {
        ...this.#options.watch,
        resyncMs: sink.resyncCheckPeriodMs,
        shouldResync: () => sink.shouldResync(),
      },
    });
  }

  #decide(error: unknown, context: ReflectorErrorContext): "retry" | "stop" {
    const { whenForbidden = "retry", whenNotFound = "retry" } = this.#options.retry ?? {};
    const reaction =
      (isStatusError(error, "Forbidden") && whenForbidden) ||
      (isStatusError(error, "NotFound") && whenNotFound) ||
      "retry";
    if (reaction === "wait") return "retry";
    const handler = this.#onWatchError;
    if (handler === undefined) this.#report(error, { kind: "watch" });
    return handler?.(error, context) ?? reaction;
  }

  /**
   * What the reflector writes to. With the usual key and without a transform, an object that a
   * relist brings again in the same state is the one that is in the cache, which saves parsing and
   * memory.
   */
  #storeOf(queue: RealFIFO<T>, sink: InformerSink<T>): ReflectorStore<T> {
    if (this.#transform !== undefined || this.#options.cache?.keyFunc !== undefined) return queue;
    return {
      add: (object) => queue.add(object),
      update: (object) => queue.update(object),
      delete: (object) => queue.delete(object),
      replace: (objects, resourceVersion) => queue.replace(objects, resourceVersion),
      resync: () => queue.resync(),
      bookmark: (resourceVersion) => queue.bookmark(resourceVersion),
      waitForCapacity: (options) => queue.waitForCapacity(options),
      reuse: (identity) => {
        const held = sink.store.getByKey(metaNamespaceKey({ metadata: identity }));
        return isInState<T>(held, identity) ? held : undefined;
      },
    };
  }

  #apply(
    { deltas, isInInitialList }: PoppedDeltas<T>,
    queue: RealFIFO<T>,
    sink: InformerSink<T>,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const finish = (): Promise<void> | undefined => {
      queue.finishBatch();
      if (queue.hasSynced) sink.markSynced();
      this.#metrics?.queuedItems?.set(queue.length);
      const room = sink.waitForRoom();
      // The first list is not delayed, so that the informer is synced as soon as it is applied.
      if (room === undefined || isInInitialList) return undefined;
      return untilAborted(room, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    };
    const applying = sink.apply(deltas, isInInitialList, this.#changedVersion(deltas));
    return applying === undefined ? finish() : applying.then(finish);
  }

  /**
   * The cache follows the resourceVersions of its objects; of one that lost its own in the
   * transform it would not know how far it is.
   */
  #changedVersion(deltas: Deltas<T>): string | undefined {
    const last = deltas.at(-1);
    switch (last?.type) {
      case "Added":
      case "Updated":
      case "Replaced":
      case "Sync":
      case "Deleted":
        return this.#versions?.changed(last.object);
      case "ReplacedAll":
      case "SyncAll":
      case "Bookmark":
      case undefined:
    }
    return undefined;
  }

  #versionOf(object: unknown): string | undefined {
    return this.#versions === undefined
      ? metadataOf(object)?.resourceVersion
      : this.#versions.of(object);
  }
}

/** When the last message of a reflector that works arrived. */
function lastMessageMs(status: ReflectorStatus): number | undefined {
  const { attempts, lastBookmarkMs = 0, lastEventMs = 0, lastListMs = 0, phase } = status;
  if (phase !== "watching" || attempts > 0) return undefined;
  return Math.max(lastBookmarkMs, lastEventMs, lastListMs);
}

/** Whether what the cache holds is the object in exactly this state. */
function isInState<T>(
  held: T | Cached<T> | undefined,
  { resourceVersion, uid }: { readonly resourceVersion: string; readonly uid: string },
): held is T {
  const metadata = metadataOf(held);
  return metadata?.resourceVersion === resourceVersion && metadata.uid === uid;
}
