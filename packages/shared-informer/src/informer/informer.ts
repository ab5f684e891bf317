import {
  metadataOf,
  resourceVersionOf,
  ResourceVersionWaiters,
  systemClock,
  type Clock,
  type KubernetesObject,
  type Cached,
} from "@listwatch/core-fifo";
import { Indexer, Lister, type Indexers, type IndexValues } from "@listwatch/store-indexer";
import { InformerStoppedError, NotSyncedError } from "../delivery/errors.ts";
import {
  ListenerRegistration,
  type HandlerOptions,
  type HandlerRegistration,
} from "../delivery/handler-registration.ts";
import type { EventStream, EventsOptions } from "../streams/event-stream.ts";
import type {
  ErrorOrigin,
  HandlerStatus,
  InformerOptions,
  InformerPhase,
  InformerStore,
  WaitOptions,
} from "./informer-options.ts";
import type { FreshOptions } from "./informer-status.ts";
import { callHook } from "../delivery/call-hook.ts";
import { checkAtLeast, checkHandler, checkOneOf } from "./check-options.ts";
import { BufferedEventStream } from "../streams/buffered-event-stream.ts";
import { createEventBuffer } from "../streams/create-event-buffer.ts";
import type { Notification } from "../cache/informer-event.ts";
import { ProcessorListener } from "../delivery/processor-listener.ts";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
} from "../delivery/shared-processor.ts";

/** SI-18: client-go `minimumResyncPeriod`, tools/cache/shared_informer.go. */
const minResyncMs = 1000;

/**
 * A cache of a collection that tells any number of handlers what changes; what a
 * {@link SharedInformer} and a view of one have in common.
 *
 * Guarantees: the cache comes to hold every object's present state, through states that are a
 * subsequence of the server's, in their order (GEN-1, GEN-2). A handler is told after the cache
 * shows the change (GEN-4), of each object in order, one call at a time (GEN-5), and first of
 * everything that is there when it comes (GEN-6). Not guaranteed: that it is told of every state in
 * between, any order between objects of one list, and that a deletion and a new creation under the
 * same name are told as such when a watch missed them (GEN-3).
 */
export abstract class Informer<T, I extends IndexValues> implements AsyncDisposable {
  /** Name for reports, metrics and waits. */
  readonly name: string;
  /** The cache. Objects are shared with everybody who reads it. */
  readonly store: InformerStore<T, I>;
  /** The cache, read as one reads the API server: by name, namespace and selectors. */
  readonly lister: Lister<T>;
  protected readonly clock: Clock;
  protected readonly indexer: Indexer<T, I>;
  protected readonly processor: SharedProcessor<T>;
  readonly #options: InformerOptions<T, I>;
  readonly #synced = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #resyncCheckPeriodMs: number;
  #phase: InformerPhase = "created";
  #hasSynced = false;
  readonly #waiters = new ResourceVersionWaiters();
  #handlers = 0;

  protected constructor(options: InformerOptions<T, I>) {
    checkAtLeast("resyncMs", options.resyncMs, 0);
    this.#options = options;
    this.name = options.name ?? "informer";
    this.clock = options.clock ?? systemClock;
    this.indexer = new Indexer<T, I>({ indexers: options.indexers, freeze: options.freeze });
    this.store = this.indexer;
    this.lister = new Lister(this.indexer, options.resource ?? { resource: this.name });
    this.#resyncCheckPeriodMs = options.resyncMs ?? 0;
    this.processor = new SharedProcessor<T>({
      clock: this.clock,
      resyncCheckPeriodMs: this.#resyncCheckPeriodMs,
    });
    // Nobody may be waiting when an informer ends early; that alone is no reason for an unhandled
    // rejection.
    this.#synced.promise.catch(() => {});
  }

  /** Where the informer is in its life; it never goes back (SI-1). */
  get phase(): InformerPhase {
    return this.#phase;
  }

  /** Whether the informer's source has ended, so that the cache no longer changes. */
  get isStopped(): boolean {
    return this.#phase === "stopping" || this.#phase === "stopped";
  }

  /**
   * Whether the first list is in the cache and in the mailboxes of the handlers. Never goes back
   * (SI-7).
   */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /**
   * Resolves when {@link Informer.hasSynced} turns true; rejects with a {@link NotSyncedError} when
   * the informer stops before.
   */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** The resourceVersion up to which the cache is known to be complete; `""` at first. */
  get lastStoreSyncResourceVersion(): string {
    return this.indexer.lastStoreSyncResourceVersion;
  }

