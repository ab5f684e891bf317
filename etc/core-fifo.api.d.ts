// index.ts
export { mutableCopy, type Cached, type Complete, type DeepReadonly, type Incomplete, type Leaf, type Mutable, type MutableCopy, type Origin, } from "./base/cached.ts";
export { sleep, systemClock, type Clock, type SleepOptions, type Timer } from "./base/clock.ts";
export { AlreadyRunningError, InvalidOptionsError, ListwatchError, KeyError, TransformError, type ListwatchErrorOptions, } from "./base/errors.ts";
export { consoleLog, silentLog, type Log, type LogFields } from "./base/log.ts";
export type { CounterMetric, GaugeMetric, HistogramMetric, MetricDefinition, MetricsSink, } from "./base/metrics.ts";
export type { SpanAttributes, TraceSink, TraceSpan } from "./base/traces.ts";
export type { Preset } from "./base/preset.ts";
export type { Random } from "./base/random.ts";
export type { BookmarkDelta, DeletedDelta, Delta, Deltas, DeltaType, ObjectDelta, ReplacedAllDelta, SyncAllDelta, UpsertDelta, } from "./delta/delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./queues/delta-fifo.ts";
export { FIFO, type FIFOOptions, type PoppedObject } from "./queues/fifo.ts";
export { Heap, type HeapOptions } from "./queues/heap.ts";
export { deletionHandlingMetaNamespaceKey, deletionHandlingObjectName, ExplicitKey, metaNamespaceKey, objectName, splitMetaNamespaceKey, type Key, type KeyFunction, type KeyOptions, type ObjectName, } from "./delta/keys.ts";
export type { KubernetesObject, ObjectMeta, Scope } from "./base/kubernetes-object.ts";
export type { KnownObjects } from "./queues/known-objects.ts";
export { QueueClosedError, RequeueError, type PoppedDeltas, type PopOptions, type PopProcessor, type Queue, type QueueWriter, } from "./queues/queue.ts";
export type { ProcessingReport, QueueObserver } from "./queues/queue-observer.ts";
export { RealFIFO } from "./queues/real-fifo.ts";
export { clientGoQueueBehaviour, type PopBatchOptions, type RealFIFOOptions, type TakeBatchOptions, } from "./queues/real-fifo-options.ts";
export { compareResourceVersions, ResourceVersionError } from "./base/resource-version.ts";
export { DeletedFinalStateUnknown } from "./delta/delta.ts";
export type { Transform } from "./base/user-functions.ts";

// base/cached.ts
export type Leaf = string | number | bigint | boolean | symbol | null | undefined | Date | Uint8Array | ((...parameters: never[]) => unknown);
export type DeepReadonly<T> = unknown extends T ? T : T extends Leaf ? T : T extends ReadonlyMap<infer K, infer V> ? ReadonlyMap<DeepReadonly<K>, DeepReadonly<V>> : T extends ReadonlySet<infer E> ? ReadonlySet<DeepReadonly<E>> : {
    readonly [P in keyof T]: DeepReadonly<T[P]>;
};
declare const origin: unique symbol;
export interface Origin<T> {
    readonly [origin]?: T;
}
export type Cached<T> = DeepReadonly<T> & ([T] extends [object] ? Origin<T> : unknown);
declare const incomplete: unique symbol;
export interface Incomplete {
    readonly [incomplete]?: true;
}
export interface Complete {
    readonly [incomplete]?: never;
}
export type Mutable<T> = unknown extends T ? T : T extends Leaf ? T : T extends ReadonlyMap<infer K, infer V> ? Map<Mutable<K>, Mutable<V>> : T extends ReadonlySet<infer E> ? Set<Mutable<E>> : T extends readonly unknown[] ? {
    -readonly [P in keyof T]: Mutable<T[P]>;
} : {
    -readonly [P in keyof T as P extends keyof Origin<unknown> ? never : P]: Mutable<T[P]>;
};
export type MutableCopy<O> = O extends Origin<infer T> ? (unknown extends T ? Mutable<O> : T) : Mutable<O>;
export declare function mutableCopy<O extends object>(object: O & Complete): MutableCopy<O>;
export declare function asCached<T>(object: T | Cached<T>): Cached<T>;
export declare function asPlain<T>(object: T | Cached<T>): T;
export {};

