import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ResourceReference } from "@listwatch/client";
import {
  httpListerWatcher,
  type HttpListerWatcherOptions,
  type ListerWatcher,
} from "@listwatch/reflector";
import { namespaceIndex, type Lister } from "@listwatch/store-indexer";
import { InformerStoppedError } from "../delivery/errors.ts";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import type { SharedInformerOptions } from "../sources/shared-informer-options.ts";
import { SharedInformer } from "../sources/shared-informer.ts";
import { waitForCacheSync } from "../delivery/wait-for-cache-sync.ts";

/** The index that every informer of a factory has. A type alias, so that it counts as index values. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
export type NamespaceIndex = { readonly namespace: string };

/**
 * Which part of a resource, in which form; with the resource it identifies an informer of a
 * factory.
 */
export type InformerScope = Pick<
  HttpListerWatcherOptions,
  "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "shardSelector"
>;

/** Options that a factory's informers share, each of which one informer can have differently. */
export type InformerTuning<T extends KubernetesObject> = Omit<
  SharedInformerOptions<T, NamespaceIndex>,
  "indexers" | "listerWatcher" | "name" | "resource"
>;

/** Options of {@link SharedInformerFactory}: the API server, and what holds for all informers. */
export interface SharedInformerFactoryOptions
  extends
    Omit<HttpListerWatcherOptions, "metadataOnly" | "resource">,
    Omit<InformerTuning<KubernetesObject>, "metrics"> {
  /**
   * Gives each informer its metrics, once, when it is made; two informers must not share them
   * (ID-2).
   *
   * @default none
   */
  readonly metrics?: ((informer: InformerIdentity) => InformerMetrics | undefined) | undefined;
  /**
   * Makes the source of each informer, to use another client than `fetch`, or to change what is
   * asked.
   *
   * @default httpListerWatcher
   */
  readonly createListerWatcher?: CreateListerWatcher | undefined;
}

/** Which informer of a factory. */
export interface InformerIdentity extends InformerScope {
  /** Unique in the factory. */
  readonly name: string;
  readonly resource: ResourceReference;
}

/** Makes the source of an informer. */
export type CreateListerWatcher = <T extends KubernetesObject>(
  options: HttpListerWatcherOptions,
) => ListerWatcher<T>;

/**
 * Informers of one API server, each made once however often it is asked for, so that everybody
 * shares its watch and cache.
 *
 * An informer is identified by resource, namespace, selectors and form: two differently filtered
 * informers of one resource are two informers (FAC-1). They are made when asked for and run by
 * {@link SharedInformerFactory.start}. Every resource works, built in or not; the type parameter
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
  readonly #informers = new Map<string, SharedInformer<KubernetesObject, NamespaceIndex>>();
  readonly #runs = new Map<SharedInformer<KubernetesObject, NamespaceIndex>, Promise<void>>();
  readonly #stop = new AbortController();
  #isShutDown = false;

  constructor(options: SharedInformerFactoryOptions) {
    this.#options = options;
  }

  /**
   * The informer of a resource, made when it is asked for the first time; options that are not part
   * of its identity count only then (FAC-7).
   *
   * @throws {InformerStoppedError} if it is a new one and the factory is shut down
   */
  informer<T extends KubernetesObject = KubernetesObject>(
    resource: ResourceReference,
    options?: InformerScope & InformerTuning<T>,
  ): SharedInformer<T, NamespaceIndex>;
  informer(
    resource: ResourceReference,
    options: InformerScope & InformerTuning<KubernetesObject> = {},
  ): unknown {
    const merged = {
      ...this.#options,
      ...defined(options),
      list: { ...this.#options.list, ...options.list },
      watch: { ...this.#options.watch, ...options.watch },
      retry: { ...this.#options.retry, ...options.retry },
      resource,
    };
    const name = nameOf(merged);
    const known = this.#informers.get(name);
    if (known !== undefined) return known;
    if (this.#isShutDown) throw new InformerStoppedError(`create an informer of ${name}`);
    const { fieldSelector, labelSelector, metadataOnly, namespace, shardSelector } = merged;
    const scope = { fieldSelector, labelSelector, metadataOnly, namespace, shardSelector };
    const create = this.#options.createListerWatcher ?? httpListerWatcher;
    const informer = new SharedInformer<KubernetesObject, NamespaceIndex>({
      ...merged,
      name,
      indexers: namespaceIndex,
      listerWatcher: create(merged),
      metrics: options.metrics ?? this.#options.metrics?.({ ...scope, name, resource }),
    });
    this.#informers.set(name, informer);
    return informer;
  }

  /** The lister of a resource's informer, which is made if need be. */
  lister<T extends KubernetesObject = KubernetesObject>(
    resource: ResourceReference,
    options?: InformerScope & InformerTuning<T>,
  ): Lister<T> {
    return this.informer<T>(resource, options).lister;
  }

  /**
   * Runs all informers that exist and do not run yet; they stop when `signal` is aborted. Returns
   * at once. May be called again for informers that were made since (FAC-2, FAC-3). After
   * {@link SharedInformerFactory.shutdown} it does nothing.
   */
  start(signal?: AbortSignal): void {
    if (this.#isShutDown) return;
    const stop =
      signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    for (const informer of this.#informers.values()) {
      if (this.#runs.has(informer)) continue;
      const run = informer.run(stop);
      // Who waits for the end gets the failure from `shutdown`; until then it is no unhandled
      // rejection.
      run.catch(() => {});
      this.#runs.set(informer, run);
    }
  }

  /**
   * Resolves when all informers that run now have synced (FAC-4).
   *
   * @throws {NotSyncedError} on abort, or when one of them ends before
   */
  waitForCacheSync(signal?: AbortSignal): Promise<void> {
    return waitForCacheSync(signal, ...this.#runs.keys());
  }

  /**
   * Lets no informer start any more and resolves when all that run have ended, which is for those
   * who gave the signals to bring about (FAC-5). Idempotent.
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
        `Couldn't run ${failures.length} of ${results.length} informers to the end`,
      );
    }
    for (const { reason } of failures) throw reason;
  }

  /** Stops all informers and resolves when they have ended. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    return this.shutdown();
  }
}

/** The same options, without those that are named and not given. */
function defined<O extends object>(options: O): Partial<O>;
function defined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function nameOf(options: InformerScope & { readonly resource: ResourceReference }): string {
  const { fieldSelector, labelSelector, metadataOnly, namespace, resource, shardSelector } =
    options;
  const scope = Object.entries({ namespace, labelSelector, fieldSelector, shardSelector })
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${value}`);
  if (metadataOnly === true) scope.push("metadataOnly");
  const { group, resource: plural, version } = resource;
  const path = group === "" ? `${version}/${plural}` : `${group}/${version}/${plural}`;
  return scope.length === 0 ? path : `${path}?${scope.join("&")}`;
}
