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
  checkOptions,
  signalIn,
} from "@listwatch/core-fifo/base";
import { httpListerWatcher } from "@listwatch/reflector";
import {
  namespaceIndex,
  type IndexFunction,
  type IndexValues,
  type Lister,
  type NoIndexes,
} from "@listwatch/store-indexer";
import { assertIndexes } from "../cache/informer-cache.ts";
import { refuseToWait } from "../delivery/resource-event-handler.ts";
import {
  createInformerStoppedError,
  waitForCacheSync,
  type WaitOptions,
} from "../delivery/wait-for-cache-sync.ts";
import type { SharedInformerOptions } from "../intake/shared-informer-options.ts";
import { SharedInformer } from "../intake/shared-informer.ts";
import { FactoryMembers } from "./factory-members.ts";
import {
  createFactoryTable,
  createMemberTable,
  type CreateListerWatcher,
  type FactoryInformerOptions,
  type InformerDefaults,
  type KeptForm,
  type NamespaceIndex,
  type SharedInformerFactoryOptions,
} from "./factory-options.ts";
import {
  informerName,
  SharedOptions,
  type InformerIdentity,
  type InformerScope,
} from "./shared-options.ts";

provideDispose();

// With fields, `T` is the kept part of an object.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const overHttp = httpListerWatcher as CreateListerWatcher;

/** After this time the shutdown logs what it waits for. Handlers normally return much faster. */
const shutdownMs = 10_000;

type IndexFunctions<T> = Readonly<Record<string, IndexFunction<T>>>;

