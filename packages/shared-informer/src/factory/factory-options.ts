import { collectionsTable } from "@listwatch/client/base";
import type { KubernetesObject, Log, MetricsSink, TraceSink } from "@listwatch/core-fifo";
import {
  aBoolean,
  aFunction,
  aLog,
  aMetricsSink,
  anObject,
  anything,
  aString,
  aTraceSink,
  type OptionsOf,
  type OptionTable,
} from "@listwatch/core-fifo/base";
import type { HttpListerWatcherOptions, ListerWatcher } from "@listwatch/reflector";
import type { Indexers, IndexValues } from "@listwatch/store-indexer";
import { informerCacheTable, informerTable } from "../informer/informer-options.ts";
import { createSourceTable, sourceCacheTable } from "../intake/reflector-source.ts";
import type {
  SharedInformerCacheOptions,
  SharedInformerOptions,
} from "../intake/shared-informer-options.ts";
import type { InformerScope } from "./shared-options.ts";

/** Index of every informer of a factory. */
// Not an interface, which has no index signature and so cannot be index values.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type NamespaceIndex = {
  /** Type of the values of the index: the namespace of an object. */
  readonly namespace: string;
};

/** Selection and form of the objects in the cache; the factory knows the resource. */
export type FactoryCacheOptions<T> = Omit<SharedInformerCacheOptions<T>, "resource">;

/** The kept part of each object, in a form that the compiler can infer. */
export interface KeptForm<Fields, MetadataOnly> {
  /** Members of objects to keep. @default all members */
  readonly fields?: Fields;
  /** Whether only metadata is requested. @default false */
  readonly metadataOnly?: MetadataOnly;
}

/** Options of all informers of a factory. One informer can override each. */
export interface InformerDefaults extends Pick<
  SharedInformerOptions<KubernetesObject, NamespaceIndex>,
  "behaviour" | "list" | "onError" | "random" | "resyncMs" | "retry" | "watch"
> {
  /** Selection and form of the objects in the caches. @default {} */
  readonly cache?: FactoryCacheOptions<KubernetesObject> | undefined;
}

/** Options of one informer of a factory. */
export interface FactoryInformerOptions<T extends KubernetesObject, I extends IndexValues>
  extends
    InformerScope,
    Pick<HttpListerWatcherOptions, "encoding" | "lazy" | "managedFields">,
    Pick<SharedInformerOptions<T, I>, "list" | "onError" | "resyncMs" | "retry" | "watch"> {
  /** Selection and form of the objects in the cache. @default {} */
  readonly cache?: FactoryCacheOptions<T> | undefined;
  /**
   * Indexes in addition to the one by namespace. An existing index stays unchanged; the log warns
   * of another function for it.
   *
   * @default none
   */
  readonly indexers?: Indexers<T, I> | undefined;
}

/** Options of {@link SharedInformerFactory}: the API server, and defaults for all informers. */
export interface SharedInformerFactoryOptions extends Omit<
  HttpListerWatcherOptions,
  "fields" | "metadataOnly" | "resource" | "watchListSupported"
> {
  /** Options of all informers. Groups are merged with those of one informer. @default {} */
  readonly informers?: InformerDefaults | undefined;
  /** Log of the informers, as their `telemetry.log`. @default consoleLog */
  readonly log?: Log | undefined;
  /** Receives the metrics of the informers, with their names as the label `name`. @default none */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a span for each list of the informers. @default none */
  readonly traces?: TraceSink | undefined;
  /**
   * Creates the {@link ListerWatcher} of an informer, for another client than `fetch`, or to change
   * the requests.
   *
   * @default httpListerWatcher
   */
  readonly createListerWatcher?: CreateListerWatcher | undefined;
}

// Functions: bundlers keep constants that are made from others, used or not.

/** Checks of the options that a factory and each of its informers have. */
function createBothTable() {
  const { resource: _resource, ...informerCache } = informerCacheTable;
  const { list, retry, watch } = createSourceTable();
  return {
    cache: { ...informerCache, ...sourceCacheTable },
    list,
    onError: informerTable.onError,
    resyncMs: informerTable.resyncMs,
    retry,
    watch,
  } satisfies OptionTable;
}

/** Checks of {@link SharedInformerFactoryOptions}. */
export function createFactoryTable(): OptionsOf<SharedInformerFactoryOptions> {
  const { behaviour, random } = createSourceTable();
  return {
    ...collectionsTable,
    namespace: aString,
    informers: { ...createBothTable(), behaviour, random } satisfies OptionsOf<InformerDefaults>,
    log: aLog,
    metrics: aMetricsSink,
    traces: aTraceSink,
    createListerWatcher: aFunction,
  };
}

/** Checks of {@link FactoryInformerOptions}. */
export function createMemberTable(): OptionsOf<FactoryInformerOptions<never, never>> {
  return {
    ...createBothTable(),
    encoding: collectionsTable.encoding,
    fields: anything,
    fieldSelector: collectionsTable.fieldSelector,
    indexers: anObject,
    labelSelector: collectionsTable.labelSelector,
    lazy: collectionsTable.lazy,
    managedFields: collectionsTable.managedFields,
    metadataOnly: aBoolean,
    namespace: aString,
    shardSelector: collectionsTable.shardSelector,
  };
}

/** Creates the {@link ListerWatcher} of an informer. With `fields`, `T` is the kept part. */
export type CreateListerWatcher = <T extends KubernetesObject>(
  options: HttpListerWatcherOptions<T>,
) => ListerWatcher<T>;
