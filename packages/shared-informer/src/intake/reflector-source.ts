import {
  ListwatchError,
  metaNamespaceKey,
  objectName,
  systemClock,
  type Cached,
  type Clock,
  type Deltas,
  type KeyFunction,
  type KubernetesObject,
  type ObjectName,
  type PoppedDeltas,
  type RealFIFO,
  type Preset,
  type Transform,
} from "@listwatch/core-fifo";
import {
  asPlain,
  isInstance,
  linkAbort,
  untilAborted,
  resourceVersionOf,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aString,
  aTraceSink,
  having,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { reflectorGroups, requiredType } from "@listwatch/reflector/base";
import {
  OtherHistoryError,
  Reflector,
  type ListerWatcher,
  type ReflectorErrorContext,
  type ReflectorListOptions,
  type ReflectorOptions,
  type ReflectorRetryOptions,
  type ReflectorStore,
  type ReflectorTrace,
  type ReflectorWatchOptions,
} from "@listwatch/reflector";
import {
  createInformerMeters,
  type InformerMetrics,
  type InformerTelemetry,
} from "../informer/informer-options.ts";
import type { InformerSink, InformerSource } from "../informer/informer-source.ts";
import {
  lastEvidenceMs,
  liveAsOfMs,
  problemOf,
  type SourceStatus,
} from "../informer/informer-status.ts";
import { OwnWrites, type OwnWritesCache } from "../informer/own-writes.ts";
import { pumpDeltas } from "./delta-pump.ts";
import { ObjectGate } from "./object-gate.ts";
import { aBehaviour, resolveBehaviour, type InformerBehaviour } from "./informer-behaviour.ts";
import type { SourceCacheOptions } from "./shared-informer-options.ts";
import { WriteGate } from "./write-gate.ts";

/**
 * Called with each failed list or watch. `"stop"` and an error that it throws end the informer, and
 * `"log"` leaves the failure to the log.
 */
export type WatchErrorHandler = NonNullable<ReflectorOptions<never>["onError"]>;

/** Log, metrics and traces of a {@link ReflectorSource}. */
export interface ReflectorSourceTelemetry extends InformerTelemetry {
  /**
   * Called with events worth logging. An error that it throws goes to `onError` and has no other
   * effect.
   *
   * @default none
   */
  readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
}

/** Options of a {@link ReflectorSource}: those of a reflector and of its queue. */
export interface ReflectorSourceOptions<T extends KubernetesObject> extends Pick<
  ReflectorOptions<T>,
  "clock" | "random"
> {
  /** Source of lists and watches, such as `httpListerWatcher`. */
  readonly listerWatcher: ListerWatcher<T>;
  /** Name for reports and metrics. @default "informer" */
  readonly name?: string | undefined;
  /** Keys, selection and form of the objects. @default {} */
  readonly cache?: SourceCacheOptions<T> | undefined;
  /** Pages and streams of lists. @default {} */
  readonly list?: Omit<ReflectorListOptions<T>, "held"> | undefined;
  /** Limits and behaviour of watches. @default {} */
  readonly watch?: Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync"> | undefined;
  /** Delays after failures. @default {} */
  readonly retry?: ReflectorRetryOptions | undefined;
  /** Log, metrics and traces. @default {} */
  readonly telemetry?: ReflectorSourceTelemetry | undefined;
  /** Same as the option `behaviour` of {@link SharedInformerOptions}. @default none */
  readonly behaviour?: Preset<"clientGoInformerBehaviour"> | undefined;
}

/** Checks of {@link SourceCacheOptions}. */
export const sourceCacheTable: OptionsOf<SourceCacheOptions<never>> = {
  keyFunc: aFunction,
  keep: aFunction,
  transform: aFunction,
};

/** Checks of {@link ReflectorSourceOptions}. */
// A function: bundlers keep a constant that is spread from others, used or not.
export const createSourceTable = (): OptionsOf<ReflectorSourceOptions<never>> => ({
  listerWatcher: having("list", "watch"),
  name: aString,
  cache: sourceCacheTable,
  ...reflectorGroups,
  telemetry: { metrics: aMetricsSink, traces: aTraceSink, log: aLog, onTrace: aFunction },
  behaviour: aBehaviour,
  clock: aClock,
  random: aFunction,
});

/**
 * The source of a {@link SharedInformer}: a list and watch of a collection, and the queue between
 * it and the cache of an informer. For reflector options that a SharedInformer does not have,
 * combine it with an {@link Informer}.
 *
 * ```ts
 * import { Informer, ReflectorSource } from "@listwatch/shared-informer";
 *
 * const source = new ReflectorSource<{ metadata: { name: string } }>({
 *   listerWatcher: {
 *     list: async () => ({
 *       metadata: { resourceVersion: "1" },
 *       items: [{ metadata: { name: "a" } }],
 *     }),
 *     watch: async () => ({ async *[Symbol.asyncIterator]() {} }),
 *   },
 *   retry: { backoff: { baseMs: 100 } },
 * });
 * await using informer = new Informer(source, { name: "pods" });
 * void informer.run();
 * await informer.synced;
 * console.log(informer.store.listKeys()); // ["a"]
 * ```
 */
export class ReflectorSource<T extends KubernetesObject> implements InformerSource<T> {
  readonly #options: ReflectorSourceOptions<T>;
  readonly #behaviour: InformerBehaviour;
  readonly #clock: Clock;
  readonly #keyFunc: KeyFunction<T>;
  #transform: Transform<T> | undefined;
  #onWatchError: WatchErrorHandler | undefined;
  #reflector: Reflector<T> | undefined;
  /** Created by the first run, and kept: the cache contains what passed it. */
  #gate: ObjectGate<T> | undefined;
  /** Created by the first run, if the source has a known collection. */
  #writeGate: WriteGate<T> | undefined;
  #queue: RealFIFO<T> | undefined;
  /** Number of deltas of a list that is applied over several turns. */
  #deltasInProgress = 0;
  #metrics: InformerMetrics | undefined;

  /** @throws {InvalidOptionsError} if an option is missing or has a value that is not allowed */
  constructor(options: ReflectorSourceOptions<T>) {
    checkOptions(options, createSourceTable(), ["listerWatcher", ...requiredType]);
    const { cache, clock = systemClock } = options;
    this.#options = options;
    this.#behaviour = resolveBehaviour(options.behaviour);
    this.#clock = clock;
    this.#keyFunc = cache?.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#transform = cache?.transform;
  }

  get ignoreUnknownDeletes(): boolean {
    return this.#behaviour.leavesOut;
  }

  get isSameContent(): InformerSource<T>["isSameContent"] {
    return this.#behaviour.isSameContent;
  }

  get detectRecreate(): boolean {
    return this.#behaviour.detectRecreate;
  }

  /** The resourceVersion up to which list and watch have read, `""` before the first list. */
  get lastSyncResourceVersion(): string {
    return this.#reflector?.lastSyncResourceVersion ?? "";
  }

  /**
   * Sets the transform; the last one counts.
   *
   * @param transform changes each object before it is cached; `undefined` for none
   * @throws {ListwatchError} with the code `LW_INFORMER_STARTED` after the first start
   */
  setTransform(transform: Transform<T> | undefined): void {
    this.#checkUnstarted("set a transform");
    this.#transform = transform;
  }

  /**
   * Sets the function that is called with failed lists and watches, instead of the `onError` of the
   * informer; the last one counts.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STARTED` after the first start
   */
  setWatchErrorHandler(handler: WatchErrorHandler | undefined): void {
    this.#checkUnstarted("set a watch error handler");
    this.#onWatchError = handler;
  }

  status(): SourceStatus {
    const source = this.#reflector?.status();
    const queuedDeltas = this.#queuedDeltas;
    const isComplete = queuedDeltas === 0 && this.#gate?.isComplete !== false;
    const freshAsOfMs = source && isComplete ? lastEvidenceMs(source) : undefined;
    return {
      source,
      problem: (source && problemOf(source)) ?? this.#gate?.problem,
      queuedDeltas,
      freshAsOfMs,
      liveAsOfMs: freshAsOfMs && liveAsOfMs(freshAsOfMs, source, this.#clock.now()),
    };
  }

  isSameState(old: Cached<T>, object: Cached<T>): boolean {
    if (old === object) return true;
    const version = this.#versionOf(object);
    if (version === undefined || version !== this.#versionOf(old)) return false;
    // In another history of the server, a version may belong to another object or state.
    return this.#behaviour.isSameContent?.(old, object) ?? true;
  }

  createWrites(cache: OwnWritesCache<T>): OwnWrites<T> {
    return new OwnWrites((write, effect) => this.#writeGate?.admit(write, effect), cache);
  }

  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    const { name = "informer", telemetry } = this.#options;
    this.#metrics = createInformerMeters(telemetry?.metrics, name, sink.report);
    this.#gate ??= this.#createGate(sink);
    this.#writeGate ??= this.#createWriteGate();
    const queue = this.#createQueue(this.#gate);
    const reflector = this.#createReflector(queue, sink);
    this.#queue = queue;
    this.#reflector = reflector;
    // Neither is useful without the other.
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

  get #queuedDeltas(): number {
    return (this.#queue?.length ?? 0) + this.#deltasInProgress;
  }

  #checkUnstarted(action: string): void {
    if (this.#queue === undefined) return;
    const message = `Cannot ${action}: the informer has already started`;
    throw new ListwatchError("LW_INFORMER_STARTED", message);
  }

  #createGate(sink: InformerSink<T>): ObjectGate<T> {
    const findHeld = this.#findHeld(sink);
    return new ObjectGate<T>({
      clock: this.#clock,
      isHeld: findHeld && ((object) => findHeld(objectName(object)) === object),
      keep: this.#options.cache?.keep,
      keyFunc: this.#keyFunc,
      sink,
      transform: this.#transform,
    });
  }

  #createWriteGate(): WriteGate<T> | undefined {
    const { cache, listerWatcher } = this.#options;
    const { collection } = listerWatcher;
    if (collection === undefined) return undefined;
    return new WriteGate<T>({
      collection,
      keep: cache?.keep,
      keyFunc: this.#keyFunc,
      transform: this.#transform,
    });
  }

  #createQueue(gate: ObjectGate<T>): RealFIFO<T> {
    const queuedItems = this.#metrics?.queuedItems;
    return this.#behaviour.createQueue(gate, {
      clock: this.#clock,
      keyFunc: this.#keyFunc,
      name: this.#options.name,
      observer: queuedItems && { lengthChanged: (length) => queuedItems.set(length) },
      transform: this.#transform,
    });
  }

  #createReflector(store: ReflectorStore<T>, sink: InformerSink<T>): Reflector<T> {
    const { list, listerWatcher, name = "informer", random, retry, telemetry } = this.#options;
    return new Reflector<T>({
      behaviour: this.#behaviour.reflector,
      clock: this.#clock,
      list: { ...list, held: this.#findHeld(sink) },
      listerWatcher,
      log: telemetry?.log,
      metrics: telemetry?.metrics,
      traces: telemetry?.traces,
      name,
      onError: (error, context) => this.#decide(error, context, sink),
      onTrace: telemetry?.onTrace,
      random,
      retry,
      store,
      watch: {
        ...this.#options.watch,
        resyncMs: sink.resyncCheckPeriodMs,
        shouldResync: () => sink.shouldResync(this.#behaviour.resync),
      },
    });
  }

  #decide(
    error: unknown,
    context: ReflectorErrorContext,
    sink: InformerSink<T>,
  ): ReturnType<WatchErrorHandler> {
    if (context.operation === "metrics") {
      sink.report(error, { kind: "metrics" });
      return "retry";
    }
    if (isInstance(error, OtherHistoryError)) sink.noteOtherHistory?.();
    if (this.#gate?.hasThrown(error) === true) return "retry";
    // An object of a streamed list has no name.
    if (context.operation === "store" && this.#behaviour.leavesOut) {
      this.#gate?.leaveOut(error);
      return "retry";
    }
    if (this.#onWatchError !== undefined) return this.#onWatchError(error, context);
    return sink.report(error, { kind: "watch", ...context });
  }

  /**
   * Looks up cached objects for relists. With a custom key function or a transform, they cannot be
   * found by name, or differ from the objects of the server.
   */
  #findHeld(sink: InformerSink<T>): ((name: ObjectName) => T | undefined) | undefined {
    if (this.#transform !== undefined || this.#options.cache?.keyFunc !== undefined) {
      return undefined;
    }
    return (name) => {
      // The cache lags behind while deltas wait, such as a list with new objects of equal versions.
      if (this.#queuedDeltas > 0) return undefined;
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
      // The first list is not delayed, so that the informer syncs as soon as it is applied.
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
   * The cache reads resourceVersions from its objects. If the transform removed one, the cache
   * would not know how complete it is.
   */
  #changedVersion(deltas: Deltas<T>): string | undefined {
    const last = deltas.at(-1);
    return last !== undefined && "object" in last
      ? this.#gate?.changedVersionOf(last.object)
      : undefined;
  }

  #versionOf(object: unknown): string | undefined {
    return this.#gate === undefined ? resourceVersionOf(object) : this.#gate.versionOf(object);
  }
}
