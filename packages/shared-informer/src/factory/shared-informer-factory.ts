import type { ResourceReference } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { linkAbort } from "@listwatch/core-fifo/base";
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
import {
  waitForCacheSync,
  type Syncable,
  type WaitOptions,
} from "../delivery/wait-for-cache-sync.ts";
import { InformerStoppedError } from "../informer/errors.ts";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import { assertIndexes, type Informer } from "../informer/informer.ts";
import type { SharedInformerOptions } from "../sources/shared-informer-options.ts";
import { SharedInformer } from "../sources/shared-informer.ts";
import { nameOf, type InformerIdentity, type InformerScope } from "./informer-identity.ts";

/** The index that every informer of a factory has. */
// An interface has no index signature, and would not count as index values.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type NamespaceIndex = { readonly namespace: string };

/** Options of all informers of a factory, each of which one informer can have differently. */
export type InformerDefaults = Pick<
  SharedInformerOptions<KubernetesObject, NamespaceIndex>,
  "behaviour" | "cache" | "list" | "onError" | "resyncMs" | "retry" | "telemetry" | "watch"
>;

/** Options of one informer of a factory. */
export interface FactoryInformerOptions<T extends KubernetesObject, I extends IndexValues>
  extends
    InformerScope,
    Pick<
      SharedInformerOptions<T, I>,
      "cache" | "list" | "onError" | "resyncMs" | "retry" | "watch"
    > {
  /** Indexes, besides the one by namespace. One that the informer has already stays as it is. */
  readonly indexers?: Indexers<T, I> | undefined;
}

/** Options of {@link SharedInformerFactory}: the API server, and what holds for all informers. */
export interface SharedInformerFactoryOptions extends Omit<
  HttpListerWatcherOptions,
  "metadataOnly" | "resource" | "watchListSupported"
