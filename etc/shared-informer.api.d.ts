// index.ts
export { InformerStartedError, InformerStoppedError, NotSyncedError } from "./delivery/errors.ts";
export type { EventsOptions, EventStream, OverflowPolicy } from "./streams/event-stream.ts";
export type { HandlerOptions, HandlerRegistration } from "./delivery/handler-registration.ts";
export { informerMetricNames, type InformerMetrics } from "./informer/informer-metrics.ts";
export type { ErrorOrigin, HandlerStatus, InformerOptions, InformerPhase, InformerStore, WaitOptions, } from "./informer/informer-options.ts";
export type { FreshOptions, InformerProblem, InformerStatus, ProblemReason, } from "./informer/informer-status.ts";
export { InformerView, type InformerViewOptions, type ViewSource, } from "./sources/informer-view.ts";
export type { Informer } from "./informer/informer.ts";
export { newInformer, type NewInformerOptions } from "./sources/new-informer.ts";
export type { AddNotification, DeleteNotification, Notification, UpdateNotification, } from "./cache/informer-event.ts";
export { processDeltas, processDeltasInBatch, type DeltaStore, type DeltaTarget, } from "./cache/process-deltas.ts";
export { ProcessorListener, type ListenerHooks, type ProcessorListenerOptions, type SlowHandlerReport, } from "./delivery/processor-listener.ts";
export { filteringHandler, type Deleted, type FilterOptions, type MissedDeletion, type ResourceEventHandler, type SeenDeletion, } from "./delivery/resource-event-handler.ts";
export { SharedInformerFactory, type CreateListerWatcher, type InformerIdentity, type InformerScope, type InformerTuning, type NamespaceIndex, type SharedInformerFactoryOptions, } from "./factory/shared-informer-factory.ts";
export type { SharedInformerOptions, WatchErrorHandler, } from "./sources/shared-informer-options.ts";
export { SharedInformer } from "./sources/shared-informer.ts";
export { SharedProcessor, type AddListenerOptions, type Listener, type SharedProcessorOptions, } from "./delivery/shared-processor.ts";
export { SyncTracker } from "./delivery/sync-tracker.ts";
export { waitForCacheSync, type Syncable } from "./delivery/wait-for-cache-sync.ts";

// delivery/errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class InformerStoppedError extends ListwatchError {
    readonly name: string;
    constructor(action: string);
}
export declare class InformerStartedError extends ListwatchError {
    readonly name: string;
    constructor(action: string);
}
export declare class NotSyncedError extends ListwatchError {
    readonly name: string;
    readonly names: readonly string[];
    constructor(names: readonly string[], options?: ErrorOptions);
}

// streams/event-stream.ts
import type { Notification } from "../cache/informer-event.ts";
export type OverflowPolicy = "block" | "coalesce" | "resync";
export interface EventsOptions {
    readonly overflow?: OverflowPolicy | undefined;
    readonly max?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly name?: string | undefined;
}
export interface EventStream<T> extends AsyncIterableIterator<Notification<T>, undefined> {
    readonly name: string;
    readonly backlog: number;
}
export declare const defaultMaxEvents: number;

// cache/informer-event.ts
import type { Cached } from "@listwatch/core-fifo";
import type { MissedDeletion, ResourceEventHandler, SeenDeletion } from "../delivery/resource-event-handler.ts";
export interface AddNotification<T> {
    readonly type: "add";
    readonly key: string;
    readonly object: Cached<T>;
    readonly isInInitialList: boolean;
}
export interface UpdateNotification<T> {
    readonly type: "update";
    readonly key: string;
    readonly object: Cached<T>;
    readonly old: Cached<T>;
}
export type DeleteNotification<T> = (SeenDeletion<T> | MissedDeletion<T>) & {
    readonly type: "delete";
};
export type Notification<T> = AddNotification<T> | UpdateNotification<T> | DeleteNotification<T>;
export declare function deliver<T>(handler: ResourceEventHandler<T>, notification: Notification<T>): unknown;