  /**
   * Runs the informer until `signal` is aborted or the informer is disposed. Settles when
   * everything it started has ended; from then on no callback, timer or connection of it exists.
   * Notifications that still wait are dropped, the callbacks in progress are waited for (SI-5,
   * SI-6). An informer runs once: a further call returns at once (SI-1).
   *
   * @throws what the informer was told to stop for, see `onWatchError`, `whenForbidden` and
   *   `whenNotFound`
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#phase !== "created") return;
    this.#phase = "running";
    const onAbort = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const processorStop = new AbortController();
    const delivering = this.processor.run(processorStop.signal);
    let cause: unknown;
    try {
      if (!this.#stop.signal.aborted) await this.runSource(this.#stop.signal);
      cause = this.#stop.signal.reason;
    } catch (error) {
      cause = error;
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#phase = "stopping";
      this.#synced.reject(new NotSyncedError([this.name], { cause }));
      this.#waiters.end(new InformerStoppedError("wait for a resourceVersion"));
      processorStop.abort();
      await delivering;
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
   * Adds a handler, at any time before the stop. It is first told of every object in the cache, as
   * adds of the initial list, then of every change after that; nothing is missed or told twice
   * (SI-11, SI-12). The same handler may be added several times (SI-10).
   *
   * @throws {InformerStoppedError} once the informer has stopped (SI-4)
   * @throws {InvalidOptionsError} if the handler is no object, or a number out of its range
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: HandlerOptions = {},
  ): HandlerRegistration {
    checkHandler(handler);
    checkAtLeast("resyncMs", options.resyncMs, 0);
    checkAtLeast("maxBacklog", options.maxBacklog, 0);
    this.#handlers++;
    const { onError, onSlowHandler } = this.#options;
    const listener = new ProcessorListener<T>(handler, {
      name: options.name ?? classNameOf(handler) ?? `handler-${this.#handlers}`,
      clock: this.clock,
      maxBacklog: options.maxBacklog,
      onSlowHandler,
      onHandlerError:
        onError &&
        ((error, { name }, notification) => {
          onError(error, { kind: "handler", handler: name, notification });
        }),
    });
    this.addListener(listener, { resyncMs: options.resyncMs });
    const remove = (): Promise<void> => this.processor.removeListener(listener);
    const { signal } = options;
    if (signal !== undefined) {
      const onAbort = (): void => void remove();
      signal.addEventListener("abort", onAbort, { once: true });
      // The signal may outlive the informer.
      void listener.ended.then(() => signal.removeEventListener("abort", onAbort));
      if (signal.aborted) onAbort();
    }
    return new ListenerRegistration(listener, remove);
  }

  /**
   * Adds a mailbox of one's own, with everything that is there now (GEN-6). Where it is added
   * twice, it stays one.
   *
   * @throws {InformerStoppedError} once the informer has stopped
   */
  addListener(listener: Listener<T>, options: AddListenerOptions = {}): void {
    if (this.isStopped) throw new InformerStoppedError("add an event handler");
    const resyncMs = this.#effectiveResync(options.resyncMs);
    // Without an `await` between adding the mailbox and reading the cache nothing can change in
    // between (SI-29).
    this.processor.addListener(listener, { ...options, resyncMs });
    for (const [key, object] of this.#entries()) {
      listener.push({ type: "add", key, object, isInInitialList: true });
    }
    if (this.#hasSynced) listener.sourceSynced();
  }

  /** Takes a mailbox away; see {@link SharedProcessor.removeListener}. */
  removeListener(listener: Listener<T>): Promise<void> {
    return this.processor.removeListener(listener);
  }

  /**
   * The changes as an async iterable; see {@link EventStream} and {@link EventsOptions}.
   *
   * @throws {InvalidOptionsError} if an option has none of its values
   *
   *   ```ts
   *   import type { Informer } from "@listwatch/shared-informer";
   *   async function printDeletions(
   *     informer: Informer<object, Record<never, never>>,
   *   ): Promise<void> {
   *     for await (const event of informer.events({ overflow: "coalesce" })) {
   *       if (event.type === "delete") console.log("deleted", event.key);
   *     }
   *   }
   *   ```
   */
  events(options: EventsOptions = {}): EventStream<T> {
    checkAtLeast("max", options.max, 1);
    checkOneOf("overflow", options.overflow, ["block", "coalesce", "resync"]);
    const buffer = createEventBuffer(options, () => this.#entries());
    return new BufferedEventStream<T>(
      buffer,
      {
        open: (stream) => {
          if (this.isStopped) void stream.stop();
          else this.addListener(stream, { changesOnly: true });
        },
        close: (stream) => void this.processor.removeListener(stream),
      },
      { ...options, clock: this.clock },
    );
  }

  /**
   * Resolves when the cache is complete up to this resourceVersion, so that a program that got it
   * from a write reads what it wrote.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws {InformerStoppedError} if the informer has stopped, or stops before
   * @throws the signal's reason when it is aborted before
   */
  async waitForResourceVersion(resourceVersion: string, options: WaitOptions = {}): Promise<void> {
    if (this.isStopped) throw new InformerStoppedError(`wait for ${resourceVersion}`);
    this.#waiters.reach(this.lastStoreSyncResourceVersion);
    await this.#waiters.wait(resourceVersion, options);
  }

  /**
   * {@link Informer.waitForResourceVersion} for the resourceVersion of an object that the server
   * answered a write with. From then on the cache shows that state of the object, or a later one.
   *
   * @throws {ResourceVersionError} if the object has no resourceVersion
   */
  observed(object: KubernetesObject, options?: WaitOptions): Promise<void> {
    return this.waitForResourceVersion(object.metadata?.resourceVersion ?? "", options);
  }

  /**
   * Adds indexes, also while the informer runs. Returns this informer under the type that knows
   * them.
   *
   * @throws {InformerStoppedError} once the informer has stopped (SI-3)
   * @throws {IndexConflictError} if a name is taken; none is added then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Informer<T, I & J>;
  addIndexers(indexers: Indexers<T, IndexValues>): unknown {
    if (this.isStopped) throw new InformerStoppedError("add indexers");
    this.indexer.addIndexers(indexers);
    return this;
  }

  protected handlerStatus(): HandlerStatus[] {
    return this.processor.listeners.map(({ backlog, name }) => ({ backlog, name }));
  }

  /** How often the source has to ask the processor whether somebody is due for a resync, in ms. */
  protected get resyncCheckPeriodMs(): number {
    return this.#resyncCheckPeriodMs;
  }

  /** Whether the cache is known to show everything up to `withinMs` ago. */
  abstract fresh(options: FreshOptions): boolean;

  /** Keeps the cache up to date until the abort; resolves when all that it started has ended. */
  protected abstract runSource(signal: AbortSignal): Promise<void>;

  /**
   * Tells the handlers of a change that the cache shows already; one that changed nothing goes to
   * the due ones (SI-21).
   */
  protected publish(notification: Notification<T>): void {
    if (notification.type === "update") {
      const { key, object, old } = notification;
      if (this.isResync(old, object)) {
        this.processor.distributeResync(notification);
        return;
      }
      if (this.#options.detectRecreate === true && isRecreated(old, object)) {
        this.processor.distribute({ type: "delete", key, stale: true, object: old });
        this.processor.distribute({ type: "add", key, object, isInInitialList: false });
        return;
      }
    }
    this.processor.distribute(notification);
  }

  /** Whether an update hands out again what the handlers know. */
  protected isResync(old: Cached<T>, object: Cached<T>): boolean {
    if (old === object) return true;
    const version = resourceVersionOf(object);
    return version !== undefined && version === resourceVersionOf(old);
  }

  /** Whether a notification tells nothing new. */
  protected isUnchanged(notification: Notification<T>): boolean {
    return notification.type === "update" && this.isResync(notification.old, notification.object);
  }

  /** To be called when the first list is in the cache. */
  protected markSynced(): void {
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
    this.processor.sourceSynced();
  }

  /**
   * Whether some handler is due for a resync now. While a limited one lags, nobody is: everything
   * handed out again would make it lag more, without end. Who is due stays due.
   */
  protected shouldResync(): boolean {
    return this.processor.waitForRoom() === undefined && this.processor.shouldResync();
  }

  /** To be called after each change of the cache; pending while a listener wants the source to wait. */
  protected afterChange(): Promise<void> | undefined {
    this.#waiters.reach(this.lastStoreSyncResourceVersion);
    return this.processor.waitForRoom();
  }

  protected report(error: unknown, origin: ErrorOrigin<T>): void {
    const { onError } = this.#options;
    if (onError !== undefined) callHook(() => onError(error, origin));
  }

  *#entries(): Generator<readonly [key: string, object: Cached<T>], undefined> {
    for (const key of this.indexer.listKeys()) {
      const object = this.indexer.getByKey(key);
      if (object !== undefined) yield [key, object];
    }
    return undefined;
  }

  #effectiveResync(resyncMs: number | undefined): number {
    const requestedMs = resyncMs ?? this.#options.resyncMs ?? 0;
    if (requestedMs <= 0) return 0;
    const periodMs = Math.max(requestedMs, minResyncMs);
    if (periodMs >= this.#resyncCheckPeriodMs) return periodMs;
    if (this.#phase !== "created") return this.#resyncCheckPeriodMs;
    this.#resyncCheckPeriodMs = periodMs;
    this.processor.setResyncCheckPeriod(periodMs);
    return periodMs;
  }
}

/** Whether two states belong to two objects of one name. */
function isRecreated(old: unknown, object: unknown): boolean {
  const uid = metadataOf(object)?.uid;
  return uid !== undefined && metadataOf(old)?.uid !== uid;
}

/** The name of the class of an object, unless it is a plain object. */
function classNameOf(value: object): string | undefined {
  const { constructor } = value;
  if (typeof constructor !== "function") return undefined;
  return constructor.name === "Object" || constructor.name === "" ? undefined : constructor.name;
}
