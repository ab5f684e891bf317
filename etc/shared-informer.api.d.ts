// index.ts
export type { DeltaStore, DeltaTarget } from "./cache/delta-target.ts";
export type { AddEvent, Deleted, DeleteEvent, InformerEvent, MissedDeletion, SeenDeletion, UpdateEvent, } from "./cache/informer-event.ts";
export { processDeltas, processDeltasInBatch } from "./cache/process-deltas.ts";
export type { HandlerOptions, HandlerRegistration } from "./delivery/handler-registration.ts";
export { ProcessorListener, type ListenerHooks, type ProcessorListenerOptions, type SlowHandlerReport, } from "./delivery/processor-listener.ts";
export { filteringHandler, type FilteringHandlerOptions, type ResourceEventHandler, } from "./delivery/resource-event-handler.ts";
export { SharedProcessor, type AddListenerOptions, type Listener, type ResyncOptions, type SharedProcessorOptions, } from "./delivery/shared-processor.ts";
export { NotSyncedError, type Unsynced, type UnsyncedReason, } from "./delivery/wait-for-cache-sync.ts";
export { waitForCacheSync, type Syncable, type WaitOptions, } from "./delivery/wait-for-cache-sync.ts";
export type { InformerIdentity, InformerScope } from "./factory/shared-options.ts";
export type { CreateListerWatcher, FactoryCacheOptions, FactoryInformerOptions, InformerDefaults, KeptForm, NamespaceIndex, SharedInformerFactoryOptions, } from "./factory/factory-options.ts";
export { SharedInformerFactory } from "./factory/shared-informer-factory.ts";
export { type ErrorOrigin, type InformerCacheOptions, type InformerOptions, type InformerTelemetry, type ReportError, type WatchErrorOrigin, type WatchErrorReaction, } from "./informer/informer-options.ts";
export type { InformerSink, InformerSource, SinkStore, SourceProgress, } from "./informer/informer-source.ts";
export type { FreshOptions, HandlerStatus, InformerPhase, InformerProblem, InformerStatus, ProblemReason, SourceStatus, } from "./informer/informer-status.ts";
export { Informer } from "./informer/informer.ts";
export type { AdmittedWrite, WriteEffect, WrittenName } from "./informer/admitted-write.ts";
export type { InformerWrites, NotedState, NotedWrite } from "./informer/informer-writes.ts";
export { OwnWrites, type OwnWritesCache } from "./informer/own-writes.ts";
export type { StateWriters } from "./informer/state-writers.ts";
export { InformerView, type InformerViewOptions } from "./intake/informer-view.ts";
export { newInformer } from "./intake/shared-informer.ts";
export { ReflectorSource, type ReflectorSourceOptions, type ReflectorSourceTelemetry, type WatchErrorHandler, } from "./intake/reflector-source.ts";
export { clientGoInformerBehaviour, type SharedInformerCacheOptions, type SharedInformerListOptions, type SharedInformerOptions, type SharedInformerRetryOptions, type SharedInformerWatchOptions, type SourceCacheOptions, } from "./intake/shared-informer-options.ts";
export { SharedInformer } from "./intake/shared-informer.ts";
export type { EventsOptions, EventStream, OverflowPolicy } from "./streams/event-stream.ts";
export type { ViewedInformer, ViewSelection } from "./intake/view-source.ts";

// cache/delta-target.ts
import { DeletedFinalStateUnknown, type Cached, type KeyFunction } from "@listwatch/core-fifo";
import type { KeyedStore } from "@listwatch/store-indexer";
import type { InformerEvent } from "./informer-event.ts";
export type DeltaStore<T> = Pick<KeyedStore<T>, "add" | "bookmark" | "deleteWithObject" | "getByKey" | "listKeys" | "stageReplace">;
export type ChangeReceiver<T> = Pick<DeltaTarget<T>, "beginList" | "endList" | "isSameContent" | "notify">;
export interface DeltaTarget<T> {
    readonly store: DeltaStore<T>;
    readonly keyFunc: KeyFunction<T>;
    readonly ignoreUnknownDeletes?: boolean | undefined;
    readonly isSameContent?: ((held: Cached<T>, object: T) => boolean) | undefined;
    readonly notify: (event: InformerEvent<T>) => void;
    readonly beginList?: (() => void) | undefined;
    readonly endList?: (() => void) | undefined;
}
export declare function keyOf<T>(object: T | DeletedFinalStateUnknown<T>, keyFunc: KeyFunction<T>): string;