/**
 * Informers of one API server. Each is created once and shared, with its watch and cache, by all
 * who request it.
 *
 * Resource, namespace, selectors and form identify an informer: two filters of one resource are two
 * informers. They are created on request, and {@link SharedInformerFactory.start} runs them. Every
 * resource works, built-in or custom; a `Resource` handle determines the type of its objects.
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
  readonly #shared: SharedOptions;
  readonly #stop = new AbortController();
  /** Ends the informers that were started without a signal. */
  readonly #shuttingDown = new AbortController();
  #down: Promise<void> | undefined;

  /** @throws {InvalidOptionsError} if the connection is missing and `createListerWatcher` is not set */
  constructor(options: SharedInformerFactoryOptions) {
    checkOptions(recordOf(options), createFactoryTable());
    const { connection, createListerWatcher } = recordOf(options);
    if (createListerWatcher === undefined) checkConnection(connection);
    this.#options = options;
    this.#shared = new SharedOptions(this.#log);
  }

  /**
   * Returns the informer of a resource. The first request, or the first one after its end, creates
   * it; only then options count that are not part of its identity. Later requests can add indexes.
   * Their other options, and functions of existing indexes, must be the same: a difference is
   * logged, and has no effect. See {@link SharedInformerFactory.release} for its end.
   *
   * @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` if it would be new and the factory
   *   is shut down
   * @throws {InvalidOptionsError} if the resource or an option is not usable
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
    checkOptions(options, createMemberTable());
    checkResource(resource);
    const kept = handleOfKept<T, S, Fields, MetadataOnly>(resource);
    const scope = this.#scopeOf(kept, options);
    const name = informerName(kept, scope);
    const present = this.#find<Kept<T, Fields, MetadataOnly>, S>(name);
    const informer = present ?? this.#create(kept, { ...scope, name, resource: kept }, options);
    const indexers: IndexFunctions<Kept<T, Fields, MetadataOnly>> = options.indexers ?? {};
    this.#shared.compare(informer, present === undefined ? {} : options, indexers);
    const known: object = informer.store.getIndexers();
    const missing = Object.entries(indexers).filter(([index]) => !Object.hasOwn(known, index));
    // It can throw. Without an informer, the caller has nothing to release.
    if (missing.length > 0) informer.addIndexers(Object.fromEntries(missing));
    this.#members.use(informer, this.#createReport(name, options.onError));
    assertIndexes<SharedInformer<Kept<T, Fields, MetadataOnly>, NamespaceIndex & I, S>>(
      informer,
      indexers,
    );
    return informer;
  }

  /**
   * Returns the lister of the informer of a resource, which it creates if it is missing. Counts as
   * a request of the informer.
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
   * Runs all informers that were not started, until `signal` is aborted or, without one, until
   * {@link SharedInformerFactory.shutdown}. Returns at once. Can be called again for newer
   * informers. After the shutdown it does nothing.
   */
  start(signal?: AbortSignal): void {
    if (this.#down !== undefined) return;
    const stop = linkAbort(this.#stop.signal, signal ?? this.#shuttingDown.signal);
    const started = this.#members.start(stop.signal);
    void Promise.allSettled(started).then(() => stop.release());
  }

  /**
   * Resolves when all started informers have synced, including those that have ended.
   *
   * @throws {NotSyncedError} on abort, if one of them has ended or ends before, or at once if there
   *   are informers and {@link SharedInformerFactory.start} was never called
   */
  waitForCacheSync(options?: WaitOptions): Promise<void> {
    signalIn(options);
    const { started, unstarted } = this.#members;
    if (unstarted.length === 0) return waitForCacheSync(started, options);
    const reason = new Error("start() of the factory was not called");
    return waitForCacheSync(unstarted, { signal: AbortSignal.abort(reason) });
  }

  /**
   * Releases an informer, or its lister. Call it once for each request: after the last call the
   * informer is stopped and forgotten, and the promise resolves when it has ended. An informer that
   * the program runs itself is only forgotten. Does nothing for an ended informer.
   */
  release(informer: object): Promise<void> {
    const released = this.#members.release(informer);
    // It only rejects in a callback of the informer, which need not await it.
    released.catch(() => {});
    return released;
  }

  /**
   * Prevents further starts, stops the informers that were started without a signal, and resolves
   * when all have ended; the signals of {@link SharedInformerFactory.start} stop the others. After
   * 10 s the log names those that are left. Idempotent.
   *
   * @throws {ListwatchError} with the code `LW_WAITS_FOR_ITSELF` in a callback of a handler, before
   *   its first `await`; it must not wait for the end of its informer
   * @throws the failure of an informer since the call, or an `AggregateError` of several. Earlier
   *   failures were reported when they happened
   */
  shutdown(): Promise<void> {
    const { isCalling } = this.#members;
    this.#down ??= this.#shutDown();
    return isCalling ? refuseToWait("the factory") : this.#down;
  }

  async #shutDown(): Promise<void> {
    this.#shuttingDown.abort();
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
    name: string,
  ): SharedInformer<T, NamespaceIndex, S> | undefined {
    const known = this.#members.find(name);
    // The name identifies the resource, whose handle determines the type of its objects.
    return known instanceof SharedInformer ? known : undefined;
  }

  #create<T extends KubernetesObject, S extends Scope>(
    resource: ResourceReference<T, S>,
    identity: InformerIdentity,
    options: Omit<FactoryInformerOptions<T, never>, "indexers">,
  ): SharedInformer<T, NamespaceIndex, S> {
    const {
      createListerWatcher = overHttp,
      informers,
      log: _,
      metrics,
      traces,
      ...request
    } = this.#options;
    const { name, ...scope } = identity;
    if (this.#down !== undefined) throw createInformerStoppedError(`create an informer of ${name}`);
    const { behaviour, random, ...defaults } = defaultsFor<T>(informers);
    const form = {
      // Projected objects are never lazy, whatever is the default of the others.
      lazy: options.lazy ?? (scope.fields === undefined ? request.lazy : undefined),
      managedFields: options.managedFields ?? request.managedFields,
      encoding: options.encoding ?? request.encoding,
    };
    const shared = {
      cache: { ...defaults.cache, ...defined(options.cache) },
      list: { ...defaults.list, ...defined(options.list) },
      onError: options.onError ?? defaults.onError,
      resyncMs: options.resyncMs ?? defaults.resyncMs,
      retry: { ...defaults.retry, ...defined(options.retry) },
      watch: { ...defaults.watch, ...defined(options.watch) },
    };
    const informer = new SharedInformer<T, NamespaceIndex, S>({
      ...shared,
      behaviour,
      cache: { ...shared.cache, resource },
      clock: request.clock,
      indexers: namespaceIndex,
      listerWatcher: createListerWatcher<T>({ ...request, ...scope, ...form, resource }),
      name,
      random,
      telemetry: { log: this.#log, metrics, traces },
    });
    this.#shared.set(informer, { ...shared, ...form });
    return informer;
  }

  /** Returns what reports the failed run of an informer. */
  #createReport(
    name: string,
    onError: FactoryInformerOptions<never, never>["onError"] = this.#options.informers?.onError,
  ): (error: unknown) => void {
    return (error) => {
      if (onError !== undefined) callHook(() => onError(error, { kind: "end" }));
      else this.#log.error("Informer has ended", { informer: name, cause: error });
    };
  }

  /**
   * Completes the scope of an informer with the defaults of the factory. A resource that is known
   * to be cluster-scoped has no namespace, as in client-go.
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

/** Converts the defaults to options of an informer of `T`. */
function defaultsFor<T extends KubernetesObject>(
  defaults: InformerDefaults = {},
): Pick<SharedInformerOptions<T, NamespaceIndex>, keyof InformerDefaults> {
  // Functions for any object are called with objects of one type. A transform for all types has to
  // keep the type of each.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return defaults as Pick<SharedInformerOptions<T, NamespaceIndex>, keyof InformerDefaults>;
}

/** Returns the handle of a resource of which only a part is kept. */
function handleOfKept<T, S extends Scope, Fields, MetadataOnly>(
  resource: ResourceReference<T, S>,
): ResourceReference<Kept<T, Fields, MetadataOnly>, S> {
  // The type of the objects only exists for the compiler.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return resource as unknown as ResourceReference<Kept<T, Fields, MetadataOnly>, S>;
}

/** Returns the options without undefined members. */
function defined<O extends object>(options: O | undefined): Partial<O> {
  const given: Partial<O> = { ...options };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) Reflect.deleteProperty(given, name);
  }
  return given;
}