> {
  /** Options of all informers. Groups are merged with those of one informer. */
  readonly informers?: InformerDefaults | undefined;
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

/** Creates what an informer lists and watches with. */
export type CreateListerWatcher = <T extends KubernetesObject>(
  options: HttpListerWatcherOptions<T>,
) => ListerWatcher<T>;

type IndexFunctions<T> = Readonly<Record<string, IndexFunction<T>>>;

/** An informer of any type. */
type Member = Pick<Informer<unknown, NoIndexes>, "phase" | "run"> & Syncable;

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
  readonly #informers = new Map<string, Member>();
  readonly #runs = new Map<Member, Promise<void>>();
  readonly #stop = new AbortController();
  #isShutDown = false;

  constructor(options: SharedInformerFactoryOptions) {
    this.#options = options;
  }

  /**
   * The informer of a resource, created when it is requested for the first time; options that are
   * not part of its identity count only then. Indexes are added when it is requested again, too.
   *
   * @throws {InformerStoppedError} if it is a new one and the factory is shut down
   */
  informer<T extends KubernetesObject = KubernetesObject, I extends IndexValues = NoIndexes>(
    resource: ResourceReference<T>,
    options: FactoryInformerOptions<T, I> = {},
  ): SharedInformer<T, NamespaceIndex & I> {
    const informer = this.#find(resource, options) ?? this.#create(resource, options);
    const indexers: IndexFunctions<T> = options.indexers ?? {};
    const known: object = informer.store.getIndexers();
    const missing: Record<string, IndexFunction<T>> = {};
    for (const [name, indexFunction] of Object.entries(indexers)) {
      if (!Object.hasOwn(known, name)) missing[name] = indexFunction;
    }
    if (Object.keys(missing).length > 0) informer.addIndexers(missing);
    assertIndexes<SharedInformer<T, NamespaceIndex & I>>(informer, indexers);
    return informer;
  }

  /** The lister of a resource's informer, which is created if it is missing. */
  lister<T extends KubernetesObject = KubernetesObject>(
    resource: ResourceReference<T>,
    options?: FactoryInformerOptions<T, NoIndexes>,
  ): Lister<T> {
    return this.informer<T>(resource, options).lister;
  }

  /**
   * Runs all informers that exist and were not started; they stop when `signal` is aborted. Returns
   * at once. May be called again for informers that were created since. After
   * {@link SharedInformerFactory.shutdown} it does nothing.
   */
  start(signal?: AbortSignal): void {
    if (this.#isShutDown) return;
    const stop = linkAbort(this.#stop.signal, signal);
    const started: Promise<void>[] = [];
    for (const informer of this.#informers.values()) {
      if (informer.phase !== "created") continue;
      const run = informer.run(stop.signal);
      started.push(run);
      this.#runs.set(informer, run);
    }
    // `shutdown` hands on the failures; until then they are no unhandled rejections.
    void Promise.allSettled(started).then(() => stop.release());
  }

  /**
   * Resolves when all informers that were started have synced.
   *
   * @throws {NotSyncedError} on abort, or when one of them ends before
   */
  waitForCacheSync(options?: WaitOptions): Promise<void> {
    return waitForCacheSync([...this.#runs.keys()], options);
  }

  /**
   * Prevents further starts and resolves when all informers that run have ended, which the signals
   * given to {@link SharedInformerFactory.start} bring about. Idempotent.
   *
   * @throws what an informer failed with; an `AggregateError` if several failed
   */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    const results = await Promise.allSettled(this.#runs.values());
    const failures = results.filter((result) => result.status === "rejected");
    if (failures.length > 1) {
      throw new AggregateError(
        failures.map(({ reason }): unknown => reason),
        `Cannot run ${failures.length} of ${results.length} informers to the end`,
      );
    }
    for (const { reason } of failures) throw reason;
  }

  /** Stops all informers and resolves when they have ended. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    return this.shutdown();
  }

  #find<T extends KubernetesObject>(
    resource: ResourceReference<T>,
    scope: InformerScope,
  ): SharedInformer<T, NamespaceIndex> | undefined {
    const known = this.#informers.get(nameOf(resource, this.#scopeOf(scope)));
    // The name stands for the resource, whose handle says what its objects look like.
    return known instanceof SharedInformer ? known : undefined;
  }

  #create<T extends KubernetesObject>(
    resource: ResourceReference<T>,
    options: Omit<FactoryInformerOptions<T, never>, "indexers">,
  ): SharedInformer<T, NamespaceIndex> {
    const {
      createListerWatcher = httpListerWatcher,
      informers,
      metrics,
      ...request
    } = this.#options;
    const scope = this.#scopeOf(options);
    const name = nameOf(resource, scope);
    if (this.#isShutDown) throw new InformerStoppedError(`create an informer of ${name}`);
    const defaults = defaultsFor<T>(informers);
    const informer = new SharedInformer<T, NamespaceIndex>({
      behaviour: defaults.behaviour,
      cache: { resource, ...defaults.cache, ...defined(options.cache) },
      clock: request.clock,
      indexers: namespaceIndex,
      list: { ...defaults.list, ...defined(options.list) },
      listerWatcher: createListerWatcher<T>({ ...request, ...scope, resource }),
      name,
      onError: options.onError ?? defaults.onError,
      resyncMs: options.resyncMs ?? defaults.resyncMs,
      retry: { ...defaults.retry, ...defined(options.retry) },
      telemetry: {
        ...defaults.telemetry,
        metrics: metrics?.({ ...scope, name, resource }) ?? defaults.telemetry?.metrics,
      },
      watch: { ...defaults.watch, ...defined(options.watch) },
    });
    this.#informers.set(name, informer);
    return informer;
  }

  /** The scope of an informer, with what the factory has for all. */
  #scopeOf(scope: InformerScope): InformerScope {
    const { fieldSelector, labelSelector, namespace, shardSelector } = this.#options;
    return {
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

/** The same options, without those that are named and not given. */
function defined<O extends object>(options: O | undefined): Partial<O> {
  const given: Partial<O> = { ...options };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) Reflect.deleteProperty(given, name);
  }
  return given;
}
