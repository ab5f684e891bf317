import type { FieldPath, Kept, ResourceReference } from "@listwatch/client";
import { checkConnection, checkResource } from "@listwatch/client/base";
import { systemClock, type KubernetesObject, type Log, type Scope } from "@listwatch/core-fifo";
import {
  callHook,
  consoleLog,
  guardLog,
  linkAbort,
  provideDispose,
  recordOf,
} from "@listwatch/core-fifo/base";
import {
  httpListerWatcher,
  type HttpListerWatcherOptions,
  type ListerWatcher,
} from "@listwatch/reflector";
import {
  namespaceIndex,
  type Indexers,
  type IndexFunction,
  type IndexValues,
  type Lister,
  type NoIndexes,
} from "@listwatch/store-indexer";
import { waitForCacheSync, type WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import { createInformerStoppedError } from "../informer/errors.ts";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import { assertIndexes } from "../informer/assert-indexes.ts";
import type {
  SharedInformerCacheOptions,
  SharedInformerOptions,
} from "../sources/shared-informer-options.ts";
import { SharedInformer } from "../sources/shared-informer.ts";
import { FactoryMembers } from "./factory-members.ts";
import { nameOf, type InformerIdentity, type InformerScope } from "./informer-identity.ts";

provideDispose();

/** The index that every informer of a factory has. */
// An interface has no index signature, and would not count as index values.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type NamespaceIndex = { readonly namespace: string };

/** The objects that an informer of a factory keeps; the factory knows the resource. */
export type FactoryCacheOptions<T> = Omit<SharedInformerCacheOptions<T>, "resource">;

/** The part of each object that is kept, in a form that a compiler infers. */
export interface KeptForm<Fields, MetadataOnly> {
  readonly fields?: Fields;
  readonly metadataOnly?: MetadataOnly;
}

/** Options of all informers of a factory, each of which one informer can have differently. */
export interface InformerDefaults extends Pick<
  SharedInformerOptions<KubernetesObject, NamespaceIndex>,
  "behaviour" | "list" | "onError" | "random" | "resyncMs" | "retry" | "watch"
> {
  readonly cache?: FactoryCacheOptions<KubernetesObject> | undefined;
}

/** Options of one informer of a factory. */
export interface FactoryInformerOptions<T extends KubernetesObject, I extends IndexValues>
  extends
    InformerScope,
    Pick<HttpListerWatcherOptions, "encoding" | "lazy">,
    Pick<SharedInformerOptions<T, I>, "list" | "onError" | "resyncMs" | "retry" | "watch"> {
  readonly cache?: FactoryCacheOptions<T> | undefined;
  /** Indexes, besides the one by namespace. One that the informer has already stays as it is. */
  readonly indexers?: Indexers<T, I> | undefined;
}

/** Options of {@link SharedInformerFactory}: the API server, and what holds for all informers. */
export interface SharedInformerFactoryOptions extends Omit<
  HttpListerWatcherOptions,
  "fields" | "metadataOnly" | "resource" | "watchListSupported"
> {
  /** Options of all informers. Groups are merged with those of one informer. */
  readonly informers?: InformerDefaults | undefined;
  /** Takes what its informers log, as their `telemetry.log`. @default consoleLog */
  readonly log?: Log | undefined;
  /**
   * Called once for each informer, when it is created; returns its metrics, which two informers
   * must not share.
   *
   * @default none
   */
  readonly metrics?: ((informer: InformerIdentity) => InformerMetrics | undefined) | undefined;
  /**
   * Creates what each informer lists and watches with, to use another client than `fetch`, or to
   * change the requests.
   *
   * @default httpListerWatcher
   */
  readonly createListerWatcher?: CreateListerWatcher | undefined;
}

/** Creates what an informer lists and watches with; with `fields`, `T` is what is kept. */
export type CreateListerWatcher = <T extends KubernetesObject>(
  options: HttpListerWatcherOptions<T>,
) => ListerWatcher<T>;

// With fields it makes what the factory asks for: `T` is then what is kept of an object.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const overHttp = httpListerWatcher as CreateListerWatcher;

/** A shutdown that takes longer is explained: handlers that return take far less. */
const shutdownMs = 10_000;

type IndexFunctions<T> = Readonly<Record<string, IndexFunction<T>>>;

/**
 * Informers of one API server, each created once however often it is requested, so that its watch
 * and cache are shared.
 *
 * An informer is identified by resource, namespace, selectors and form: two differently filtered
 * informers of one resource are two informers. They are created on request and run by
 * {@link SharedInformerFactory.start}. Every resource works, built in or not; a `Resource` handle
 * says what its objects look like.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { SharedInformerFactory } from "@listwatch/shared-informer";
 *
 * const connection = createConnection({ server: "http://127.0.0.1:8001" });
 * const factory = new SharedInformerFactory({ connection });
 * const pods = factory.informer({ group: "", version: "v1", resource: "pods" });
 * pods.addEventHandler({ onAdd: (pod) => console.log(pod.metadata?.name) });
 * console.log(factory.informer({ group: "", version: "v1", resource: "pods" }) === pods); // true
 * await factory[Symbol.asyncDispose]();
 * ```
 */
export class SharedInformerFactory implements AsyncDisposable {
  readonly #options: SharedInformerFactoryOptions;
  readonly #members = new FactoryMembers();
  readonly #stop = new AbortController();
  #down: Promise<void> | undefined;

  /** @throws {InvalidOptionsError} if there is no connection, which another client may not need */
  constructor(options: SharedInformerFactoryOptions) {
    const { connection, createListerWatcher } = recordOf(options);
    if (createListerWatcher === undefined) checkConnection(connection);
    this.#options = options;
  }

  /**
   * The informer of a resource, created when it is requested for the first time, or again after it
   * has ended; options that are not part of its identity count only then. Indexes are added when it
   * is requested again, too. See {@link SharedInformerFactory.release} for its end.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` if it is a new one and the factory
   *   is shut down
   * @throws {InvalidOptionsError} if the resource or an option cannot be used
   */
  informer<
    T extends KubernetesObject = KubernetesObject,
    S extends Scope = Scope,
    I extends IndexValues = NoIndexes,
    const Fields extends readonly FieldPath[] | undefined = undefined,
    MetadataOnly extends boolean | undefined = boolean | undefined,
  >(
    resource: ResourceReference<T, S>,
    options: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, I> &
      KeptForm<Fields, MetadataOnly> = {},
  ): SharedInformer<Kept<T, Fields, MetadataOnly>, NamespaceIndex & I, S> {
    checkResource(resource);
    const kept = handleOfKept<T, S, Fields, MetadataOnly>(resource);
    const present = this.#find(kept, options);
    const informer = present ?? this.#create(kept, options);
    const indexers: IndexFunctions<Kept<T, Fields, MetadataOnly>> = options.indexers ?? {};
    const known: object = informer.store.getIndexers();
    const missing = Object.entries(indexers).filter(([name]) => !Object.hasOwn(known, name));
    try {
      if (missing.length > 0) informer.addIndexers(Object.fromEntries(missing));
    } catch (error) {
      // The caller gets no informer that it could give back.
      if (present === undefined) this.#members.discard(informer);
      throw error;
    }
    this.#members.use(informer);
    assertIndexes<SharedInformer<Kept<T, Fields, MetadataOnly>, NamespaceIndex & I, S>>(
      informer,
      indexers,
    );
    return informer;
  }

  /**
   * The lister of a resource's informer, which is created if it is missing; counts as a request of
   * the informer.
   */
  lister<
    T extends KubernetesObject = KubernetesObject,
    S extends Scope = Scope,
    const Fields extends readonly FieldPath[] | undefined = undefined,
    MetadataOnly extends boolean | undefined = boolean | undefined,
  >(
    resource: ResourceReference<T, S>,
    options?: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, NoIndexes> &
      KeptForm<Fields, MetadataOnly>,
  ): Lister<Kept<T, Fields, MetadataOnly>, S> {
    return this.informer(resource, options).lister;
  }

  /**
   * Runs all informers that exist and were not started; they stop when `signal` is aborted. Returns
   * at once. May be called again for informers that were created since. After
   * {@link SharedInformerFactory.shutdown} it does nothing.
   */
  start(signal?: AbortSignal): void {
    if (this.#down !== undefined) return;
    const stop = linkAbort(this.#stop.signal, signal);
    const started = this.#members.start(stop.signal);
    void Promise.allSettled(started).then(() => stop.release());
  }

  /**
   * Resolves when all informers that were started have synced, those included that have ended.
   *
   * @throws {NotSyncedError} on abort, or when one of them ends before, or has done so; at once
   *   when there are informers and {@link SharedInformerFactory.start} was never called
   */
  waitForCacheSync(options?: WaitOptions): Promise<void> {
    const { started, unstarted } = this.#members;
    if (unstarted.length === 0) return waitForCacheSync(started, options);
    const reason = new Error("start() of the factory was not called");
    return waitForCacheSync(unstarted, { signal: AbortSignal.abort(reason) });
  }

  /**
   * Gives an informer back, or its lister, that is no longer used. To be called once for each time
   * that it was requested: after the last one the informer is stopped and forgotten, and the
   * promise resolves when it has ended. One that the program itself runs is forgotten only. Does
   * nothing for an informer that has ended.
   */
  release(informer: object): Promise<void> {
    return this.#members.release(informer);
  }

  /**
   * Prevents further starts and resolves when all informers that run have ended, which the signals
   * given to {@link SharedInformerFactory.start} bring about. Those that have not ended after 10 s
   * are named in the log. Idempotent.
   *
   * @throws what an informer failed with since the call; an `AggregateError` if several failed.
   *   Failures before were reported when they happened
   */
  shutdown(): Promise<void> {
    this.#down ??= this.#shutDown();
    return this.#down;
  }

  async #shutDown(): Promise<void> {
    const ends = Promise.allSettled(this.#members.close());
    const { clock = systemClock } = this.#options;
    const timer = clock.setTimeout(() => this.#nameUnended(), shutdownMs);
    const results = await ends;
    timer.cancel();
    const failures = results.filter((result) => result.status === "rejected");
    if (failures.length > 1) {
      throw new AggregateError(
        failures.map(({ reason }): unknown => reason),
        `Cannot run ${failures.length} of ${results.length} informers to the end`,
      );
    }
    for (const { reason } of failures) throw reason;
  }

  #nameUnended(): void {
    guardLog(this.#log).warn("Shutdown waits for informers", {
      informers: this.#members.unended,
      advice: "Abort the signal that start() got, and let handlers return",
    });
  }

  get #log(): Log {
    return this.#options.log ?? consoleLog;
  }

  /** Stops all informers and resolves when they have ended. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    return this.shutdown();
  }

  #find<T extends KubernetesObject, S extends Scope>(
    resource: ResourceReference<T, S>,
    scope: InformerScope,
  ): SharedInformer<T, NamespaceIndex, S> | undefined {
    const known = this.#members.find(nameOf(resource, this.#scopeOf(resource, scope)));
    // The name stands for the resource, whose handle says what its objects look like.
    return known instanceof SharedInformer ? known : undefined;
  }

  #create<T extends KubernetesObject, S extends Scope>(
    resource: ResourceReference<T, S>,
    options: Omit<FactoryInformerOptions<T, never>, "indexers">,
  ): SharedInformer<T, NamespaceIndex, S> {
    const { createListerWatcher = overHttp, informers, metrics, ...request } = this.#options;
    const scope = this.#scopeOf(resource, options);
    const form = {
      lazy: options.lazy ?? request.lazy,
      encoding: options.encoding ?? request.encoding,
    };
    const name = nameOf(resource, scope);
    if (this.#down !== undefined) throw createInformerStoppedError(`create an informer of ${name}`);
    const defaults = defaultsFor<T>(informers);
    const onError = options.onError ?? defaults.onError;
    const telemetry = { log: this.#log, metrics: metrics?.({ ...scope, name, resource }) };
    const informer = new SharedInformer<T, NamespaceIndex, S>({
      behaviour: defaults.behaviour,
      cache: { ...defaults.cache, ...defined(options.cache), resource },
      clock: request.clock,
      indexers: namespaceIndex,
      list: { ...defaults.list, ...defined(options.list) },
      listerWatcher: createListerWatcher<T>({ ...request, ...scope, ...form, resource }),
      name,
      onError,
      random: defaults.random,
      resyncMs: options.resyncMs ?? defaults.resyncMs,
      retry: { ...defaults.retry, ...defined(options.retry) },
      telemetry,
      watch: { ...defaults.watch, ...defined(options.watch) },
    });
    this.#members.add(informer, (error) => {
      if (onError !== undefined) callHook(() => onError(error, { kind: "end" }));
      else telemetry.log.error("Informer has ended", { informer: name, cause: error });
    });
    return informer;
  }

  /**
   * The scope of an informer, with what the factory has for all; its namespace not for what is
   * known to be of the whole cluster, as in client-go.
   */
  #scopeOf(resource: ResourceReference<unknown>, scope: InformerScope): InformerScope {
    const { fieldSelector, labelSelector, shardSelector } = this.#options;
    const namespace = resource.scope === "Cluster" ? undefined : this.#options.namespace;
    return {
      fields: scope.fields,
      fieldSelector: scope.fieldSelector ?? fieldSelector,
      labelSelector: scope.labelSelector ?? labelSelector,
      metadataOnly: scope.metadataOnly,
      namespace: scope.namespace ?? namespace,
      shardSelector: scope.shardSelector ?? shardSelector,
    };
  }
}

/** The options that hold for all informers, as those of an informer of `T`. */
function defaultsFor<T extends KubernetesObject>(
  defaults: InformerDefaults = {},
): Pick<SharedInformerOptions<T, NamespaceIndex>, keyof InformerDefaults> {
  // What is written for any object is called with objects of one type; a transform of all types
  // has to keep the type of each.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return defaults as Pick<SharedInformerOptions<T, NamespaceIndex>, keyof InformerDefaults>;
}

/** The handle of a resource of whose objects only a part is kept. */
function handleOfKept<T, S extends Scope, Fields, MetadataOnly>(
  resource: ResourceReference<T, S>,
): ResourceReference<Kept<T, Fields, MetadataOnly>, S> {
  // The type of its objects exists for the compiler only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return resource as unknown as ResourceReference<Kept<T, Fields, MetadataOnly>, S>;
}

/** The same options, without those that are named and not given. */
function defined<O extends object>(options: O | undefined): Partial<O> {
  const given: Partial<O> = { ...options };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) Reflect.deleteProperty(given, name);
  }
  return given;
}
