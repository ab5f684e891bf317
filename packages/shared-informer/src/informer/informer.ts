import {
  metaNamespaceKey,
  systemClock,
  type Cached,
  type Clock,
  type KeyFunction,
  type KubernetesObject,
  type Scope,
} from "@listwatch/core-fifo";
import {
  AlreadyRunningError,
  linkAbort,
  onAborted,
  provideDispose,
  checkOptions,
  aNumber,
  signalIn,
} from "@listwatch/core-fifo/base";
import {
  Lister,
  type IndexerReader,
  type Indexers,
  type IndexValues,
  type ListerOptions,
  type NoIndexes,
} from "@listwatch/store-indexer";
import { assertIndexes } from "../cache/informer-cache.ts";
import {
  checkHandler,
  classNameOf,
  ListenerRegistration,
  type HandlerOptions,
  type HandlerRegistration,
} from "../delivery/handler-registration.ts";
import { ProcessorListener } from "../delivery/processor-listener.ts";
import { refuseToWait, type ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import {
  addTable,
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
} from "../delivery/shared-processor.ts";
import {
  createInformerStoppedError,
  NotSyncedError,
  type UnsyncedReason,
  type WaitOptions,
} from "../delivery/wait-for-cache-sync.ts";
import { BufferedEventStream } from "../streams/buffered-event-stream.ts";
import type { EventsOptions, EventStream } from "../streams/event-stream.ts";
import {
  describeFailure,
  explainUnsynced,
  problemOfIndexes,
  problemOfLoss,
  type FreshOptions,
  type InformerPhase,
  type InformerStatus,
} from "./informer-status.ts";
import { DeltaSink } from "./delta-sink.ts";
import { createInformerMeters, type InformerOptions, informerTable } from "./informer-options.ts";
import type { CompletedWrite } from "@listwatch/client";
import { InformerReports } from "./informer-reports.ts";
import type { NotedWrite } from "./informer-writes.ts";
import { viewedCaches, type ViewedCache } from "./viewed-cache.ts";
import type { InformerSource } from "./informer-source.ts";

provideDispose();

/**
 * Caches a collection and delivers its changes to any number of handlers. A source keeps the cache
 * up to date: a list and watch in a {@link SharedInformer}, other informers in an
 * {@link InformerView}.
 *
 * Guarantees: the cache reaches the current state of every object, through states that are a
 * subsequence of those on the server, in their order. A handler is called after the cache shows the
 * change, for each object in order, one call at a time, and first for every object that exists when
 * it is added. Not guaranteed: a call for every state in between, an order between the objects of
 * one list, and that a deletion and a creation under the same name, missed by a watch, are
 * delivered as two events.
 */
export class Informer<
  T = KubernetesObject,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> implements AsyncDisposable {
  /** Name for reports, metrics and waits. */
  readonly name: string;
  /** The resource of the options, `undefined` if there is none. */
  readonly resource: ListerOptions<S> | undefined;
  /**
   * The cache, for reading. All readers share the objects. Reads by key also show the writes that
   * {@link Informer.noteWrite} has noted.
   */
  readonly store: IndexerReader<T, I>;
  /** The cache, with the reads of the API server: by name, namespace and selectors. */
  readonly lister: Lister<T, S>;
  readonly #clock: Clock;
  /** Sets the metrics to the value that nothing waits for a handler or a reader. */
  readonly #onEmpty: ((handler: string) => void) | undefined;
  readonly #processor: SharedProcessor<T>;
  readonly #reports: InformerReports<T>;
  readonly #sink: DeltaSink<T, I>;
  readonly #source: InformerSource<T>;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #phase: InformerPhase = "created";
  #startMs: number | undefined;
  /** Number of handlers that were added, for their names. */
  #handlers = 0;
  /** Reason of the end, for waits that begin later. */
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
    // A subclass has more options, and checks them.
    if (new.target === Informer) checkOptions(options, informerTable);
    const { cache, clock = systemClock, indexers, resyncMs, telemetry } = options;
    this.name = options.name ?? "informer";
    this.resource = cache?.resource;
    this.#source = source;
    this.#clock = clock;
    this.#reports = new InformerReports<T>(
      { ...options, clock, name: this.name },
      () => this.status().problem,
    );
    this.#processor = new SharedProcessor<T>({ clock, resyncCheckPeriodMs: resyncMs });
    const metrics = createInformerMeters(telemetry?.metrics, this.name, this.#reports.report);
    const { handlerBacklog } = metrics;
    this.#onEmpty = handlerBacklog && ((handler) => handlerBacklog(handler).set(0));
    this.#sink = new DeltaSink<T, I>({
      cache,
      clock,
      indexers,
      keyFunc,
      metrics,
      processor: this.#processor,
      reports: this.#reports,
      resyncMs,
      signal: this.#stop.signal,
      source,
    });
    this.store = this.#sink.reader;
    viewedCaches.set(this, this.#sink satisfies ViewedCache<T>);
    this.lister = new Lister<T, S>(this.store, this.resource ?? { resource: this.name });
  }

  /** The phase of the informer. It never goes back. */
  get phase(): InformerPhase {
    return this.#phase;
  }

  /** Whether the source has ended, so that the cache does not change any more. */
  get isStopped(): boolean {
    return this.#phase === "stopping" || this.#phase === "stopped";
  }

  /** Whether the first list is in the cache and in the mailboxes of the handlers. Never goes back. */
  get hasSynced(): boolean {
    return this.#sink.hasSynced;
  }

  /**
   * Resolves when {@link Informer.hasSynced} becomes true. Rejects with a {@link NotSyncedError} if
   * the informer stops before.
   */
  get synced(): Promise<void> {
    return this.#sink.synced;
  }

  /** Whether a callback of a handler has been called and has not returned, not even a promise. */
  get isCalling(): boolean {
    return this.#processor.isCalling;
  }

  /** Explains why the informer has not synced. {@link Informer.status} has the details. */
  explainUnsynced(): UnsyncedReason {
    return this.#end ?? this.#explain();
  }

  /**
   * The resourceVersion up to which the cache is complete; `""` at first. For a view, the oldest of
   * its sources, and `""` if those of several sources cannot be compared.
   */
  get lastStoreSyncResourceVersion(): string {
    return this.#sink.resourceVersion;
  }

  /** Returns the current state: progress, problem and waiting events of each handler. */
  status(): InformerStatus {
    const source = this.#source.status();
    const { loss } = this.#sink;
    const isCurrent = this.hasSynced && this.#phase === "running" && loss === undefined;
    return {
      ...source,
      problem:
        source.problem ?? problemOfLoss(loss) ?? problemOfIndexes(this.#sink.cache.unindexed),
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
   * Whether the cache shows everything up to `withinMs` ago: it has synced, nothing failed or is
   * queued, and during that time a message from the server arrived or it accepted the watch. The
   * silence of an open watch means no change while the watch may be silent (`watch.silenceMs`).
   * Only after that it is noticed that a server does not answer, even with a shorter `withinMs`. A
   * view is fresh when all its sources are.
   */
  isFresh(options: FreshOptions): boolean {
    checkOptions(options, { withinMs: aNumber(0) }, ["withinMs"]);
    const { withinMs } = options;
    const { liveAsOfMs } = this.status();
    return liveAsOfMs !== undefined && this.#clock.now() - liveAsOfMs <= withinMs;
  }

  /**
   * Runs the informer until `signal` is aborted or the informer is disposed, and a view also until
   * all its sources have ended. Settles when all its work has ended: no callback, timer or
   * connection is left. It drops waiting events, and waits for the callbacks in progress. An
   * informer runs once.
   *
   * @throws {AlreadyRunningError} if it was run before
   * @throws the failure that ended the source, see the option `onError`
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
      this.#sink.end(new NotSyncedError([{ name: this.name, ...end }], { cause }));
      delivery.abort();
      await delivering;
      this.#reports.close();
      this.#phase = "stopped";
      this.#ended.resolve();
    }
  }

  /**
   * Stops the informer. Resolves when all its work has ended. Do not await it inside a callback of
   * a handler.
   *
   * @throws {ListwatchError} with the code `LW_WAITS_FOR_ITSELF` in a callback that has not
   *   returned a promise; the informer stops. Later each would wait for the other
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    if (this.isCalling) return refuseToWait(this.name);
    return this.#phase === "created" ? this.run() : this.#ended.promise;
  }

  /**
   * Adds a handler before or during the run. The handler is called for every object in the cache,
   * as adds of the initial list, and then for every later change, without a gap or a repetition.
   * The same handler can be added several times.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` after the stop
   * @throws {InvalidOptionsError} if the handler is not an object, or a number is out of its range
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: HandlerOptions = {},
  ): HandlerRegistration {
    checkHandler(handler, options);
    this.#handlers++;
    const { changesOnly, maxBacklog, resyncMs, signal } = options;
    const listener = new ProcessorListener<T>(handler, {
      ...this.#reports.hooks,
      name: options.name ?? classNameOf(handler) ?? `handler-${this.#handlers}`,
      clock: this.#clock,
      maxBacklog,
      onEmpty: this.#onEmpty,
    });
    this.addListener(listener, { changesOnly, resyncMs });
    return new ListenerRegistration(listener, this, signal);
  }

  /**
   * Adds a mailbox and fills it with the content of the cache. Adding it again has no effect.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` after the stop
   */
  addListener(listener: Listener<T>, options: AddListenerOptions = {}): void {
    checkOptions(options, addTable);
    if (this.isStopped) throw createInformerStoppedError("add an event handler");
    if (!this.#processor.listeners.includes(listener)) {
      this.#sink.addListener(listener, options, this.#phase !== "created");
    }
    if (this.hasSynced) listener.sourceSynced();
  }

  /** Removes a mailbox; see {@link SharedProcessor.removeListener}. */
  removeListener(listener: Listener<T>): Promise<void> {
    return this.#processor.removeListener(listener);
  }

  /**
   * Returns the changes as an async iterable; see {@link EventStream} and {@link EventsOptions}.
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
   * @throws {InvalidOptionsError} if an option has a value that is not allowed
   */
  events(options: EventsOptions = {}): EventStream<T> {
    const snapshot = (): Iterable<readonly [key: string, object: Cached<T>]> =>
      this.#sink.cache.entries();
    const parts = { informer: this, clock: this.#clock, onEmpty: this.#onEmpty, snapshot };
    return new BufferedEventStream<T>(parts, options);
  }

  /**
   * Resolves when the cache is complete up to this resourceVersion, so that a program can read its
   * own write. A view waits for each source. A source without changes reports the version with its
   * next bookmark, within about a minute.
   *
   * @throws {ResourceVersionError} if it is not a resourceVersion
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` if the informer, or a source of
   *   the view, stops before
   * @throws the reason of the signal if it is aborted before
   */
  async waitForResourceVersion(resourceVersion: string, options?: WaitOptions): Promise<void> {
    const signal = signalIn(options);
    if (this.isStopped) throw createInformerStoppedError(`wait for ${resourceVersion}`);
    await this.#sink.waitForResourceVersion(resourceVersion, { signal });
  }

  /**
   * Calls {@link Informer.waitForResourceVersion} with the version of an object that a write
   * returned. The cache then shows that state of the object or a later one.
   *
   * @throws {ResourceVersionError} if the object has no resourceVersion
   */
  waitForObject(object: KubernetesObject, options?: WaitOptions): Promise<void> {
    return this.waitForResourceVersion(object.metadata?.resourceVersion ?? "", options);
  }

  /**
   * Notes a write of this program, so that reads by key show its state, or a later one, before the
   * watch delivers it. The state passes the selection, `keep`, `transform`, `fields` and `freeze`
   * of this informer. Lists and indexes show it once the cache has it. A controller calls this for
   * the writes of its reconciles.
   *
   * The note ends when the cache has reached the version of the write, whatever it then shows;
   * after a deletion, when it no longer shows the deleted uid; and when the server has another
   * history.
   *
   * @param writer object that {@link Informer.writerOf} returns for the state; none by default
   * @returns the note, to wait for; `undefined` if the cache is up to date, or holds no such
   *   object, or does not know its collection
   */
  noteWrite(write: CompletedWrite, writer?: object): NotedWrite | undefined {
    return this.#phase === "running" ? this.#sink.writes?.note(write, writer) : undefined;
  }

  /**
   * Returns the writer of a cached state that a watch has delivered right after the state that the
   * write required; `undefined` for all others, also for states of a list and of writes without a
   * precondition.
   */
  writerOf(object: unknown): object | undefined {
    return this.#sink.writes?.writerOf(object);
  }

  /**
   * Adds indexes, even while the informer runs. Returns this informer under a type with their
   * names.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` after the stop, and
   *   `LW_INDEX_CONFLICT` if a name is taken; none is added then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Informer<T, I & J, S> {
    if (this.isStopped) throw createInformerStoppedError("add indexers");
    this.#sink.cache.addIndexers(indexers);
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
