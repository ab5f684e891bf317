import { isStatusError } from "@listwatch/client";
import {
  metaNamespaceKey,
  objectName,
  RealFIFO,
  systemClock,
  type Cached,
  type Clock,
  type Deltas,
  type KeyFunction,
  type KubernetesObject,
  type ObjectName,
  type PoppedDeltas,
  type Transform,
} from "@listwatch/core-fifo";
import {
  asPlain,
  checkFunction,
  checkFunctions,
  checkOneOf,
  isPromiseLike,
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
import { keyOf } from "../cache/delta-target.ts";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import { guardInformerMetrics } from "../informer/informer-options.ts";
import type { InformerSink, InformerSource } from "../informer/informer-source.ts";
import { isBadRequest, problemOf, type SourceStatus } from "../informer/informer-status.ts";
import { UnusableObjects } from "../informer/unusable-objects.ts";
import { pumpDeltas } from "./delta-pump.ts";
import { KeepFilter } from "./keep-filter.ts";
import { QueueWriter } from "./queue-writer.ts";
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
  readonly #unusable = new UnusableObjects("unusableObject");
  /** In the cache, although it is not known whether they belong there. */
  readonly #undecided = new UnusableObjects("unusableObject");
  readonly #versions: SourceVersions | undefined;
  #transform: Transform<T> | undefined;
  #onWatchError: WatchErrorHandler | undefined;
  #reflector: Reflector<T> | undefined;
  #writer: QueueWriter<T> | undefined;
  #queue: RealFIFO<T> | undefined;
  /** Of a list that is being applied over several turns. */
  #deltasInProgress = 0;
  #metrics: InformerMetrics | undefined;

  /** @throws {InvalidOptionsError} if an option has none of its values, or is missing */
  constructor(options: SharedInformerOptions<T, I>) {
    const { behaviour, cache, clock = systemClock, listerWatcher, retry } = options;
    checkFunctions("listerWatcher", listerWatcher, ["list", "watch"]);
    checkFunction("cache.keep", cache?.keep);
    checkOneOf("retry.whenBadRequest", retry?.whenBadRequest, ["retry", "stop"]);
    checkOneOf("retry.whenForbidden", retry?.whenForbidden, ["retry", "stop"]);
    checkOneOf("retry.whenNotFound", retry?.whenNotFound, ["retry", "stop", "wait"]);
    this.#options = options;
    this.#clock = clock;
    this.#keyFunc = cache?.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#versions = behaviour?.keepResourceVersions === false ? undefined : new SourceVersions();
    this.#transform = cache?.transform;
    this.#onWatchError = retry?.onWatchError;
  }

  get ignoreUnknownDeletes(): boolean {
    return this.#options.behaviour?.checkKeys !== false;
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
    const queuedDeltas = (this.#queue?.length ?? 0) + this.#deltasInProgress;
    const isComplete = queuedDeltas === 0 && this.#unusable.isEmpty;
    const freshAsOfMs = source && isComplete ? lastEvidenceMs(source) : undefined;
    return {
      source,
      problem: (source && problemOf(source)) ?? this.#unusable.problem ?? this.#undecided.problem,
      queuedDeltas,
      freshAsOfMs,
      liveAsOfMs: freshAsOfMs && liveAsOfMs(freshAsOfMs, source, this.#clock.now()),
    };
  }

  isSameState(old: Cached<T>, object: Cached<T>): boolean {
    if (old === object) return true;
    const version = this.#versionOf(object);
    if (version === undefined || version !== this.#versionOf(old)) return false;
    // In another history of the server a version may come again, for another object.
    return this.#versions === undefined || metadataOf(object)?.uid === metadataOf(old)?.uid;
  }

  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    const { metrics } = this.#options.telemetry ?? {};
    this.#metrics = guardInformerMetrics(metrics, sink.report);
    const queue = this.#createQueue();
    this.#writer = this.#createWriter(queue, sink);
    const reflector = this.#createReflector(this.#filter(this.#writer ?? queue, sink), sink);
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
    const transform = this.#transform && this.#checkedTransform(this.#transform);
    const queuedItems = this.#metrics?.queuedItems;
    return new RealFIFO<T>({
      name: this.#options.name,
      observer: queuedItems && { lengthChanged: (length) => queuedItems.set(length) },
      clock: this.#clock,
      keyFunc: this.#keyFunc,
      transform: transform && (this.#versions?.watch(transform) ?? transform),
      behaviour: this.#options.behaviour,
      keepLeftOut: true,
      onError: (error) => this.#writer?.leaveOut(error),
    });
  }

  /**
   * A transform that leaves nothing to compute a key from has failed, while it is known whose: the
   * cache could neither hold such an object nor delete it.
   */
  #checkedTransform(transform: Transform<T>): Transform<T> {
    if (this.#options.behaviour?.checkKeys === false) return transform;
    return (object) => {
      const transformed = transform(object);
      // A promise is refused by the queue.
      if (!isPromiseLike(transformed)) keyOf(transformed, this.#keyFunc);
      return transformed;
    };
  }

  /** client-go's queue fails the whole list for one object, and loses an event. */
  #createWriter(queue: RealFIFO<T>, sink: InformerSink<T>): QueueWriter<T> | undefined {
    if (this.#options.behaviour?.checkKeys === false) return undefined;
    return new QueueWriter<T>({
      clock: this.#clock,
      keyFunc: this.#keyFunc,
      queue,
      report: sink.report,
      store: sink.store,
      unusable: this.#unusable,
    });
  }

  #filter(store: ReflectorStore<T>, sink: InformerSink<T>): ReflectorStore<T> {
    const { keep } = this.#options.cache ?? {};
    if (keep === undefined) return store;
    const findHeld = this.#findHeld(sink);
    return new KeepFilter<T>({
      store,
      keep,
      isHeld: (object) => findHeld !== undefined && findHeld(objectName(object)) === object,
      undecided: this.#undecided,
      report: (error) => sink.report(error, { kind: "cache" }),
      clock: this.#clock,
    });
  }

  #createReflector(store: ReflectorStore<T>, sink: InformerSink<T>): Reflector<T> {
    const { behaviour, list, listerWatcher, name = "informer", retry, telemetry } = this.#options;
    return new Reflector<T>({
      behaviour,
      clock: this.#clock,
      list: { ...list, held: this.#findHeld(sink) },
      listerWatcher,
      log: telemetry?.log,
      metrics: this.#metrics,
      name,
      onError: (error, context) => this.#decide(error, context, sink),
      onTrace: telemetry?.onTrace,
      random: retry?.random,
      retry,
      store,
      watch: {
        ...this.#options.watch,
        resyncMs: sink.resyncCheckPeriodMs,
        shouldResync: () => sink.shouldResync(),
      },
    });
  }

  #decide(
    error: unknown,
    context: ReflectorErrorContext,
    sink: InformerSink<T>,
  ): ReturnType<WatchErrorHandler> {
    const reaction = this.#reactionTo(error, context);
    if (reaction === "wait") return "retry";
    if (context.operation === "store" && this.#writer !== undefined) {
      if (context.recovery !== "skip") return this.#onWatchError?.(error, context) ?? "retry";
      // Left out of the streamed list that is being read.
      this.#writer.leaveOut(error);
      return "retry";
    }
    const handler = this.#onWatchError;
    if (this.#writer?.isRefusal(error) === true) return handler?.(error, context) ?? "retry";
    if (handler !== undefined) return handler(error, context) ?? reaction;
    // The reflector knows which failures are normal, and when it works again.
    if (this.#options.onError === undefined && reaction === "retry") return "log";
    sink.report(error, { kind: "watch" });
    return reaction;
  }

  #reactionTo(error: unknown, { recovery }: ReflectorErrorContext): "retry" | "stop" | "wait" {
    const { whenBadRequest, whenForbidden, whenNotFound } = this.#options.retry ?? {};
    // A server may only refuse to stream the list: an ordinary one follows at once.
    const isFinal = recovery !== "list" && recovery !== "newest";
    const reaction =
      (isStatusError(error, "Forbidden") && whenForbidden) ||
      (isStatusError(error, "NotFound") && whenNotFound) ||
      (isBadRequest(error) && isFinal && whenBadRequest);
    return reaction || "retry";
  }

  /**
   * Finds what the cache holds, for relists. With a key of the user's own or a transform, what is
   * in the cache is not found by name, or not what the server sends.
   */
  #findHeld(sink: InformerSink<T>): ((name: ObjectName) => T | undefined) | undefined {
    if (this.#transform !== undefined || this.#options.cache?.keyFunc !== undefined) {
      return undefined;
    }
    return (name) => {
      const held = sink.store.getByKey(metaNamespaceKey({ metadata: name }));
      return held === undefined ? undefined : asPlain<T>(held);
    };
  }

  #apply(
    { deltas, isInInitialList }: PoppedDeltas<T>,
    queue: RealFIFO<T>,
    sink: InformerSink<T>,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const finish = (): Promise<void> | undefined => {
      this.#deltasInProgress = 0;
      queue.finishBatch();
      if (queue.hasSynced) sink.markSynced();
      const room = sink.waitForRoom();
      // The first list is not delayed, so that the informer is synced as soon as it is applied.
      if (room === undefined || isInInitialList) return undefined;
      return untilAborted(room, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    };
    const applying = sink.apply(deltas, isInInitialList, this.#changedVersion(deltas));
    if (applying === undefined) return finish();
    this.#deltasInProgress = deltas.length;
    return applying.then(finish);
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

/** When a server that works last sent a message, or accepted the watch. */
function lastEvidenceMs(status: ReflectorStatus): number | undefined {
  const { attempts, lastBookmarkMs = 0, lastEventMs = 0, lastListMs = 0, lastWatchMs = 0 } = status;
  if (status.phase !== "watching" || attempts > 0) return undefined;
  return Math.max(lastBookmarkMs, lastEventMs, lastListMs, lastWatchMs);
}

/** The present, while the watch is open and its silence is no sign that it is dead. */
function liveAsOfMs(
  freshAsOfMs: number,
  source: ReflectorStatus | undefined,
  nowMs: number,
): number {
  const { silentUntilMs = 0 } = source ?? {};
  return nowMs <= silentUntilMs ? nowMs : freshAsOfMs;
}