// cache/informer-event.ts
import type { Cached } from "@listwatch/core-fifo";
export interface SeenDeletion<T> {
    readonly stale: false;
    readonly key: string;
    readonly object: Cached<T>;
}
export interface MissedDeletion<T> {
    readonly stale: true;
    readonly key: string;
    readonly object?: Cached<T> | undefined;
}
export type Deleted<T> = SeenDeletion<T> | MissedDeletion<T>;
export interface AddEvent<T> {
    readonly type: "add";
    readonly key: string;
    readonly object: Cached<T>;
    readonly isInInitialList: boolean;
}
export interface UpdateEvent<T> {
    readonly type: "update";
    readonly key: string;
    readonly object: Cached<T>;
    readonly old: Cached<T>;
}
export type DeleteEvent<T> = Deleted<T> & {
    readonly type: "delete";
};
export type InformerEvent<T> = AddEvent<T> | UpdateEvent<T> | DeleteEvent<T>;
export declare function createUpsertEvent<T>(key: string, old: Cached<T> | undefined, object: Cached<T>, isInInitialList: boolean): InformerEvent<T>;
export declare function createMissedDeleteEvent<T>(key: string, object: Cached<T> | undefined): InformerEvent<T>;

// cache/process-deltas.ts
import { type Cached, type Delta, type Deltas } from "@listwatch/core-fifo";
import { type DeltaTarget } from "./delta-target.ts";
export type ReplacedAllDelta<T> = Extract<Delta<T>, {
    readonly type: "ReplacedAll";
}>;
export declare function processDeltas<T>(deltas: Deltas<NoInfer<T | Cached<T>>>, isInInitialList: boolean, target: DeltaTarget<T>): void;
export declare function processDeltasInBatch<T>(deltas: Deltas<NoInfer<T | Cached<T>>>, isInInitialList: boolean, target: DeltaTarget<T>): void;
export declare function replaceAll<T>(delta: ReplacedAllDelta<T>, isInInitialList: boolean, { beginList, endList, isSameContent, keyFunc, notify, store }: DeltaTarget<T>): Generator<"object" | "staged", void, undefined>;

