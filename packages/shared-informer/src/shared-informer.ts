import {
  keyOfName,
  metadataOf,
  metaNamespaceKey,
  RealFIFO,
  type Deltas,
  type KeyFunction,
  type KubernetesObject,
} from "@listwatch/core-fifo";
import {
  Reflector,
  type ReflectorOptions,
  type ReflectorStatus,
  type ReflectorStore,
} from "@listwatch/reflector";
import type { DeepReadonly, IndexValues, NoIndexes, Transform } from "@listwatch/store-indexer";
import { InformerStartedError } from "./errors.ts";
import {
  Informer,
  type HandlerStatus,
  type InformerOptions,
  type InformerPhase,
} from "./informer.ts";
import { asPlain } from "./internal/as-plain.ts";
import { runDeltaLoop } from "./internal/delta-loop.ts";
import { SourceVersions } from "./internal/source-versions.ts";
import { processDeltas, processDeltasInBatch, type DeltaTarget } from "./process-deltas.ts";

/** Options of {@link SharedInformer}; those of the reflector are the same as there. */
export interface SharedInformerOptions<T extends KubernetesObject, I extends IndexValues>
  extends
    InformerOptions<T, I>,
    Omit<
      ReflectorOptions<T>,
      "clock" | "name" | "onError" | "resyncMs" | "shouldResync" | "store"
    > {
  /**
   * Computes the key of an object, in the queue and in the cache.
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Changes every object once, before it reaches cache and handlers, usually to drop what nobody reads (SI-9). It may change
   * the object in place.
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * Whether the resourceVersion that an object had before `transform` tells a change from a resync, and how far the cache is.
   * `false` is client-go's way: without resourceVersions every update counts as a resync (SI-21).
   * @default true
   */
  readonly keepResourceVersions?: boolean | undefined;
  /** Told of each failed list or watch; without it they go to `onError`. */
  readonly onWatchError?: WatchErrorHandler | undefined;
}

/** How an informer is. All times are milliseconds since 1970. */
export interface InformerStatus {
  readonly name: string;
  readonly phase: InformerPhase;
  readonly hasSynced: boolean;
  /** The resourceVersion up to which the cache is complete; `""` at first. */
  readonly resourceVersion: string;
  /** How the list and watch goes: what it does, what failed last, since when; `undefined` before the start. */
  readonly source: ReflectorStatus | undefined;
  /** Changes that are received and not yet in the cache. */
  readonly queuedDeltas: number;
  readonly handlers: readonly HandlerStatus[];
}

/** Told of a failed list or watch, which the reflector will try again unless told otherwise. */
export type WatchErrorHandler = NonNullable<ReflectorOptions<KubernetesObject>["onError"]>;

/**
 * One list and watch of a collection, one indexed cache of it, any number of handlers.
 *
 * @example
 * ```ts
 * import { SharedInformer } from "@listwatch/shared-informer";
 *
 * const informer = new SharedInformer<{ metadata: { name: string } }>({
 *   listerWatcher: {
 *     list: async () => ({ metadata: { resourceVersion: "1" }, items: [{ metadata: { name: "a" } }] }),
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
  #transform: Transform<T> | undefined;
  #onWatchError: WatchErrorHandler | undefined;
  #reflector: Reflector<T> | undefined;
  #queue: RealFIFO<T> | undefined;

  constructor(options: SharedInformerOptions<T, I>) {
    super(options);
    this.#options = options;
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#versions = options.keepResourceVersions === false ? undefined : new SourceVersions();
    this.#transform = options.transform;
    this.#onWatchError = options.onWatchError;
  }

  /**
   * The resourceVersion up to which the informer has heard from the server; it may be ahead of the cache, see
   * {@link Informer.lastStoreSyncResourceVersion}. `""` before the first list (SI-8).
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
    return {
      name: this.name,
      phase: this.phase,
      hasSynced: this.hasSynced,
      resourceVersion: this.lastStoreSyncResourceVersion,
      source: this.#reflector?.status(),
      queuedDeltas: this.#queue?.length ?? 0,
      handlers: this.handlerStatus(),
    };
  }

  protected async runSource(signal: AbortSignal): Promise<void> {
    const transform = this.#transform;
    const queue = new RealFIFO<T>({
      name: this.name,
      keyFunc: this.#keyFunc,
      transform: transform && (this.#versions?.watch(transform) ?? transform),
      onError: (error) => this.report(error, { kind: "cache" }),
    });
    this.#queue = queue;
    const reflector = new Reflector<T>({
      ...this.#options,
      store: this.#storeOf(queue),
      name: this.name,
      clock: this.clock,
      resyncMs: this.resyncCheckPeriodMs,
      shouldResync: () => this.processor.shouldResync(),
      onError: this.#onWatchError ?? ((error) => this.report(error, { kind: "watch" })),
    });
    this.#reflector = reflector;
    const reflectorEnded = new AbortController();
    const applying = this.#applyDeltas(queue, AbortSignal.any([signal, reflectorEnded.signal]));
    try {
      await reflector.run(signal);
    } finally {
      reflectorEnded.abort();
      await applying;
    }
  }

  /**
   * What the reflector writes to. With the usual key and without a transform, an object that a relist brings again in the
   * same state is the one that is in the cache, which saves parsing and memory.
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
      reuse: ({ name, namespace, resourceVersion, uid }) => {
        const held = this.indexer.getByKey(keyOfName({ name, namespace }));
        const metadata = metadataOf(held);
        if (metadata?.resourceVersion !== resourceVersion || metadata.uid !== uid) return undefined;
        return asPlain<T>(held);
      },
    };
  }

  async #applyDeltas(queue: RealFIFO<T>, signal: AbortSignal): Promise<void> {
    const target: DeltaTarget<T> = {
      store: this.indexer.keyed,
      keyFunc: this.#keyFunc,
      notify: (notification) => this.publish(notification),
    };
    await runDeltaLoop(
      {
        queue,
        clock: this.clock,
        processSingle: (deltas, isInInitialList) => {
          processDeltas(deltas, isInInitialList, target);
          this.#followVersion(deltas);
        },
        processBatch: (deltas, isInInitialList) => {
          processDeltasInBatch(deltas, isInInitialList, target);
          this.#followVersion(deltas);
        },
        afterBatch: () => {
          if (queue.hasSynced) this.markSynced();
          return undefined;
        },
        onError: (error) => this.report(error, { kind: "cache" }),
      },
      signal,
    );
    queue.close();
  }

  protected override isResync(old: DeepReadonly<T>, object: DeepReadonly<T>): boolean {
    if (old === object || this.#versions === undefined) return super.isResync(old, object);
    const version = this.#versions.of(object);
    return version !== undefined && version === this.#versions.of(old);
  }

  /** The cache follows the resourceVersions it sees; of an object without its own it would forget how far it is. */
  #followVersion(deltas: Deltas<T>): void {
    const last = deltas.at(-1);
    if (last === undefined || !("object" in last)) return;
    const version = this.#versions?.changed(last.object);
    if (version !== undefined) this.indexer.bookmark(version);
  }
}
