import {
  metaNamespaceKey,
  systemClock,
  type Clock,
  type KeyFunction,
  type KubernetesObject,
  type Scope,
} from "@listwatch/core-fifo";
import {
  AlreadyRunningError,
  checkAtLeast,
  checkOneOf,
  linkAbort,
  onAborted,
  provideDispose,
} from "@listwatch/core-fifo/base";
import {
  Lister,
  type IndexerReader,
  type Indexers,
  type IndexValues,
  type ListerOptions,
  type NoIndexes,
} from "@listwatch/store-indexer";
import { InformerCache } from "../cache/informer-cache.ts";
import {
  ListenerRegistration,
  type HandlerOptions,
  type HandlerRegistration,
} from "../delivery/handler-registration.ts";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import { ResyncPeriod } from "../delivery/resync-schedule.ts";
import {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
} from "../delivery/shared-processor.ts";
import { NotSyncedError, type UnsyncedReason } from "../delivery/not-synced-error.ts";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import { BufferedEventStream } from "../streams/buffered-event-stream.ts";
import type { EventsOptions, EventStream } from "../streams/event-stream.ts";
import { assertIndexes } from "./assert-indexes.ts";
import { problemOfIndexes, problemOfLoss } from "./cache-problem.ts";
import { DeltaSink } from "./delta-sink.ts";
import { createInformerStoppedError } from "./errors.ts";
import { describeFailure, explainUnsynced } from "./explain-unsynced.ts";
import { InformerListeners } from "./informer-listeners.ts";
import { guardInformerMetrics, type InformerOptions } from "./informer-options.ts";
import { InformerReports } from "./informer-reports.ts";
import type { InformerSource } from "./informer-source.ts";
import type { InformerPhase, InformerStatus } from "./informer-status.ts";

provideDispose();

/** Options of {@link Informer.isFresh}. */
export interface FreshOptions {
  /** The greatest age of the newest message from the server, in milliseconds. */
  readonly withinMs: number;
}

/**
 * A cache of a collection, the delivery of its changes to any number of handlers, and a source that
 * keeps the cache up to date: a list and watch in a {@link SharedInformer}, other informers in an
 * {@link InformerView}.
 *
 * Guarantees: the cache reaches every object's present state, through states that are a subsequence
 * of the server's, in their order. A handler is called after the cache shows the change, for each
 * object in order, one call at a time, and first for everything that exists when it is added. Not
 * guaranteed: a call for every state in between, any order between objects of one list, and that a
 * deletion and a new creation under the same name are delivered as such when a watch missed them.
 */