// delivery/handler-registration.ts
import type { UnsyncedReason } from "./wait-for-cache-sync.ts";
import type { ProcessorListener } from "./processor-listener.ts";
import type { Syncable } from "./wait-for-cache-sync.ts";
export interface HandlerRegistration extends AsyncDisposable {
    readonly name: string;
    readonly backlog: number;
    readonly hasSynced: boolean;
    readonly synced: Promise<void>;
    explainUnsynced?(): UnsyncedReason;
    remove(): Promise<void>;
}
export interface HandlerOptions {
    readonly name?: string | undefined;
    readonly resyncMs?: number | undefined;
    readonly changesOnly?: boolean | undefined;
    readonly maxBacklog?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare function checkHandler(handler: unknown, options: HandlerOptions): void;
export declare function classNameOf(handler: object): string | undefined;
interface RegisteringInformer<T> extends Syncable {
    removeListener(listener: ProcessorListener<T>): Promise<void>;
}
export declare class ListenerRegistration<T> implements HandlerRegistration {
    #private;
    constructor(listener: ProcessorListener<T>, informer: RegisteringInformer<T>, signal: AbortSignal | undefined);
    get name(): string;
    get backlog(): number;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    explainUnsynced(): UnsyncedReason;
    remove(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
export {};

// delivery/wait-for-cache-sync.ts
import { ListwatchError } from "@listwatch/core-fifo";
export interface UnsyncedReason {
    readonly reason: string;
    readonly error?: unknown;
}
export interface Unsynced extends UnsyncedReason {
    readonly name: string;
}
export declare class NotSyncedError extends ListwatchError {
    readonly name: string;
    readonly names: readonly string[];
    readonly unsynced: readonly Unsynced[];
    constructor(unsynced: readonly Unsynced[], options?: ErrorOptions);
}
export interface Syncable {
    readonly name: string;
    readonly hasSynced: boolean;
    readonly synced: Promise<void>;
    explainUnsynced?(): UnsyncedReason;
}
export interface WaitOptions {
    readonly signal?: AbortSignal | undefined;
}
export declare function waitForCacheSync(syncables: readonly Syncable[], options?: WaitOptions): Promise<void>;
export declare function createInformerStoppedError(action: string): ListwatchError;

// delivery/processor-listener.ts
import type { Clock } from "@listwatch/core-fifo";
import type { InformerEvent } from "../cache/informer-event.ts";
import { type ResourceEventHandler } from "./resource-event-handler.ts";
export interface SlowHandlerReport {
    readonly name: string;
    readonly durationMs: number;
    readonly backlog: number;
}
export interface ListenerHooks<T> {
    readonly onHandlerError?: ((error: unknown, listener: ProcessorListener<T>, event: InformerEvent<T>) => void) | undefined;
    readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
    readonly onLongBacklog?: ((handler: string, backlog: number) => void) | undefined;
    readonly onEmpty?: ((handler: string) => void) | undefined;
}
export interface ProcessorListenerOptions<T> extends ListenerHooks<T> {
    readonly name?: string | undefined;
    readonly clock?: Clock | undefined;
    readonly maxBacklog?: number | undefined;
}
export declare class ProcessorListener<T> implements AsyncDisposable {
    #private;
    readonly name: string;
    readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
    constructor(handler: ResourceEventHandler<T>, options?: ProcessorListenerOptions<T>);
    get backlog(): number;
    get callbackSinceMs(): number | undefined;
    get isCalling(): boolean;
    get isResyncWaiting(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    get ended(): Promise<void>;
    push(event: InformerEvent<T>): void;
    sourceSynced(): void;
    start(): void;
    run(signal?: AbortSignal): Promise<void>;
    stop(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// delivery/resource-event-handler.ts
import { type KeyFunction, type Cached } from "@listwatch/core-fifo";
import type { Deleted, InformerEvent } from "../cache/informer-event.ts";
export interface ResourceEventHandler<T> {
    onAdd?(object: Cached<T>, isInInitialList: boolean): unknown;
    onUpdate?(old: Cached<T>, object: Cached<T>): unknown;
    onDelete?(deleted: Deleted<T>): unknown;
}
export declare function callHandler<T>(handler: ResourceEventHandler<T>, event: InformerEvent<T>): unknown;
export declare function refuseToWait(name: string): Promise<never>;
export interface FilteringHandlerOptions<T> {
    readonly filter: (object: Cached<T>) => boolean;
    readonly filterDeleted?: ((deleted: Deleted<T>) => boolean) | undefined;
    readonly keyFunc?: KeyFunction<Cached<T>> | undefined;
}
export declare function applyFilter<O>(filter: (object: O) => boolean, object: O): boolean;
export declare function filteringHandler<T>(handler: ResourceEventHandler<T>, options: FilteringHandlerOptions<T>): ResourceEventHandler<T>;

// delivery/shared-processor.ts
import { type Clock } from "@listwatch/core-fifo";
import { type OptionsOf } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
export interface Listener<T> {
    readonly name: string;
    readonly backlog: number;
    readonly callbackSinceMs?: number | undefined;
    readonly isCalling?: boolean | undefined;
    readonly ended?: Promise<void> | undefined;
    readonly isResyncWaiting?: boolean | undefined;
    push(event: InformerEvent<T>): void;
    sourceSynced(): void;
    readonly waitForRoom?: (() => Promise<void> | undefined) | undefined;
    start(): void;
    stop(): Promise<void>;
}
export interface SharedProcessorOptions {
    readonly clock?: Clock | undefined;
    readonly resyncCheckPeriodMs?: number | undefined;
}
export interface ResyncOptions {
    readonly whileWaiting?: boolean | undefined;
}
export interface AddListenerOptions {
    readonly changesOnly?: boolean | undefined;
    readonly resyncMs?: number | undefined;
}
export declare const addTable: OptionsOf<AddListenerOptions>;
export declare class SharedProcessor<T> implements AsyncDisposable {
    #private;
    constructor(options?: SharedProcessorOptions);
    get isCalling(): boolean;
    get listeners(): readonly Listener<T>[];
    addListener(listener: Listener<T>, options?: AddListenerOptions): void;
    removeListener(listener: Listener<T>): Promise<void>;
    waitForRoom(): Promise<void> | undefined;
    beginList(): void;
    endList(): void;
    distribute(event: InformerEvent<T>): void;
    distributeResync(event: InformerEvent<T>): void;
    sourceSynced(): void;
    shouldResync(options?: ResyncOptions): boolean;
    setResyncCheckPeriod(periodMs: number): void;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// factory/shared-options.ts
import type { ResourceReference } from "@listwatch/client";
import type { Log } from "@listwatch/core-fifo";
import type { HttpListerWatcherOptions } from "@listwatch/reflector";
export type InformerScope = Pick<HttpListerWatcherOptions, "fields" | "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "shardSelector">;
export interface InformerIdentity extends InformerScope {
    readonly name: string;
    readonly resource: Pick<ResourceReference, "group" | "resource" | "version">;
}
export declare function informerName({ group, resource, version }: InformerIdentity["resource"], scope: InformerScope): string;
interface Shared {
    readonly name: string;
    readonly store: {
        getIndexers(): object;
    };
}
export declare class SharedOptions {
    #private;
    constructor(log: Log);
    set(informer: Shared, options: object): void;
    compare(informer: Shared, options: object, indexers: object): void;
}
export {};

// factory/factory-options.ts
import type { KubernetesObject, Log, MetricsSink, TraceSink } from "@listwatch/core-fifo";
import { type OptionsOf } from "@listwatch/core-fifo/base";
import type { HttpListerWatcherOptions, ListerWatcher } from "@listwatch/reflector";
import type { Indexers, IndexValues } from "@listwatch/store-indexer";
import type { SharedInformerCacheOptions, SharedInformerOptions } from "../intake/shared-informer-options.ts";
import type { InformerScope } from "./shared-options.ts";
export type NamespaceIndex = {
    readonly namespace: string;
};
export type FactoryCacheOptions<T> = Omit<SharedInformerCacheOptions<T>, "resource">;
export interface KeptForm<Fields, MetadataOnly> {
    readonly fields?: Fields;
    readonly metadataOnly?: MetadataOnly;
}
export interface InformerDefaults extends Pick<SharedInformerOptions<KubernetesObject, NamespaceIndex>, "behaviour" | "list" | "onError" | "random" | "resyncMs" | "retry" | "watch"> {
    readonly cache?: FactoryCacheOptions<KubernetesObject> | undefined;
}
export interface FactoryInformerOptions<T extends KubernetesObject, I extends IndexValues> extends InformerScope, Pick<HttpListerWatcherOptions, "encoding" | "lazy" | "managedFields">, Pick<SharedInformerOptions<T, I>, "list" | "onError" | "resyncMs" | "retry" | "watch"> {
    readonly cache?: FactoryCacheOptions<T> | undefined;
    readonly indexers?: Indexers<T, I> | undefined;
}
export interface SharedInformerFactoryOptions extends Omit<HttpListerWatcherOptions, "fields" | "metadataOnly" | "resource" | "watchListSupported"> {
    readonly informers?: InformerDefaults | undefined;
    readonly log?: Log | undefined;
    readonly metrics?: MetricsSink | undefined;
    readonly traces?: TraceSink | undefined;
    readonly createListerWatcher?: CreateListerWatcher | undefined;
}
export declare function createFactoryTable(): OptionsOf<SharedInformerFactoryOptions>;
export declare function createMemberTable(): OptionsOf<FactoryInformerOptions<never, never>>;
export type CreateListerWatcher = <T extends KubernetesObject>(options: HttpListerWatcherOptions<T>) => ListerWatcher<T>;

// intake/shared-informer-options.ts
import type { KeyFunction, KubernetesObject, Random, Scope, Transform } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import type { ListerWatcher, ReflectorListOptions, ReflectorRetryOptions, ReflectorWatchOptions } from "@listwatch/reflector";
import type { IndexValues } from "@listwatch/store-indexer";
import type { InformerCacheOptions, InformerOptions } from "../informer/informer-options.ts";
export interface SourceCacheOptions<T> {
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly keep?: ((object: T) => boolean) | undefined;
    readonly transform?: Transform<T> | undefined;
}
export interface SharedInformerCacheOptions<T, S extends Scope = Scope> extends InformerCacheOptions<S>, SourceCacheOptions<T> {
}
export interface SharedInformerListOptions extends Pick<ReflectorListOptions<never>, "pageSize" | "watchList" | "watchListRetryMs" | "watchListSilenceMs"> {
}
export interface SharedInformerWatchOptions extends Pick<ReflectorWatchOptions, "silenceMs" | "storeFailure" | "watchGraceMs"> {
}
export interface SharedInformerRetryOptions extends Pick<ReflectorRetryOptions, "maxRetryAfterMs" | "unreachableCapMs"> {
}
export declare const clientGoInformerBehaviour: Preset<"clientGoInformerBehaviour">;
export interface SharedInformerOptions<T extends KubernetesObject, I extends IndexValues, S extends Scope = Scope> extends InformerOptions<T, I, S> {
    readonly listerWatcher: ListerWatcher<T>;
    readonly cache?: SharedInformerCacheOptions<T, S> | undefined;
    readonly list?: SharedInformerListOptions | undefined;
    readonly watch?: SharedInformerWatchOptions | undefined;
    readonly retry?: SharedInformerRetryOptions | undefined;
    readonly behaviour?: Preset<"clientGoInformerBehaviour"> | undefined;
    readonly random?: Random | undefined;
}

// informer/informer-options.ts
import type { Clock, Log, MetricsSink, Scope, TraceSink } from "@listwatch/core-fifo";
import { type MetersOf, type OptionsOf } from "@listwatch/core-fifo/base";
import type { ReflectorErrorContext } from "@listwatch/reflector";
import type { Indexers, IndexValues, ListerOptions } from "@listwatch/store-indexer";
import type { InformerEvent } from "../cache/informer-event.ts";
export declare const informerMeters: {
    readonly queuedItems: readonly ["gauge", "informer_queued_items"];
    readonly processingLatency: readonly ["histogram", "informer_processing_latency_seconds"];
    readonly storeResourceVersion: readonly ["gauge", "informer_store_resource_version"];
    readonly handlerBacklog: readonly ["gauge", "informer_handler_backlog", "handler"];
    readonly driftedObjects: readonly ["counter", "informer_drifted_objects_total"];
};
export type InformerMetrics = MetersOf<typeof informerMeters>;
export interface WatchErrorOrigin extends ReflectorErrorContext {
    readonly kind: "watch";
}
export type ErrorOrigin<T> = {
    readonly kind: "handler";
    readonly handler: string;
    readonly event: InformerEvent<T>;
} | {
    readonly kind: "cache";
} | WatchErrorOrigin | {
    readonly kind: "metrics";
} | {
    readonly kind: "end";
};
export type WatchErrorReaction = "log" | "retry" | "stop" | undefined;
export interface InformerCacheOptions<S extends Scope = Scope> {
    readonly detectRecreate?: boolean | undefined;
    readonly freeze?: boolean | undefined;
    readonly resource?: ListerOptions<S> | undefined;
}
export interface InformerTelemetry {
    readonly metrics?: MetricsSink | undefined;
    readonly traces?: TraceSink | undefined;
    readonly log?: Log | undefined;
}
export interface InformerOptions<T, I extends IndexValues, S extends Scope = Scope> {
    readonly name?: string | undefined;
    readonly indexers?: Indexers<T, I> | undefined;
    readonly resyncMs?: number | undefined;
    readonly cache?: InformerCacheOptions<S> | undefined;
    readonly telemetry?: InformerTelemetry | undefined;
    readonly onError?: ((error: unknown, origin: ErrorOrigin<T>) => WatchErrorReaction | void) | undefined;
    readonly clock?: Clock | undefined;
}
export type ReportError<T> = (error: unknown, origin: ErrorOrigin<T>) => WatchErrorReaction | void;
export declare function createInformerMeters<T>(sink: MetricsSink | undefined, name: string, report: ReportError<T>): InformerMetrics;
export declare const informerCacheTable: OptionsOf<InformerCacheOptions>;
export declare const informerTable: OptionsOf<InformerOptions<never, never>>;

// factory/shared-informer-factory.ts
import type { FieldPath, Kept, ResourceReference } from "@listwatch/client";
import { type KubernetesObject, type Scope } from "@listwatch/core-fifo";
import { type IndexValues, type Lister, type NoIndexes } from "@listwatch/store-indexer";
import { type WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import { SharedInformer } from "../intake/shared-informer.ts";
import { type FactoryInformerOptions, type KeptForm, type NamespaceIndex, type SharedInformerFactoryOptions } from "./factory-options.ts";
export declare class SharedInformerFactory implements AsyncDisposable {
    #private;
    constructor(options: SharedInformerFactoryOptions);
    informer<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, I extends IndexValues = NoIndexes, const Fields extends readonly FieldPath[] | undefined = undefined, MetadataOnly extends boolean | undefined = boolean | undefined>(resource: ResourceReference<T, S>, options?: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, I> & KeptForm<Fields, MetadataOnly>): SharedInformer<Kept<T, Fields, MetadataOnly>, NamespaceIndex & I, S>;
    lister<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, const Fields extends readonly FieldPath[] | undefined = undefined, MetadataOnly extends boolean | undefined = boolean | undefined>(resource: ResourceReference<T, S>, options?: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, NoIndexes> & KeptForm<Fields, MetadataOnly>): Lister<Kept<T, Fields, MetadataOnly>, S>;
    start(signal?: AbortSignal): void;
    waitForCacheSync(options?: WaitOptions): Promise<void>;
    release(informer: object): Promise<void>;
    shutdown(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// intake/shared-informer.ts
import type { KubernetesObject, Scope, Transform } from "@listwatch/core-fifo";
import type { Indexers, IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { Informer } from "../informer/informer.ts";
import { type WatchErrorHandler } from "./reflector-source.ts";
import type { SharedInformerOptions } from "./shared-informer-options.ts";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
export declare class SharedInformer<T extends KubernetesObject = KubernetesObject, I extends IndexValues = NoIndexes, S extends Scope = Scope> extends Informer<T, I, S> {
    #private;
    constructor(options: SharedInformerOptions<T, I, S>);
    get lastSyncResourceVersion(): string;
    setTransform(transform: Transform<T> | undefined): void;
    setWatchErrorHandler(handler: WatchErrorHandler | undefined): void;
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): SharedInformer<T, I & J, S>;
}
export declare function newInformer<T extends KubernetesObject = KubernetesObject, I extends IndexValues = NoIndexes, S extends Scope = Scope>(handler: ResourceEventHandler<T>, options: SharedInformerOptions<T, I, S>): SharedInformer<T, I, S>;

// informer/informer.ts
import { type KeyFunction, type KubernetesObject, type Scope } from "@listwatch/core-fifo";
import { Lister, type IndexerReader, type Indexers, type IndexValues, type ListerOptions, type NoIndexes } from "@listwatch/store-indexer";
import { type HandlerOptions, type HandlerRegistration } from "../delivery/handler-registration.ts";
import { type ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import { type AddListenerOptions, type Listener } from "../delivery/shared-processor.ts";
import { type UnsyncedReason, type WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { EventsOptions, EventStream } from "../streams/event-stream.ts";
import { type FreshOptions, type InformerPhase, type InformerStatus } from "./informer-status.ts";
import { type InformerOptions } from "./informer-options.ts";
import type { CompletedWrite } from "@listwatch/client";
import type { NotedWrite } from "./informer-writes.ts";
import type { InformerSource } from "./informer-source.ts";
export declare class Informer<T = KubernetesObject, I extends IndexValues = NoIndexes, S extends Scope = Scope> implements AsyncDisposable {
    #private;
    readonly name: string;
    readonly resource: ListerOptions<S> | undefined;
    readonly store: IndexerReader<T, I>;
    readonly lister: Lister<T, S>;
    constructor(source: InformerSource<T>, options: InformerOptions<T, I, S>, keyFunc?: KeyFunction<T>);
    get phase(): InformerPhase;
    get isStopped(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    get isCalling(): boolean;
    explainUnsynced(): UnsyncedReason;
    get lastStoreSyncResourceVersion(): string;
    status(): InformerStatus;
    isFresh(options: FreshOptions): boolean;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): HandlerRegistration;
    addListener(listener: Listener<T>, options?: AddListenerOptions): void;
    removeListener(listener: Listener<T>): Promise<void>;
    events(options?: EventsOptions): EventStream<T>;
    waitForResourceVersion(resourceVersion: string, options?: WaitOptions): Promise<void>;
    waitForObject(object: KubernetesObject, options?: WaitOptions): Promise<void>;
    noteWrite(write: CompletedWrite, writer?: object): NotedWrite | undefined;
    writerOf(object: unknown): object | undefined;
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Informer<T, I & J, S>;
}

// streams/event-stream.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
export type OverflowPolicy = "block" | "coalesce" | "resync";
export interface EventsOptions {
    readonly overflow?: OverflowPolicy | undefined;
    readonly max?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly name?: string | undefined;
}
export declare const eventsTable: OptionsOf<EventsOptions>;
export interface EventStream<T> extends AsyncIterableIterator<InformerEvent<T>, undefined> {
    readonly name: string;
    readonly backlog: number;
}
export declare const defaultMaxEvents: number;

// informer/informer-status.ts
import type { ReflectorStatus } from "@listwatch/reflector";
import type { Unindexed } from "../cache/informer-cache.ts";
import type { UnsyncedReason } from "../delivery/wait-for-cache-sync.ts";
export interface FreshOptions {
    readonly withinMs: number;
}
export type InformerPhase = "created" | "running" | "stopping" | "stopped";
export type ProblemReason = "credentials" | "unauthorized" | "forbidden" | "notFound" | "badRequest" | "unreachable" | "untrustedCertificate" | "expired" | "overloaded" | "serverError" | "unusableObject" | "indexFunction" | "other";
export interface InformerProblem {
    readonly reason: ProblemReason;
    readonly error: unknown;
    readonly attempts: number;
    readonly sinceMs: number;
    readonly retryMs: number | undefined;
    readonly keys?: readonly string[] | undefined;
}
export interface HandlerStatus {
    readonly name: string;
    readonly backlog: number;
    readonly callbackSinceMs?: number | undefined;
}
export interface SourceStatus {
    readonly source: ReflectorStatus | undefined;
    readonly problem: InformerProblem | undefined;
    readonly queuedDeltas: number;
    readonly freshAsOfMs: number | undefined;
    readonly liveAsOfMs?: number | undefined;
}
export interface InformerStatus extends SourceStatus {
    readonly name: string;
    readonly phase: InformerPhase;
    readonly hasSynced: boolean;
    readonly resourceVersion: string;
    readonly handlers: readonly HandlerStatus[];
}
export declare function problemOf(source: ReflectorStatus): InformerProblem | undefined;
export declare function problemOfLoss(loss: {
    readonly error: unknown;
    readonly sinceMs: number;
} | undefined): InformerProblem | undefined;
export declare function problemOfIndexes({ count, errors, sinceMs, }: Unindexed): InformerProblem | undefined;
export declare function lastEvidenceMs(status: ReflectorStatus): number | undefined;
export declare function liveAsOfMs(freshAsOfMs: number, source: ReflectorStatus | undefined, nowMs: number): number;
interface Life {
    readonly startMs: number | undefined;
    readonly nowMs: number;
    readonly activity: string | undefined;
}
export declare function explainUnsynced({ phase, problem, source }: Pick<InformerStatus, "phase" | "problem" | "source">, { activity, nowMs, startMs }: Life): UnsyncedReason;
export declare function describeFailure(error: unknown): string;
export {};

// cache/informer-cache.ts
import type { Clock, Deltas, KeyFunction, Cached } from "@listwatch/core-fifo";
import { type IndexFunctionError, type Indexers, type IndexValues, type StoreReader } from "@listwatch/store-indexer";
import type { ChangeReceiver } from "./delta-target.ts";
interface InformerCacheParts<T, I extends IndexValues> {
    readonly indexers: Indexers<T, I> | undefined;
    readonly freeze: boolean | undefined;
    readonly keyFunc: KeyFunction<T>;
    readonly clock: Clock;
    readonly ignoreUnknownDeletes: boolean | undefined;
    readonly onIndexError: (error: IndexFunctionError) => void;
}
export interface Unindexed {
    readonly count: number;
    readonly errors: readonly IndexFunctionError[];
    readonly sinceMs: number;
}
export declare class InformerCache<T, I extends IndexValues> {
    #private;
    readonly store: StoreReader<T, I>;
    constructor(parts: InformerCacheParts<T, I>);
    apply(deltas: Deltas<T>, isInInitialList: boolean, receiver: ChangeReceiver<T>, signal: AbortSignal): Promise<void> | undefined;
    get unindexed(): Unindexed;
    bookmark(resourceVersion: string): void;
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): void;
    entries(): Generator<readonly [key: string, object: Cached<T>], undefined>;
}
export declare function assertIndexes<Named extends WithStore>(informer: WithStore, indexers: object): asserts informer is Named;
interface WithStore {
    readonly store: {
        getIndexers(): object;
    };
}
export {};

// informer/informer-writes.ts
import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import type { InformerEvent } from "../cache/informer-event.ts";
export interface NotedWrite {
    readonly isOver: boolean;
    readonly over: Promise<void>;
}
export interface NotedState<T> extends NotedWrite {
    readonly key: string;
    readonly content: Cached<T> | "none" | "unknown";
}
export interface InformerWrites<T> {
    readonly isEmpty: boolean;
    hasNotes(key: string): boolean;
    note(write: CompletedWrite, writer: object | undefined): NotedState<T> | undefined;
    read(key: string, cached: Cached<T> | undefined): Cached<T> | undefined;
    findWriter(event: InformerEvent<T>): object | undefined;
    match(event: InformerEvent<T>): void;
    writerOf(object: unknown): object | undefined;
    reach?(isList: boolean): void;
    forget?(): void;
    end?(): void;
}

// informer/informer-source.ts
import type { Deltas, Cached } from "@listwatch/core-fifo";
import type { ResyncOptions } from "../delivery/shared-processor.ts";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { ReportError } from "./informer-options.ts";
import type { SourceStatus } from "./informer-status.ts";
import type { InformerWrites } from "./informer-writes.ts";
import type { OwnWritesCache } from "./own-writes.ts";
export interface InformerSink<T> {
    readonly store: SinkStore<T>;
    readonly resyncCheckPeriodMs: number;
    readonly report: ReportError<T>;
    apply(deltas: Deltas<T>, isInInitialList: boolean, resourceVersion?: string): Promise<void> | undefined;
    noteOtherHistory?(): void;
    markSynced(): void;
    waitForRoom(): Promise<void> | undefined;
    shouldResync(options?: ResyncOptions): boolean;
}
export interface SinkStore<T> {
    getByKey(key: string): Cached<T> | undefined;
    listKeys(): string[];
}
export interface InformerSource<T> {
    run(sink: InformerSink<T>, signal: AbortSignal): Promise<void>;
    status(): SourceStatus;
    isSameState(old: Cached<T>, object: Cached<T>): boolean;
    readonly isSameContent?: ((held: Cached<T>, object: T) => boolean) | undefined;
    readonly ignoreUnknownDeletes?: boolean | undefined;
    createWrites?(cache: OwnWritesCache<T>): InformerWrites<T>;
    describeActivity?(): string | undefined;
    readonly detectRecreate?: boolean | undefined;
    readonly progress?: SourceProgress | undefined;
}
export interface SourceProgress {
    readonly resourceVersion: string;
    waitForResourceVersion(resourceVersion: string, options: WaitOptions): Promise<void>;
}

// informer/own-writes.ts
import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import type { InformerEvent } from "../cache/informer-event.ts";
import { type AdmittedWrite, type WriteEffect } from "./admitted-write.ts";
import type { InformerWrites, NotedState } from "./informer-writes.ts";
import { StateWriters } from "./state-writers.ts";
export interface OwnWritesCache<T> {
    readonly freeze: boolean;
    readonly cached: (key: string) => Cached<T> | undefined;
    readonly version: () => string;
}
export declare class OwnWrites<T> extends StateWriters<T> implements InformerWrites<T> {
    #private;
    constructor(admit: (write: CompletedWrite, effect: WriteEffect) => AdmittedWrite<T> | undefined, cache: OwnWritesCache<T>);
    get isEmpty(): boolean;
    hasNotes(key: string): boolean;
    note(write: CompletedWrite, writer: object | undefined): NotedState<T> | undefined;
    read(key: string, cached: Cached<T> | undefined): Cached<T> | undefined;
    findWriter(event: InformerEvent<T>): object | undefined;
    reach(isList: boolean): void;
    forget(): void;
    end(): void;
}

// informer/admitted-write.ts
import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
export interface AdmittedWrite<T> {
    readonly key: string;
    readonly content: Cached<T> | "none" | "unknown";
    readonly isHeld: boolean;
}
export interface WrittenName {
    readonly name: string;
    readonly namespace: string;
}
export type WriteEffect = {
    readonly type: "stored";
    readonly name: WrittenName;
    readonly uid: string;
    readonly version: string;
    readonly object: object | undefined;
} | {
    readonly type: "gone";
    readonly name: WrittenName;
    readonly uid: string;
    readonly version: string | undefined;
    readonly object: object | undefined;
};
export declare function effectOf(write: CompletedWrite): WriteEffect | undefined;

// informer/state-writers.ts
import type { InformerEvent } from "../cache/informer-event.ts";
export declare abstract class StateWriters<T> {
    #private;
    abstract findWriter(event: InformerEvent<T>): object | undefined;
    match(event: InformerEvent<T>): void;
    writerOf(object: unknown): object | undefined;
}

// intake/reflector-source.ts
import { type Cached, type KubernetesObject, type Preset, type Transform } from "@listwatch/core-fifo";
import { type OptionsOf } from "@listwatch/core-fifo/base";
import { type ListerWatcher, type ReflectorListOptions, type ReflectorOptions, type ReflectorRetryOptions, type ReflectorTrace, type ReflectorWatchOptions } from "@listwatch/reflector";
import { type InformerTelemetry } from "../informer/informer-options.ts";
import type { InformerSink, InformerSource } from "../informer/informer-source.ts";
import { type SourceStatus } from "../informer/informer-status.ts";
import { OwnWrites, type OwnWritesCache } from "../informer/own-writes.ts";
import type { SourceCacheOptions } from "./shared-informer-options.ts";
export type WatchErrorHandler = NonNullable<ReflectorOptions<never>["onError"]>;
export interface ReflectorSourceTelemetry extends InformerTelemetry {
    readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
}
export interface ReflectorSourceOptions<T extends KubernetesObject> extends Pick<ReflectorOptions<T>, "clock" | "random"> {
    readonly listerWatcher: ListerWatcher<T>;
    readonly name?: string | undefined;
    readonly cache?: SourceCacheOptions<T> | undefined;
    readonly list?: Omit<ReflectorListOptions<T>, "held"> | undefined;
    readonly watch?: Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync"> | undefined;
    readonly retry?: ReflectorRetryOptions | undefined;
    readonly telemetry?: ReflectorSourceTelemetry | undefined;
    readonly behaviour?: Preset<"clientGoInformerBehaviour"> | undefined;
}
export declare const sourceCacheTable: OptionsOf<SourceCacheOptions<never>>;
export declare const createSourceTable: () => OptionsOf<ReflectorSourceOptions<never>>;
export declare class ReflectorSource<T extends KubernetesObject> implements InformerSource<T> {
    #private;
    constructor(options: ReflectorSourceOptions<T>);
    get ignoreUnknownDeletes(): boolean;
    get isSameContent(): InformerSource<T>["isSameContent"];
    get detectRecreate(): boolean;
    get lastSyncResourceVersion(): string;
    setTransform(transform: Transform<T> | undefined): void;
    setWatchErrorHandler(handler: WatchErrorHandler | undefined): void;
    status(): SourceStatus;
    isSameState(old: Cached<T>, object: Cached<T>): boolean;
    createWrites(cache: OwnWritesCache<T>): OwnWrites<T>;
    run(sink: InformerSink<T>, signal: AbortSignal): Promise<void>;
}

// intake/informer-view.ts
import { type Scope } from "@listwatch/core-fifo";
import type { Indexers, IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { InformerOptions } from "../informer/informer-options.ts";
import { Informer } from "../informer/informer.ts";
import { type ViewedInformer, type ViewSelection } from "./view-source.ts";
export interface InformerViewOptions<T, I extends IndexValues, S extends Scope = Scope> extends InformerOptions<T, I, S>, ViewSelection<T> {
    readonly keyPrefixes?: readonly string[] | undefined;
}
export declare class InformerView<T, I extends IndexValues = NoIndexes, S extends Scope = Scope> extends Informer<T, I, S> {
    constructor(informers: readonly ViewedInformer<T, S>[], options?: InformerViewOptions<T, I, S>);
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): InformerView<T, I & J, S>;
}

// intake/view-source.ts
import { type Cached, type Clock, type Scope } from "@listwatch/core-fifo";
import { type Lister, type SelectionOptions } from "@listwatch/store-indexer";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { InformerSink, InformerSource, SourceProgress } from "../informer/informer-source.ts";
import type { SourceStatus } from "../informer/informer-status.ts";
import type { Informer } from "../informer/informer.ts";
import type { InformerWrites } from "../informer/informer-writes.ts";
import type { OwnWritesCache } from "../informer/own-writes.ts";
export type ViewedInformer<T, S extends Scope = Scope> = Pick<Informer<T>, "addListener" | "lastStoreSyncResourceVersion" | "removeListener" | "waitForResourceVersion"> & Partial<Pick<Informer<T>, "explainUnsynced" | "hasSynced" | "name">> & {
    status(): SourceStatus;
    readonly lister?: Lister<T, S>;
};
export interface ViewSelection<T> extends SelectionOptions {
    readonly filter?: ((object: Cached<T>) => boolean) | undefined;
}
export interface ViewSourceOptions<T> {
    readonly clock: Clock;
    readonly name: string;
    readonly selection: ViewSelection<T>;
    readonly prefixes?: readonly string[] | undefined;
}
export declare class ViewSource<T> implements InformerSource<T>, SourceProgress {
    #private;
    constructor(informers: readonly ViewedInformer<T>[], options: ViewSourceOptions<T>);
    get progress(): SourceProgress;
    get resourceVersion(): string;
    waitForResourceVersion(resourceVersion: string, options: WaitOptions): Promise<void>;
    status(): SourceStatus;
    createWrites({ cached }: OwnWritesCache<T>): InformerWrites<T>;
    describeActivity(): string | undefined;
    isSameState(old: Cached<T>, object: Cached<T>): boolean;
    run(sink: InformerSink<T>, signal: AbortSignal): Promise<void>;
}