// delivery/resource-event-handler.ts
import { type KeyFunction, type Cached } from "@listwatch/core-fifo";
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
export interface ResourceEventHandler<T> {
    onAdd?(object: Cached<T>, isInInitialList: boolean): unknown;
    onUpdate?(old: Cached<T>, object: Cached<T>): unknown;
    onDelete?(deleted: Deleted<T>): unknown;
}
export interface FilterOptions<T> {
    readonly filter: (object: Cached<T>) => boolean;
    readonly filterDeleted?: (deleted: Deleted<T>) => boolean;
    readonly keyFunc?: KeyFunction<Cached<T>>;
}
export declare function filteringHandler<T>(handler: ResourceEventHandler<T>, options: FilterOptions<T>): ResourceEventHandler<T>;

// delivery/handler-registration.ts
import type { ProcessorListener } from "./processor-listener.ts";
export interface HandlerRegistration extends AsyncDisposable {
    readonly name: string;
    readonly backlog: number;
    readonly hasSynced: boolean;
    readonly synced: Promise<void>;
    remove(): Promise<void>;
}
export interface HandlerOptions {
    readonly name?: string | undefined;
    readonly resyncMs?: number | undefined;
    readonly maxBacklog?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare class ListenerRegistration<T> implements HandlerRegistration {
    #private;
    constructor(listener: ProcessorListener<T>, remove: () => Promise<void>);
    get name(): string;
    get backlog(): number;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    remove(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// delivery/processor-listener.ts
import { type Clock } from "@listwatch/core-fifo";
import { type Notification } from "../cache/informer-event.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
export interface SlowHandlerReport {
    readonly name: string;
    readonly durationMs: number;
    readonly backlog: number;
}
export interface ListenerHooks<T> {
    readonly onHandlerError?: ((error: unknown, listener: ProcessorListener<T>, notification: Notification<T>) => void) | undefined;
    readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
}
export interface ProcessorListenerOptions<T> extends ListenerHooks<T> {
    readonly name?: string | undefined;
    readonly clock?: Clock | undefined;
    readonly maxBacklog?: number | undefined;
}
export declare class ProcessorListener<T> {
    #private;
    readonly name: string;
    readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
    constructor(handler: ResourceEventHandler<T>, options?: ProcessorListenerOptions<T>);
    get backlog(): number;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    get ended(): Promise<void>;
    push(notification: Notification<T>): void;
    sourceSynced(): void;
    start(): void;
    run(signal: AbortSignal): Promise<void>;
    stop(): Promise<void>;
}

// informer/informer-metrics.ts
import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";
import { type ReflectorMetrics } from "@listwatch/reflector";
export interface InformerMetrics extends ReflectorMetrics {
    readonly queuedItems?: GaugeMetric | undefined;
    readonly processingLatency?: HistogramMetric | undefined;
    readonly storeResourceVersion?: GaugeMetric | undefined;
    readonly handlerBacklog?: ((handler: string) => GaugeMetric) | undefined;
    readonly driftedObjects?: CounterMetric | undefined;
}
export declare const informerMetricNames: {
    readonly [Metric in keyof InformerMetrics]-?: string;
};
export declare function resourceVersionAsNumber(resourceVersion: string): number | undefined;

// informer/informer-options.ts
import type { Clock } from "@listwatch/core-fifo";
import type { Indexer, IndexerOptions, IndexValues, ListerOptions } from "@listwatch/store-indexer";
import type { Notification } from "../cache/informer-event.ts";
import type { SlowHandlerReport } from "../delivery/processor-listener.ts";
export type InformerStore<T, I extends IndexValues> = Omit<Indexer<T, I>, "add" | "addIndexers" | "bookmark" | "delete" | "keyed" | "replace" | "resync" | "transaction" | "update">;
export type ErrorOrigin<T> = {
    readonly kind: "handler";
    readonly handler: string;
    readonly notification: Notification<T>;
} | {
    readonly kind: "cache";
} | {
    readonly kind: "watch";
} | {
    readonly kind: "metrics";
};
export interface InformerOptions<T, I extends IndexValues> extends Pick<IndexerOptions<T, I>, "freeze" | "indexers"> {
    readonly name?: string | undefined;
    readonly resource?: ListerOptions | undefined;
    readonly clock?: Clock | undefined;
    readonly resyncMs?: number | undefined;
    readonly detectRecreate?: boolean | undefined;
    readonly onError?: ((error: unknown, origin: ErrorOrigin<T>) => void) | undefined;
    readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
}
export type InformerPhase = "created" | "running" | "stopping" | "stopped";
export interface WaitOptions {
    readonly signal?: AbortSignal | undefined;
}
export interface HandlerStatus {
    readonly name: string;
    readonly backlog: number;
}

// informer/informer-status.ts
import type { ReflectorStatus } from "@listwatch/reflector";
import type { HandlerStatus, InformerPhase } from "./informer-options.ts";
export interface InformerProblem {
    readonly reason: ProblemReason;
    readonly error: unknown;
    readonly attempts: number;
    readonly sinceMs: number;
    readonly retryMs: number | undefined;
}
export type ProblemReason = "unauthorized" | "forbidden" | "notFound" | "unreachable" | "overloaded" | "serverError" | "other";
export interface InformerStatus {
    readonly name: string;
    readonly phase: InformerPhase;
    readonly hasSynced: boolean;
    readonly resourceVersion: string;
    readonly source: ReflectorStatus | undefined;
    readonly problem: InformerProblem | undefined;
    readonly queuedDeltas: number;
    readonly handlers: readonly HandlerStatus[];
}
export interface FreshOptions {
    readonly withinMs: number;
}
export declare function problemOf(source: ReflectorStatus): InformerProblem | undefined;

// sources/informer-view.ts
import { type Cached } from "@listwatch/core-fifo";
import { type IndexValues, type NoIndexes, type SelectionOptions } from "@listwatch/store-indexer";
import type { InformerOptions, WaitOptions } from "../informer/informer-options.ts";
import type { FreshOptions } from "../informer/informer-status.ts";
import { Informer } from "../informer/informer.ts";
export type ViewSource<T> = Pick<Informer<T, NoIndexes>, "addListener" | "fresh" | "lastStoreSyncResourceVersion" | "removeListener" | "waitForResourceVersion">;
export interface InformerViewOptions<T, I extends IndexValues> extends InformerOptions<T, I>, SelectionOptions {
    readonly filter?: ((object: Cached<T>) => boolean) | undefined;
}
export declare class InformerView<T, I extends IndexValues = NoIndexes> extends Informer<T, I> {
    #private;
    constructor(sources: readonly ViewSource<T>[], options?: InformerViewOptions<T, I>);
    get lastStoreSyncResourceVersion(): string;
    waitForResourceVersion(resourceVersion: string, options?: WaitOptions): Promise<void>;
    fresh(options: FreshOptions): boolean;
    protected runSource(signal: AbortSignal): Promise<void>;
    protected isResync(old: Cached<T>, object: Cached<T>): boolean;
}

// informer/informer.ts
import { type Clock, type KubernetesObject, type Cached } from "@listwatch/core-fifo";
import { Indexer, Lister, type Indexers, type IndexValues } from "@listwatch/store-indexer";
import { type HandlerOptions, type HandlerRegistration } from "../delivery/handler-registration.ts";
import type { EventStream, EventsOptions } from "../streams/event-stream.ts";
import type { ErrorOrigin, HandlerStatus, InformerOptions, InformerPhase, InformerStore, WaitOptions } from "./informer-options.ts";
import type { FreshOptions } from "./informer-status.ts";
import type { Notification } from "../cache/informer-event.ts";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import { SharedProcessor, type AddListenerOptions, type Listener } from "../delivery/shared-processor.ts";
export declare abstract class Informer<T, I extends IndexValues> implements AsyncDisposable {
    #private;
    readonly name: string;
    readonly store: InformerStore<T, I>;
    readonly lister: Lister<T>;
    protected readonly clock: Clock;
    protected readonly indexer: Indexer<T, I>;
    protected readonly processor: SharedProcessor<T>;
    protected constructor(options: InformerOptions<T, I>);
    get phase(): InformerPhase;
    get isStopped(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    get lastStoreSyncResourceVersion(): string;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): HandlerRegistration;
    addListener(listener: Listener<T>, options?: AddListenerOptions): void;
    removeListener(listener: Listener<T>): Promise<void>;
    events(options?: EventsOptions): EventStream<T>;
    waitForResourceVersion(resourceVersion: string, options?: WaitOptions): Promise<void>;
    observed(object: KubernetesObject, options?: WaitOptions): Promise<void>;
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Informer<T, I & J>;
    protected handlerStatus(): HandlerStatus[];
    protected get resyncCheckPeriodMs(): number;
    abstract fresh(options: FreshOptions): boolean;
    protected abstract runSource(signal: AbortSignal): Promise<void>;
    protected publish(notification: Notification<T>): void;
    protected isResync(old: Cached<T>, object: Cached<T>): boolean;
    protected isUnchanged(notification: Notification<T>): boolean;
    protected markSynced(): void;
    protected shouldResync(): boolean;
    protected afterChange(): Promise<void> | undefined;
    protected report(error: unknown, origin: ErrorOrigin<T>): void;
}

// delivery/shared-processor.ts
import { type Clock } from "@listwatch/core-fifo";
import type { Notification } from "../cache/informer-event.ts";
export interface Listener<T> {
    readonly name: string;
    readonly backlog: number;
    push(notification: Notification<T>): void;
    sourceSynced(): void;
    readonly waitForRoom?: (() => Promise<void> | undefined) | undefined;
    start(): void;
    stop(): Promise<void>;
}
export interface SharedProcessorOptions {
    readonly clock?: Clock | undefined;
    readonly resyncCheckPeriodMs?: number | undefined;
}
export interface AddListenerOptions {
    readonly changesOnly?: boolean | undefined;
    readonly resyncMs?: number | undefined;
}
export declare class SharedProcessor<T> {
    #private;
    constructor(options?: SharedProcessorOptions);
    get listeners(): readonly Listener<T>[];
    addListener(listener: Listener<T>, options?: AddListenerOptions): void;
    removeListener(listener: Listener<T>): Promise<void>;
    waitForRoom(): Promise<void> | undefined;
    distribute(notification: Notification<T>): void;
    distributeResync(notification: Notification<T>): void;
    sourceSynced(): void;
    shouldResync(): boolean;
    setResyncCheckPeriod(periodMs: number): void;
    run(signal: AbortSignal): Promise<void>;
}

// sources/new-informer.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import type { SharedInformerOptions } from "./shared-informer-options.ts";
import { SharedInformer } from "./shared-informer.ts";
export interface NewInformerOptions<T extends KubernetesObject, I extends IndexValues> extends SharedInformerOptions<T, I> {
    readonly handler: ResourceEventHandler<T>;
}
export declare function newInformer<T extends KubernetesObject = KubernetesObject, I extends IndexValues = NoIndexes>(options: NewInformerOptions<T, I>): SharedInformer<T, I>;

// sources/shared-informer-options.ts
import type { KeyFunction, KubernetesObject } from "@listwatch/core-fifo";
import type { ReflectorOptions, ReflectorWatchOptions } from "@listwatch/reflector";
import type { IndexValues, Transform } from "@listwatch/store-indexer";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import type { InformerOptions } from "../informer/informer-options.ts";
export type WatchErrorHandler = NonNullable<ReflectorOptions<KubernetesObject>["onError"]>;
export interface SharedInformerOptions<T extends KubernetesObject, I extends IndexValues> extends InformerOptions<T, I>, Omit<ReflectorOptions<T>, "clock" | "metrics" | "name" | "onError" | "store" | "watch"> {
    readonly watch?: Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync"> | undefined;
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly transform?: Transform<T> | undefined;
    readonly keepResourceVersions?: boolean | undefined;
    readonly checkKeys?: boolean | undefined;
    readonly onWatchError?: WatchErrorHandler | undefined;
    readonly whenForbidden?: "retry" | "stop" | undefined;
    readonly whenNotFound?: "retry" | "stop" | "wait" | undefined;
    readonly metrics?: InformerMetrics | undefined;
}

// sources/shared-informer.ts
import { type KubernetesObject, type Cached } from "@listwatch/core-fifo";
import type { IndexValues, NoIndexes, Transform } from "@listwatch/store-indexer";
import { Informer } from "../informer/informer.ts";
import { type FreshOptions, type InformerStatus } from "../informer/informer-status.ts";
import type { SharedInformerOptions, WatchErrorHandler } from "./shared-informer-options.ts";
export declare class SharedInformer<T extends KubernetesObject = KubernetesObject, I extends IndexValues = NoIndexes> extends Informer<T, I> {
    #private;
    constructor(options: SharedInformerOptions<T, I>);
    get lastSyncResourceVersion(): string;
    setTransform(transform: Transform<T> | undefined): void;
    setWatchErrorHandler(handler: WatchErrorHandler | undefined): void;
    status(): InformerStatus;
    fresh({ withinMs }: FreshOptions): boolean;
    protected runSource(signal: AbortSignal): Promise<void>;
    protected isResync(old: Cached<T>, object: Cached<T>): boolean;
}

// cache/process-deltas.ts
import { type Deltas, type KeyFunction } from "@listwatch/core-fifo";
import { type KeyedStore } from "@listwatch/store-indexer";
import type { Notification } from "./informer-event.ts";
export type DeltaStore<T> = Pick<KeyedStore<T>, "add" | "bookmark" | "deleteWithObject" | "get" | "listKeys" | "stageReplace">;
export interface DeltaTarget<T> {
    readonly store: DeltaStore<T>;
    readonly keyFunc: KeyFunction<T>;
    readonly notify: (notification: Notification<T>) => void;
}
export declare function processDeltas<T>(deltas: Deltas<T>, isInInitialList: boolean, target: DeltaTarget<T>): void;
export declare function processDeltasInBatch<T>(deltas: Deltas<T>, isInInitialList: boolean, target: DeltaTarget<T>): void;

// factory/shared-informer-factory.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ResourceReference } from "@listwatch/client";
import { type HttpListerWatcherOptions, type ListerWatcher } from "@listwatch/reflector";
import { type Lister } from "@listwatch/store-indexer";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import type { SharedInformerOptions } from "../sources/shared-informer-options.ts";
import { SharedInformer } from "../sources/shared-informer.ts";
export type NamespaceIndex = {
    readonly namespace: string;
};
export type InformerScope = Pick<HttpListerWatcherOptions, "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "shardSelector">;
export type InformerTuning<T extends KubernetesObject> = Omit<SharedInformerOptions<T, NamespaceIndex>, "indexers" | "listerWatcher" | "name" | "resource">;
export interface SharedInformerFactoryOptions extends Omit<HttpListerWatcherOptions, "metadataOnly" | "resource">, Omit<InformerTuning<KubernetesObject>, "metrics"> {
    readonly metrics?: ((informer: InformerIdentity) => InformerMetrics | undefined) | undefined;
    readonly createListerWatcher?: CreateListerWatcher | undefined;
}
export interface InformerIdentity extends InformerScope {
    readonly name: string;
    readonly resource: ResourceReference;
}
export type CreateListerWatcher = <T extends KubernetesObject>(options: HttpListerWatcherOptions) => ListerWatcher<T>;
export declare class SharedInformerFactory implements AsyncDisposable {
    #private;
    constructor(options: SharedInformerFactoryOptions);
    informer<T extends KubernetesObject = KubernetesObject>(resource: ResourceReference, options?: InformerScope & InformerTuning<T>): SharedInformer<T, NamespaceIndex>;
    lister<T extends KubernetesObject = KubernetesObject>(resource: ResourceReference, options?: InformerScope & InformerTuning<T>): Lister<T>;
    start(signal?: AbortSignal): void;
    waitForCacheSync(signal?: AbortSignal): Promise<void>;
    shutdown(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// delivery/sync-tracker.ts
export declare class SyncTracker {
    #private;
    constructor();
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    start(): void;
    finish(): void;
    sourceSynced(): void;
    end(reason: unknown): void;
}

// delivery/wait-for-cache-sync.ts
export interface Syncable {
    readonly name: string;
    readonly hasSynced: boolean;
    readonly synced: Promise<void>;
}
export declare function waitForCacheSync(signal: AbortSignal | undefined, ...syncables: readonly Syncable[]): Promise<void>;