// base/clock.ts
export interface Timer {
    cancel(): void;
}
export interface Clock {
    now(): number;
    setTimeout(callback: () => void, delayMs: number): Timer;
    nextTurn(): Promise<void>;
}
export declare const systemClock: Clock;
export interface SleepOptions {
    readonly clock?: Clock | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare function sleep(delayMs: number, options?: SleepOptions): Promise<void>;

// base/errors.ts
export interface ListwatchErrorOptions extends ErrorOptions {
    readonly advice?: string | undefined;
}
export declare class ListwatchError extends Error {
    #private;
    readonly name: string;
    readonly code: string;
    constructor(code: string, message: string, options?: ListwatchErrorOptions);
    get failureKind(): string;
    get advice(): string | undefined;
}
export declare function failureKindOf(error: unknown): string;
export declare function adviceOf(error: unknown): string | undefined;
export declare function hasCode(error: unknown, code: string): error is Error;
export declare class InvalidOptionsError extends ListwatchError {
    readonly name: string;
    readonly option: string | undefined;
    constructor(message: string, option?: string, options?: ErrorOptions);
}
export declare class AlreadyRunningError extends ListwatchError {
    readonly name: string;
    constructor(what: string, reason?: string);
}
export declare class KeyError extends ListwatchError {
    readonly name: string;
    readonly object: unknown;
    constructor(object: unknown, options?: ErrorOptions);
}
export declare class TransformError extends ListwatchError {
    readonly name: string;
    readonly object: unknown;
    constructor(object: unknown, cause: unknown);
}
export declare function createNoMetadataError(message: string): ListwatchError;
export declare function createInvalidOptionError(option: string, expected: string, value: unknown): InvalidOptionsError;

// base/log.ts
export type LogFields = Readonly<Record<string, unknown>>;
export interface Log {
    debug(message: string, fields: LogFields): void;
    info(message: string, fields: LogFields): void;
    warn(message: string, fields: LogFields): void;
    error(message: string, fields: LogFields): void;
}
export declare const consoleLog: Log;
export declare const silentLog: Log;
export declare function guardLog(log: Log): Log;

// base/metrics.ts
export interface CounterMetric {
    inc(): void;
}
export interface GaugeMetric {
    set(value: number): void;
}
export interface HistogramMetric {
    observe(value: number): void;
}
export interface MetricDefinition {
    readonly name: string;
    readonly help?: string | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly buckets?: readonly number[] | undefined;
}
export interface MetricsSink {
    counter(definition: MetricDefinition): (...labels: readonly string[]) => CounterMetric;
    gauge(definition: MetricDefinition): (...labels: readonly string[]) => GaugeMetric;
    histogram(definition: MetricDefinition): (...labels: readonly string[]) => HistogramMetric;
}
export type Meter = readonly [
    kind: "counter" | "gauge" | "histogram",
    name: string,
    label?: string
];
export interface MetricKinds {
    readonly counter: CounterMetric;
    readonly gauge: GaugeMetric;
    readonly histogram: HistogramMetric;
}
export type MetersOf<Table extends Readonly<Record<string, Meter>>> = {
    readonly [Name in keyof Table]?: Table[Name] extends readonly [unknown, unknown, string] ? (label: string) => MetricKinds[Table[Name][0]] : MetricKinds[Table[Name][0]];
};
export type MetricErrorHandler = (error: unknown, metric: string) => void;
export declare function createMeters<const Table extends Readonly<Record<string, Meter>>>(sink: MetricsSink | undefined, table: Table, labels: Readonly<Record<string, string>>, onError?: MetricErrorHandler): MetersOf<Table>;

// base/traces.ts
export type SpanAttributes = Readonly<Record<string, boolean | number | string>>;
export interface TraceSpan {
    set(name: string, value: boolean | number | string): void;
    readonly headers: Readonly<Record<string, string>>;
}
export interface TraceSink {
    span<R>(name: string, attributes: SpanAttributes, work: (span: TraceSpan) => Promise<R>): Promise<R>;
}
export declare function trace<R>(sink: TraceSink | undefined, name: string, attributes: SpanAttributes, work: (span: TraceSpan) => Promise<R>): Promise<R>;

// base/preset.ts
export declare class Preset<Name extends string = string> {
    #private;
    readonly name: Name;
    constructor(name: Name, values: object);
    static resolve<Values extends object>(behaviour: unknown, name: string, defaults: Values): Values;
}

// base/random.ts
export type Random = () => number;
export declare const systemRandom: Random;
export declare function seededRandom(seed: number): Random;

// delta/delta.ts
export interface UpsertDelta<T> {
    readonly type: "Added" | "Updated" | "Replaced" | "Sync";
    readonly key: string | undefined;
    readonly object: T;
}
export interface DeletedDelta<T> {
    readonly type: "Deleted";
    readonly key: string | undefined;
    readonly object: T | DeletedFinalStateUnknown<T>;
}
export interface ReplacedAllDelta<T> {
    readonly type: "ReplacedAll";
    readonly objects: readonly T[];
    readonly keys?: readonly string[] | undefined;
    readonly keptKeys?: readonly string[] | undefined;
    readonly resourceVersion: string;
}
export interface SyncAllDelta {
    readonly type: "SyncAll";
}
export interface BookmarkDelta {
    readonly type: "Bookmark";
    readonly resourceVersion: string;
}
export type ObjectDelta<T> = UpsertDelta<T> | DeletedDelta<T>;
export type Delta<T> = ObjectDelta<T> | ReplacedAllDelta<T> | SyncAllDelta | BookmarkDelta;
export type DeltaType = Delta<unknown>["type"];
export type Deltas<T> = readonly Delta<T>[];
export declare function isObjectDelta<T>(delta: Delta<T>): delta is ObjectDelta<T>;
export declare function objectOf<T>({ object }: ObjectDelta<T>): T | undefined;
export declare class DeletedFinalStateUnknown<T = never> {
    readonly key: string;
    readonly object: T | undefined;
    constructor(key: string, object: undefined);
    constructor(key: string, object: T | undefined);
}

// queues/delta-fifo.ts
import type { Cached } from "../base/cached.ts";
import { type Clock } from "../base/clock.ts";
import { type ListwatchError } from "../base/errors.ts";
import { type ObjectDelta, DeletedFinalStateUnknown } from "../delta/delta.ts";
import { type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import type { Transform } from "../base/user-functions.ts";
import { type KnownObjects } from "./known-objects.ts";
import { type PopOptions, type PoppedDeltas, type PopProcessor, type Queue } from "./queue.ts";
import { type QueueObserver } from "./queue-observer.ts";
export interface DeltaFIFOOptions<T> {
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly knownObjects?: KnownObjects<T> | NoInfer<KnownObjects<Cached<T>>> | undefined;
    readonly emitDeltaTypeReplaced?: boolean | undefined;
    readonly transform?: Transform<T> | undefined;
    readonly name?: string | undefined;
    readonly observer?: QueueObserver | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: ListwatchError) => void) | undefined;
}
export declare class DeltaFIFO<T = KubernetesObject> implements Queue<T, readonly ObjectDelta<T>[]> {
    #private;
    readonly name: string;
    constructor(options?: DeltaFIFOOptions<T>);
    transformer(): Transform<T> | undefined;
    get length(): number;
    get isClosed(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    add(object: T): void;
    update(object: T): void;
    delete(object: T | DeletedFinalStateUnknown<T>): void;
    replace(objects: readonly T[], _resourceVersion: string): void;
    resync(): void;
    addIfNotPresent(deltas: readonly ObjectDelta<T>[]): void;
    pop(process: PopProcessor<T, readonly ObjectDelta<T>[]>, options?: PopOptions): readonly ObjectDelta<T>[] | Promise<readonly ObjectDelta<T>[]>;
    close(): void;
    [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T, ObjectDelta<T>>, undefined>;
    keyOf(object: T | DeletedFinalStateUnknown<T> | readonly ObjectDelta<T>[]): string;
    list(): (T | DeletedFinalStateUnknown<T>)[];
    listKeys(): string[];
    get(object: T | DeletedFinalStateUnknown<T>): readonly ObjectDelta<T>[] | undefined;
    getByKey(key: string): readonly ObjectDelta<T>[] | undefined;
}

// delta/keys.ts
import { type Scope } from "../base/kubernetes-object.ts";
export type KeyFunction<T> = (object: T) => string;
export type Key<S extends Scope = Scope> = S extends "Namespaced" ? `${string}/${string}` : string;
export interface ObjectName {
    readonly namespace: string;
    readonly name: string;
}
export declare class ExplicitKey {
    readonly key: string;
    constructor(key: string);
}
export interface KeyOptions {
    readonly allowMissingName?: boolean | undefined;
}
export declare function objectName(object: unknown, options?: KeyOptions): ObjectName;
export declare function metaNamespaceKey(object: unknown, options?: KeyOptions): string;
export declare function deletionHandlingMetaNamespaceKey(object: unknown, options?: KeyOptions): string;
export declare function deletionHandlingObjectName(object: unknown, options?: KeyOptions): ObjectName;
export declare function splitMetaNamespaceKey(key: string): ObjectName;

// base/kubernetes-object.ts
export interface ObjectMeta {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
}
export interface KubernetesObject {
    readonly apiVersion?: string | undefined;
    readonly kind?: string | undefined;
    readonly metadata?: ObjectMeta | undefined;
}
export type Scope = "Namespaced" | "Cluster";
export declare function metadataOf(object: unknown): ObjectMeta | undefined;
export declare function describeObjectName(object: unknown): string;
export declare function resourceVersionOf(object: unknown): string | undefined;

// base/user-functions.ts
export type Transform<T> = (object: T) => T;
export declare function applyTransform<T>(transform: Transform<T>, object: T): T;
export declare function computeKey<T>(keyFunc: (object: T) => string, object: T): string;
export declare function callHook(hook: () => void): void;

// queues/known-objects.ts
import type { Cached } from "../base/cached.ts";
import { ListwatchError } from "../base/errors.ts";
import { type DeletedDelta } from "../delta/delta.ts";
export interface KnownObjects<T> {
    listKeys(): Iterable<string>;
    getByKey(key: string): T | undefined;
}
export declare function asKnownObjects<T>(knownObjects: KnownObjects<T> | KnownObjects<Cached<T>> | undefined): KnownObjects<T> | undefined;
export type Lookup<T> = {
    readonly status: "found";
    readonly object: T;
} | {
    readonly status: "absent";
} | {
    readonly status: "failed";
};
export declare function lookUp<T>(knownObjects: KnownObjects<T>, key: string, onError: (error: ListwatchError) => void): Lookup<T>;
export declare function listUnqueued<T>(knownObjects: KnownObjects<T>, isQueued: (key: string) => boolean, onError: (error: ListwatchError) => void): Generator<{
    readonly key: string;
    readonly object: T;
}, undefined>;
export declare function listTombstones<T>(knownObjects: KnownObjects<T>, isListedOrQueued: (key: string) => boolean, onError: (error: ListwatchError) => void): Generator<DeletedDelta<T> & {
    readonly key: string;
}, undefined>;

// queues/queue.ts
import { ListwatchError } from "../base/errors.ts";
import type { Delta, Deltas, DeletedFinalStateUnknown } from "../delta/delta.ts";
import { type OptionsOf } from "../base/options.ts";
type QueueOptions = Record<"clock" | "keyFunc" | "knownObjects" | "name" | "observer" | "onError" | "transform", unknown>;
export declare const queueTable: OptionsOf<QueueOptions>;
export type PopProcessor<T, Item = Deltas<T>> = (item: Item, isInInitialList: boolean) => void | Promise<void>;
export interface PopOptions {
    readonly signal?: AbortSignal | undefined;
}
export interface QueueWriter<T> {
    add(object: T): void;
    update(object: T): void;
    delete(object: T | DeletedFinalStateUnknown<T>): void;
    replace(objects: readonly T[], resourceVersion: string): void;
    resync(): void;
}
export interface PoppedDeltas<T, D = Delta<T>> {
    readonly deltas: readonly D[];
    readonly isInInitialList: boolean;
}
export interface Queue<T, Item = Deltas<T>> extends QueueWriter<T> {
    pop(process: PopProcessor<T, Item>, options?: PopOptions): Item | Promise<Item>;
    close(): void;
    readonly isClosed: boolean;
    readonly hasSynced: boolean;
    readonly synced: Promise<void>;
}
export declare class QueueClosedError extends ListwatchError {
    readonly name: string;
    constructor(message: string);
}
export declare class RequeueError extends ListwatchError {
    readonly name: string;
    constructor(options?: ErrorOptions);
}
export {};

// base/options.ts
export type OptionCheck = (value: unknown) => string | undefined;
export type OptionRule = OptionCheck | OptionTable | readonly [OptionCheck, OptionTable];
export interface OptionTable {
    readonly [name: string]: OptionRule;
}
export type OptionsOf<O> = {
    readonly [Name in keyof O]-?: OptionRule;
};
export declare const anything: OptionCheck;
export declare const aString: OptionCheck;
export declare const aBoolean: OptionCheck;
export declare const aFunction: OptionCheck;
export declare const anObject: OptionCheck;
export declare const anIterable: OptionCheck;
export declare const anArrayOf: (check: OptionCheck, expected: string) => OptionCheck;
export declare const someStrings: OptionCheck;
export declare const aNumber: (least?: number) => OptionCheck;
export declare const anInteger: (least: number) => OptionCheck;
export declare const oneOf: (...words: readonly string[]) => OptionCheck;
export declare const having: (...names: readonly string[]) => OptionCheck;
export declare const aClock: OptionCheck;
export declare const aLog: OptionCheck;
export declare const aTraceSink: OptionCheck;
export declare const aMetricsSink: OptionCheck;
export declare function signalIn(options: {
    readonly signal?: AbortSignal | undefined;
} | undefined): AbortSignal | undefined;
export declare function checkOptions(options: unknown, table: OptionTable, required?: readonly string[], group?: string): void;
export declare function checkOption(option: string, value: unknown, rule: OptionRule, required?: readonly string[]): void;
export declare function nearestName(name: string, known: readonly string[], nameOf?: (each: string) => string): string | undefined;

// queues/queue-observer.ts
import type { Clock } from "../base/clock.ts";
export interface ProcessingReport {
    readonly queue: string;
    readonly processed: number;
    readonly waiting: number;
    readonly durationMs: number;
    readonly isSlow: boolean;
}
export interface QueueObserver {
    lengthChanged?(length: number): void;
    processed?(report: ProcessingReport): void;
}
export declare const slowMs = 100;
export declare function startReport(queue: {
    readonly name: string;
    readonly length: number;
}, observer: QueueObserver, processed: number, clock: Clock, thresholdMs?: number): () => void;
export declare function observe<Item extends readonly unknown[]>(process: (item: Item, isInInitialList: boolean) => void | Promise<void>, queue: {
    readonly name: string;
    readonly length: number;
}, observer: QueueObserver, clock: Clock, thresholdMs?: number): (item: Item, isInInitialList: boolean) => void | Promise<void>;

// queues/fifo.ts
import { type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import { type PopOptions, type PopProcessor, type Queue } from "./queue.ts";
export interface FIFOOptions<T> {
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly name?: string | undefined;
}
export interface PoppedObject<T> {
    readonly object: T;
    readonly isInInitialList: boolean;
}
export declare class FIFO<T = KubernetesObject> implements Queue<T, T> {
    #private;
    readonly name: string;
    constructor(options?: FIFOOptions<T>);
    get length(): number;
    get isClosed(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    add(object: T): void;
    update(object: T): void;
    delete(object: T): void;
    addIfNotPresent(object: T): void;
    replace(objects: readonly T[], _resourceVersion: string): void;
    resync(): void;
    pop(process: PopProcessor<T, T>, options?: PopOptions): T | Promise<T>;
    close(): void;
    [Symbol.asyncIterator](): AsyncGenerator<PoppedObject<T>, undefined>;
    list(): T[];
    listKeys(): string[];
    get(object: T): T | undefined;
    getByKey(key: string): T | undefined;
}

// queues/heap.ts
import { type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import { type PopOptions } from "./queue.ts";
export interface HeapOptions<T> {
    readonly less: (a: T, b: T) => boolean;
    readonly keyFunc?: KeyFunction<T> | undefined;
}
export declare class Heap<T = KubernetesObject> {
    #private;
    constructor(options: HeapOptions<T>);
    get length(): number;
    get isClosed(): boolean;
    add(object: T): void;
    update(object: T): void;
    bulkAdd(objects: Iterable<T>): void;
    addIfNotPresent(object: T): void;
    delete(object: T): void;
    pop(options?: PopOptions): T | Promise<T>;
    close(): void;
    [Symbol.asyncIterator](): AsyncGenerator<T, undefined>;
    list(): T[];
    listKeys(): string[];
    get(object: T): T | undefined;
    getByKey(key: string): T | undefined;
}

// queues/real-fifo.ts
import { type Deltas, type ObjectDelta, type ReplacedAllDelta, DeletedFinalStateUnknown } from "../delta/delta.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import type { Transform } from "../base/user-functions.ts";
import type { PopOptions, PoppedDeltas, PopProcessor, Queue } from "./queue.ts";
import { type PopBatchOptions, type RealFIFOOptions, type TakeBatchOptions } from "./real-fifo-options.ts";
export declare class RealFIFO<T = KubernetesObject> implements Queue<T> {
    #private;
    readonly name: string;
    constructor(options?: RealFIFOOptions<T>);
    get length(): number;
    get isClosed(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    transformer(): Transform<T> | undefined;
    get hasCapacity(): boolean;
    waitForCapacity(options?: PopOptions): Promise<void> | undefined;
    add(object: T): void;
    update(object: T): void;
    delete(object: T | DeletedFinalStateUnknown<T>): void;
    replace(objects: readonly T[], resourceVersion: string): void;
    resync(): void;
    bookmark(resourceVersion: string): void;
    pop(process: PopProcessor<T>, options?: PopOptions): Deltas<T> | Promise<Deltas<T>>;
    popBatch(processBatch: PopProcessor<T>, processSingle: PopProcessor<T>, options?: PopBatchOptions): Deltas<T> | Promise<Deltas<T>>;
    takeBatch(options?: TakeBatchOptions): PoppedDeltas<T> | undefined;
    finishBatch(): void;
    waitForDeltas(options?: PopOptions): Promise<void> | undefined;
    close(): void;
    [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T>, undefined>;
    protected pushList(delta: ReplacedAllDelta<T>): void;
    protected createDelta(type: ObjectDelta<T>["type"], object: T): ObjectDelta<T> | undefined;
}

// queues/real-fifo-options.ts
import type { Cached } from "../base/cached.ts";
import type { Clock } from "../base/clock.ts";
import { type ListwatchError } from "../base/errors.ts";
import { Preset } from "../base/preset.ts";
import type { KeyFunction } from "../delta/keys.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { PopOptions } from "./queue.ts";
import type { QueueObserver } from "./queue-observer.ts";
import type { Transform } from "../base/user-functions.ts";
import { type OptionsOf } from "../base/options.ts";
import { type ReadList } from "./object-key.ts";
export declare const clientGoQueueBehaviour: Preset<"clientGoQueueBehaviour">;
export interface RealFIFOOptions<T> {
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly transform?: Transform<T> | undefined;
    readonly knownObjects?: KnownObjects<T> | NoInfer<KnownObjects<Cached<T>>> | undefined;
    readonly emitBookmarks?: boolean | undefined;
    readonly behaviour?: Preset<"clientGoQueueBehaviour"> | undefined;
    readonly name?: string | undefined;
    readonly highWaterMark?: number | undefined;
    readonly observer?: QueueObserver | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: ListwatchError) => void) | undefined;
}
export interface TakeBatchOptions {
    readonly maxKeys?: number | undefined;
}
export interface PopBatchOptions extends PopOptions, TakeBatchOptions {
}
export declare const takeTable: OptionsOf<TakeBatchOptions>;
export declare const batchTable: OptionsOf<PopBatchOptions>;
export declare function resolveRealFIFOOptions<T>(options: RealFIFOOptions<T>): ReadList;

// queues/object-key.ts
import { type ListwatchError } from "../base/errors.ts";
import { type Transform } from "../base/user-functions.ts";
import { DeletedFinalStateUnknown, type ReplacedAllDelta } from "../delta/delta.ts";
import type { KeyFunction } from "../delta/keys.ts";
export declare function computeDeletionHandlingKey<T>(keyFunc: KeyFunction<T>, object: T | DeletedFinalStateUnknown<T>): string;
export declare function transformKeyed<T>(object: T, key: string, transform: Transform<T>, keyFunc: KeyFunction<T>): {
    readonly object: T;
    readonly key: string | undefined;
};
export type ReadList = <T>(listed: readonly T[], keyFunc: KeyFunction<T>, transform: Transform<T> | undefined, failures: ListwatchError[]) => Pick<ReplacedAllDelta<T>, "objects" | "keys">;
export declare const readCheckedList: ReadList;
export declare const readUncheckedList: ReadList;

// base/resource-version.ts
import { ListwatchError } from "./errors.ts";
export declare class ResourceVersionError extends ListwatchError {
    readonly name: string;
    readonly resourceVersion: string;
    constructor(resourceVersion: string);
}
export declare function compareResourceVersions(a: string, b: string): -1 | 0 | 1;
export declare function isBelow(version: string, other: string): boolean;

// base/index.ts
export { aSignal, linkAbort, onAborted, untilAborted, type LinkedAbort } from "./abort.ts";
export { Backoff, growDelay, jitterDelay, type BackoffOptions } from "./backoff.ts";
export { asCached, asPlain, mutableCopy, type Cached, type Complete, type DeepReadonly, type Incomplete, type Leaf, type Mutable, type MutableCopy, type Origin, } from "./cached.ts";
export { callHook } from "./user-functions.ts";
export { CapacityLatch } from "./wait-queue.ts";
export { sleep, systemClock, type Clock, type SleepOptions, type Timer } from "./clock.ts";
export { deepFreeze, lazyMembers } from "./deep-freeze.ts";
export { Deque } from "./deque.ts";
export { isDevelopment, provideDispose } from "./runtime.ts";
export { adviceOf, AlreadyRunningError, createNoMetadataError, failureKindOf, hasCode, createInvalidOptionError, InvalidOptionsError, ListwatchError, TransformError, type ListwatchErrorOptions, } from "./errors.ts";
export { FailureLog, type Failure, type FailureLogOptions } from "./failure-log.ts";
export { SharedFailures, type SharedFailure, type SharedFailuresOptions, } from "./shared-failures.ts";
export { escapeFieldValue } from "./values.ts";
export { hashOf, type Hash } from "./hash.ts";
export { isJsonEqual, isRecord, numberOf, recordOf, stringOf, stringsOf, type JsonObject, type MutableJsonObject, } from "./json.ts";
export { describeObjectName, metadataOf, resourceVersionOf, type KubernetesObject, type ObjectMeta, } from "./kubernetes-object.ts";
export { consoleLog, guardLog, silentLog, type Log, type LogFields } from "./log.ts";
export { createMeters, type CounterMetric, type GaugeMetric, type HistogramMetric, type Meter, type MetersOf, type MetricDefinition, type MetricKinds, type MetricErrorHandler, type MetricsSink, } from "./metrics.ts";
export { trace, type SpanAttributes, type TraceSink, type TraceSpan } from "./traces.ts";
export { aBoolean, aClock, aFunction, aLog, aMetricsSink, aNumber, anArrayOf, anInteger, anObject, anything, aString, aTraceSink, anIterable, checkOption, checkOptions, having, nearestName, oneOf, signalIn, someStrings, type OptionCheck, type OptionRule, type OptionsOf, type OptionTable, } from "./options.ts";
export { Preset } from "./preset.ts";
export { seededRandom, systemRandom, type Random } from "./random.ts";
export { RankedHeap, type RankedNode } from "./ranked-heap.ts";
export { inRealTime } from "./runtime.ts";
export { isBelow } from "./resource-version.ts";
export { ResourceVersionWaiters } from "./resource-version-waiters.ts";
export { decodeText } from "./values.ts";
export { BatchBudget, type BatchBudgetOptions, maxBatchKeys } from "./batch-budget.ts";
export { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";
export { withTimeLimit, type TimeLimitOptions } from "./time-limit.ts";
export { applyTransform, computeKey, type Transform } from "./user-functions.ts";
export { describeBytes, describeDuration, readDuration } from "./units.ts";
export { checkSynchronous, describeError, describeValue, isInstance, isPromiseLike, } from "./values.ts";
export { WaitQueue, type Wait } from "./wait-queue.ts";

// base/abort.ts
export interface LinkedAbort {
    readonly signal: AbortSignal;
    abort(reason?: unknown): void;
    release(): void;
}
export declare function onAborted(signal: AbortSignal | undefined, callback: () => void): () => void;
export declare function aSignal(value: unknown): string | undefined;
export declare function linkAbort(...parents: readonly (AbortSignal | undefined)[]): LinkedAbort;
export declare function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T>;

// base/backoff.ts
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";
export declare function growDelay(delayMs: number, factor: number, capMs?: number): number;
export declare function jitterDelay(delayMs: number, jitter: number, random: Random): number;
export interface BackoffOptions {
    readonly baseMs: number;
    readonly factor: number;
    readonly jitter: number;
    readonly capMs: number;
    readonly steps?: number | undefined;
    readonly resetMs: number;
    readonly resetRule: "interval" | "quiet";
    readonly clock: Clock;
    readonly random: Random;
}
export declare class Backoff {
    #private;
    constructor(options: BackoffOptions);
    next(atLeastMs?: number, atMostMs?: number): number;
}

// base/wait-queue.ts
export interface Wait<R, W> {
    readonly wanted: W;
    settle(take: () => R | Promise<R>): void;
    reject(reason: unknown): void;
}
export declare class WaitQueue<R, W = void> {
    #private;
    get length(): number;
    [Symbol.iterator](): SetIterator<Wait<R, W>>;
    wait(signal: AbortSignal | undefined, wanted: W): Promise<R>;
    resolveFirst(result: R): boolean;
    resolveAll(result: R): void;
    rejectAll(reason: unknown): void;
}
export declare class CapacityLatch {
    #private;
    get isAwaited(): boolean;
    wait(signal?: AbortSignal): Promise<void>;
    open(): void;
}

// base/deep-freeze.ts
export declare const lazyMembers: unique symbol;
export declare function deepFreeze<T>(value: T): T;

// base/deque.ts
export declare class Deque<T> {
    #private;
    get length(): number;
    push(element: T): void;
    unshift(element: T): void;
    shift(): T | undefined;
    peek(): T | undefined;
    at(index: number): T | undefined;
    clear(): void;
    [Symbol.iterator](): Generator<T, undefined>;
}

// base/runtime.ts
export declare function checkRuntime(): void;
export declare function isDevelopment(): boolean;
export declare function provideDispose(): void;
export declare function inRealTime<T>(work: Promise<T>): Promise<T>;
export declare function isRealWorkUnderWay(): boolean;
export declare function realWorkEnded(): Promise<void>;

// base/failure-log.ts
import { type Clock } from "./clock.ts";
import { type Log, type LogFields } from "./log.ts";
export interface FailureLogOptions {
    readonly log?: Log | undefined;
    readonly clock?: Clock | undefined;
    readonly fields?: LogFields | undefined;
}
export interface Failure {
    readonly subject: string;
    readonly name?: string | undefined;
    readonly error: unknown;
    readonly advice?: string | undefined;
    readonly kind?: string | undefined;
    readonly fields?: LogFields | (() => LogFields) | undefined;
    readonly isLasting?: boolean | (() => boolean) | undefined;
}
export declare class FailureLog {
    #private;
    constructor({ log, clock, fields }?: FailureLogOptions);
    report(failure: Failure): void;
    recover(subject: string, name?: string): void;
    warn(message: string, fields: LogFields): void;
    close(): void;
}

// base/shared-failures.ts
import type { Clock } from "./clock.ts";
import { type Failure } from "./failure-log.ts";
import type { Log } from "./log.ts";
export interface SharedFailuresOptions {
    readonly log: Log | undefined;
    readonly clock: Clock;
}
export interface SharedFailure extends Failure {
    readonly kind: string;
}
export declare class SharedFailures {
    #private;
    private constructor();
    static of(shared: object, options: SharedFailuresOptions): SharedFailures;
    report(source: object, { fields, ...failure }: SharedFailure): void;
    recover(source: object): void;
    leave(source: object): void;
}

// base/values.ts
export declare function describeValue(value: unknown): string;
export declare function describeError(error: unknown): string;
export declare function isInstance<T>(value: unknown, type: abstract new (...parameters: never[]) => T): value is T;
export declare function isPromiseLike(value: unknown): value is PromiseLike<unknown>;
export declare function checkSynchronous(value: unknown, expected: string): void;
export declare function checkKey(key: unknown): string;
export declare function escapeFieldValue(value: string): string;
export declare function decodeText(bytes: Uint8Array): string;

// base/hash.ts
export interface Hash {
    readonly high: number;
    readonly low: number;
}
export declare function hashOf(text: string): Hash;

// base/json.ts
export type JsonObject = Readonly<Record<string, unknown>>;
export type MutableJsonObject = Record<string, unknown>;
export declare function isRecord(value: unknown): value is MutableJsonObject;
export declare function recordOf(value: unknown): JsonObject;
export declare function stringOf(value: unknown): string;
export declare function numberOf(value: unknown): number;
export declare function stringsOf(value: unknown): readonly string[];
export declare function isJsonEqual(left: unknown, right: unknown): boolean;

// base/ranked-heap.ts
export interface RankedNode {
    place: number;
}
export declare class RankedHeap<N extends RankedNode> {
    #private;
    get length(): number;
    get leastRank(): number;
    peek(): N | undefined;
    rankOf(node: N): number;
    push(node: N, rank: number, sequence?: number): void;
    pop(): N | undefined;
    lower(node: N, rank: number): void;
    remove({ place }: N): void;
    clear(): void;
}

// base/resource-version-waiters.ts
export declare class ResourceVersionWaiters {
    #private;
    reach(current: string): void;
    wait(resourceVersion: string, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<void>;
    end(reason: unknown): void;
}

// base/batch-budget.ts
import { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";
export declare const maxBatchKeys = 1000;
export interface BatchBudgetOptions extends TimeBudgetOptions {
    readonly maxItems?: number | undefined;
}
export declare class BatchBudget extends TimeBudget {
    #private;
    constructor(options?: BatchBudgetOptions);
    nextTurn(): Promise<void>;
    beginWait(): void;
    endWait(): void;
    beginBatch(): void;
    endBatch(items: number): boolean;
    get batchSize(): number;
}

// base/time-budget.ts
import { type Clock } from "./clock.ts";
export interface TimeBudgetOptions {
    readonly clock?: Clock | undefined;
    readonly limitMs?: number | undefined;
    readonly itemsPerLook?: number | undefined;
    readonly isShared?: boolean | undefined;
}
export declare class TimeBudget {
    #private;
    readonly clock: Clock;
    protected endMs: number;
    protected readonly limitMs: number;
    constructor(options?: TimeBudgetOptions);
    restart(): number;
    isSpent(nowMs?: number): boolean;
    count(): boolean;
    nextTurn(): Promise<void>;
    enter(): void;
    leave(): void;
}

// base/time-limit.ts
import type { Clock } from "./clock.ts";
export interface TimeLimitOptions {
    readonly clock: Clock;
    readonly limitMs: number;
    readonly signal?: AbortSignal | undefined;
    readonly reason?: (() => unknown) | undefined;
}
export declare function withTimeLimit<R>({ clock, limitMs, signal, reason }: TimeLimitOptions, action: (signal: AbortSignal) => Promise<R>): Promise<R>;

// base/units.ts
export declare function describeDuration(ms: number): string;
export declare function describeBytes(bytes: number): string;
export declare function readDuration(text: string): number | undefined;

// object.ts
export type { KubernetesObject, ObjectMeta, Scope } from "./base/kubernetes-object.ts";

// testing.ts
export { seededRandom } from "./base/random.ts";
export { SimulatedClock, type SimulatedClockOptions } from "./base/simulated-clock.ts";

// base/simulated-clock.ts
import { type Clock, type Timer } from "./clock.ts";
export interface SimulatedClockOptions {
    readonly startMs?: number | undefined;
}
export declare class SimulatedClock implements Clock {
    #private;
    constructor(options?: SimulatedClockOptions);
    now(): number;
    setTimeout(callback: () => void, delayMs: number): Timer;
    nextTurn(): Promise<void>;
    get pendingTimers(): number;
    get nextTimerMs(): number | undefined;
    advance(ms: number): Promise<void>;
    settle(): Promise<void>;
}