export class Informer<
  T = KubernetesObject,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> implements AsyncDisposable {
  /** Name for reports, metrics and waits. */
  readonly name: string;
  /** The resource that the options name; `undefined` if they name none. */
  readonly resource: ListerOptions<S> | undefined;
  /** The cache, to be read. Objects are shared with all other readers. */
  readonly store: IndexerReader<T, I>;
  /** The cache, read as one reads the API server: by name, namespace and selectors. */
  readonly lister: Lister<T, S>;
  readonly #cache: InformerCache<T, I>;
  readonly #clock: Clock;
  readonly #listeners: InformerListeners<T>;
  /** Shows in the metrics that nothing waits for a handler or a reader. */
  readonly #onEmpty: ((handler: string) => void) | undefined;
  readonly #processor: SharedProcessor<T>;
  readonly #reports: InformerReports<T>;
  readonly #sink: DeltaSink<T, I>;
  readonly #source: InformerSource<T>;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #phase: InformerPhase = "created";
  #startMs: number | undefined;
  /** Why it has ended, for waits that begin later. */
  #end: UnsyncedReason | undefined;

  /**
   * @param keyFunc computes the key of an object that arrives without one
   * @throws {InvalidOptionsError} if a number is out of its range
   */
  constructor(
    source: InformerSource<T>,
    options: InformerOptions<T, I, S>,
    keyFunc: KeyFunction<T> = metaNamespaceKey,
  ) {
    const { cache = {}, clock = systemClock, indexers, resyncMs, telemetry } = options;
    checkAtLeast("resyncMs", resyncMs, 0);
    this.name = options.name ?? "informer";
    this.resource = cache.resource;
    this.#source = source;
    this.#clock = clock;
    this.#reports = new InformerReports<T>(
      { ...options, clock, name: this.name },
      () => this.status().problem,
    );
    const resyncPeriod = new ResyncPeriod(resyncMs);
    this.#cache = new InformerCache<T, I>({
      clock,
      freeze: cache.freeze,
      ignoreUnknownDeletes: source.ignoreUnknownDeletes,
      indexers,
      keyFunc,
      onIndexError: (error) => this.#reports.report(error, { kind: "cache" }),
    });
    this.store = this.#cache.store;
    this.lister = new Lister<T, S>(this.store, cache.resource ?? { resource: this.name });
    this.#processor = new SharedProcessor<T>({ clock, resyncCheckPeriodMs: resyncMs });
    const metrics = guardInformerMetrics(telemetry?.metrics, this.#reports.report);
    const { handlerBacklog } = metrics ?? {};
    this.#onEmpty = handlerBacklog && ((handler) => handlerBacklog(handler).set(0));
    this.#listeners = new InformerListeners<T>({
      clock,
      entries: () => this.#cache.entries(),
      onEmpty: this.#onEmpty,
      processor: this.#processor,
      reports: this.#reports,
      resyncPeriod,
    });
    this.#sink = new DeltaSink<T, I>({
      cache: this.#cache,
      clock,
      detectRecreate: cache.detectRecreate ?? false,
      metrics,
      processor: this.#processor,
      report: this.#reports.report,
      resyncPeriod,
      signal: this.#stop.signal,
      source,
    });
  }

  /** Where the informer is in its life; it never goes back. */
  get phase(): InformerPhase {
    return this.#phase;
  }

  /** Whether the informer's source has ended, so that the cache no longer changes. */
  get isStopped(): boolean {
    return this.#phase === "stopping" || this.#phase === "stopped";
  }

  /** Whether the first list is in the cache and in the handlers' mailboxes. Never goes back. */
  get hasSynced(): boolean {
    return this.#sink.hasSynced;
  }

  /**
   * Resolves when {@link Informer.hasSynced} turns true; rejects with a {@link NotSyncedError} when
   * the informer stops before.
   */
  get synced(): Promise<void> {
    return this.#sink.synced;
  }

  /** Why the informer has not synced, for the reader of an error; {@link Informer.status} has more. */
  explainUnsynced(): UnsyncedReason {
    return this.#end ?? this.#explain();
  }

  /**
   * The resourceVersion up to which the cache is known to be complete; `""` at first. Of a view the
   * oldest of its sources', and `""` while those of several cannot be compared.
   */
  get lastStoreSyncResourceVersion(): string {
    return this.#sink.resourceVersion;
  }

  /** The present state: what the informer waits for, since when, why, and which handlers lag. */
  status(): InformerStatus {
    const source = this.#source.status();
    const { loss } = this.#sink;
    const isCurrent = this.hasSynced && this.#phase === "running" && loss === undefined;
    return {
      ...source,
      problem: source.problem ?? problemOfLoss(loss) ?? problemOfIndexes(this.#cache.unindexed),
      freshAsOfMs: isCurrent ? source.freshAsOfMs : undefined,
      liveAsOfMs: isCurrent ? (source.liveAsOfMs ?? source.freshAsOfMs) : undefined,
      name: this.name,
      phase: this.#phase,
      hasSynced: this.hasSynced,
      resourceVersion: this.lastStoreSyncResourceVersion,
      handlers: this.#processor.listeners.map(({ backlog, callbackSinceMs, name }) => {
        return { backlog, callbackSinceMs, name };
      }),
    };
  }

  /**
   * Whether the cache shows everything up to `withinMs` ago: it has synced, nothing failed, nothing
   * is queued, and in that time a message from the server arrived, or it accepted the watch. The
   * silence of an open watch counts as no change while the watch may be silent (`watch.silenceMs`);
   * a server that no longer answers is noticed after that, so that a shorter `withinMs` notices it
   * no sooner. A view is fresh when all its sources are.
   */
  isFresh({ withinMs }: FreshOptions): boolean {
    const { liveAsOfMs } = this.status();
    return liveAsOfMs !== undefined && this.#clock.now() - liveAsOfMs <= withinMs;
  }

  /**
   * Runs the informer until `signal` is aborted or the informer is disposed; a view also until all
   * its sources have ended. Settles when everything it started has ended; from then on no callback,
   * timer or connection of it exists. Events that still wait are dropped, the callbacks in progress
   * are waited for. An informer runs once.
   *
   * @throws {AlreadyRunningError} if it was run before
   * @throws the failure that ended the source, see the options `retry` and `onError`
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#phase !== "created") throw new AlreadyRunningError(this.name);
    this.#phase = "running";
    this.#startMs = this.#clock.now();
    const removeListener = onAborted(signal, () => this.#stop.abort(signal?.reason));
    const delivery = linkAbort();
    const delivering = this.#processor.run(delivery.signal);
    const stop = this.#stop.signal;
    let cause: unknown;
    try {
      if (!stop.aborted) await this.#source.run(this.#sink, stop);
      cause = stop.reason;
    } catch (error) {
      cause = error;
      throw error;
    } finally {
      removeListener();
      const end = this.#explainEnd(cause);
      this.#end = end;
      this.#phase = "stopping";
      this.#sink.end(
        new NotSyncedError([{ name: this.name, ...end }], { cause }),
        createInformerStoppedError("wait for a resourceVersion"),
      );
      delivery.abort();
      await delivering;
      this.#reports.close();
      this.#phase = "stopped";
      this.#ended.resolve();
    }
  }

  /** Stops the informer; resolves when everything it started has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await (this.#phase === "created" ? this.run() : this.#ended.promise);
  }

  /**
   * Adds a handler, at any time before the stop. It is first called for every object in the cache,
   * as adds of the initial list, then for every change after that; nothing is missed or delivered
   * twice. The same handler may be added several times.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` once the informer has stopped
   * @throws {InvalidOptionsError} if the handler is no object, or a number out of its range
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: HandlerOptions = {},
  ): HandlerRegistration {
    const listener = this.#listeners.create(handler, options);
    const { changesOnly, resyncMs, signal } = options;
    this.addListener(listener, { changesOnly, resyncMs });
    return new ListenerRegistration(listener, this, () => this.removeListener(listener), signal);
  }

  /**
   * Adds a mailbox, with everything that is in the cache. One that is added twice is there once.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` once the informer has stopped
   */
  addListener(listener: Listener<T>, options: AddListenerOptions = {}): void {
    if (this.isStopped) throw createInformerStoppedError("add an event handler");
    this.#listeners.add(listener, options, this.#phase !== "created");
    if (this.hasSynced) listener.sourceSynced();
  }

  /** Removes a mailbox; see {@link SharedProcessor.removeListener}. */
  removeListener(listener: Listener<T>): Promise<void> {
    return this.#listeners.remove(listener);
  }

  /**
   * The changes as an async iterable; see {@link EventStream} and {@link EventsOptions}.
   *
   * ```ts
   * import type { Informer } from "@listwatch/shared-informer";
   *
   * async function printDeletions(
   *   informer: Informer<object, Record<never, never>>,
   * ): Promise<void> {
   *   for await (const event of informer.events({ overflow: "coalesce" })) {
   *     if (event.type === "delete") console.log("deleted", event.key);
   *   }
   * }
   * ```
   *
   * @throws {InvalidOptionsError} if an option has none of its values
   */
  events(options: EventsOptions = {}): EventStream<T> {
    checkAtLeast("max", options.max, 1);
    checkOneOf("overflow", options.overflow, ["block", "coalesce", "resync"]);
    return new BufferedEventStream<T>(
      {
        open: (stream) => {
          if (this.isStopped) void stream.stop();
          else this.addListener(stream, { changesOnly: true });
        },
        close: (stream) => void this.removeListener(stream),
        empty: this.#onEmpty,
        snapshot: () => this.#cache.entries(),
      },
      { ...options, clock: this.#clock },
    );
  }

  /**
   * Resolves when the cache is complete up to this resourceVersion, so that a program that got it
   * from a write reads what it wrote. A view waits until every source is; a quiet source reports it
   * with its next bookmark, within a minute or so.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` if the informer, or a source of
   *   the view, stops before
   * @throws the signal's reason when it is aborted before
   */
  async waitForResourceVersion(resourceVersion: string, options: WaitOptions = {}): Promise<void> {
    if (this.isStopped) throw createInformerStoppedError(`wait for ${resourceVersion}`);
    await this.#sink.waitForResourceVersion(resourceVersion, options);
  }

  /**
   * {@link Informer.waitForResourceVersion} for the resourceVersion of an object that the server
   * returned from a write. From then on the cache shows that state of the object, or a later one.
   *
   * @throws {ResourceVersionError} if the object has no resourceVersion
   */
  waitForObject(object: KubernetesObject, options?: WaitOptions): Promise<void> {
    return this.waitForResourceVersion(object.metadata?.resourceVersion ?? "", options);
  }

  /**
   * Adds indexes, also while the informer runs. Returns this informer under the type that knows
   * them.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` once the informer has stopped,
   *   `LW_INDEX_CONFLICT` if a name is taken; none is added then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Informer<T, I & J, S> {
    if (this.isStopped) throw createInformerStoppedError("add indexers");
    this.#cache.addIndexers(indexers);
    assertIndexes<Informer<T, I & J, S>>(this, indexers);
    return this;
  }

  #explainEnd(cause: unknown): UnsyncedReason {
    if (!this.#stop.signal.aborted) return { reason: describeFailure(cause), error: cause };
    const { error, reason } = this.#explain();
    return { reason: `stopped; before: ${reason}`, error };
  }

  #explain(): UnsyncedReason {
    return explainUnsynced(this.status(), {
      activity: this.#source.describeActivity?.(),
      nowMs: this.#clock.now(),
      startMs: this.#startMs,
    });
  }
}
