// index.ts
export { systemClock, sleep, type Clock, type SleepOptions, type Timer } from "./clock.ts";
export type { BookmarkDelta, DeletedDelta, Delta, Deltas, DeltaType, ObjectDelta, ReplacedAllDelta, SyncAllDelta, UpsertDelta, } from "./delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./delta-fifo.ts";
export { drain, type BatchQueue, type DrainOptions } from "./drain.ts";
export { describeValue, KeyError, KeyFormatError, KeyNotFoundError, InvalidOptionsError, KnownObjectError, ListwatchError, NoMetadataError, QueueClosedError, RequeueError, ResourceVersionError, TransformError, } from "./errors.ts";
export { FIFO, type FIFOOptions, type PoppedObject } from "./fifo.ts";
export { Heap, type HeapOptions } from "./heap.ts";
export { deletionHandlingMetaNamespaceKey, deletionHandlingObjectName, ExplicitKey, keyOfName, metaNamespaceKey, objectName, splitMetaNamespaceKey, type KeyFunction, type KeyOptions, type ObjectName, } from "./keys.ts";
export { metadataOf, resourceVersionOf, type KubernetesObject, type ObjectMeta, } from "./kubernetes-object.ts";
export type { KnownObjects } from "./known-objects.ts";
export type { PopOptions, PoppedDeltas, PopProcessor, Queue, QueueWriter } from "./queue.ts";
export { systemRandom, type Random } from "./random.ts";
export type { ProcessingReport, QueueObserver } from "./queue-observer.ts";
export { RealFIFO } from "./real-fifo.ts";
export type { PopBatchOptions, RealFIFOOptions } from "./real-fifo-options.ts";
export { compareResourceVersions } from "./resource-version.ts";
export { ResourceVersionWaiters } from "./resource-version-waiters.ts";
export { DeletedFinalStateUnknown } from "./tombstone.ts";
export { applyTransform, type Transform } from "./transform.ts";

// clock.ts
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

// delta.ts
import type { DeletedFinalStateUnknown } from "./tombstone.ts";
export interface UpsertDelta<T> {
    readonly type: "Added" | "Updated" | "Replaced" | "Sync";
    readonly key: string;
    readonly object: T;
}
export interface DeletedDelta<T> {
    readonly type: "Deleted";
    readonly key: string;
    readonly object: T | DeletedFinalStateUnknown<T>;
}
export interface ReplacedAllDelta<T> {
    readonly type: "ReplacedAll";
    readonly objects: readonly T[];
    readonly keys?: readonly string[];
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

// tombstone.ts
export declare class DeletedFinalStateUnknown<T> {
    readonly key: string;
    readonly object: T | undefined;
    constructor(key: string, object: T | undefined);
}

// delta-fifo.ts
import { type Clock } from "./clock.ts";
import type { Deltas } from "./delta.ts";
import { type ListwatchError } from "./errors.ts";
import { type KeyFunction } from "./keys.ts";
import { type KnownObjects } from "./known-objects.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { PopOptions, PoppedDeltas, PopProcessor, Queue } from "./queue.ts";
import { type QueueObserver } from "./queue-observer.ts";
import { DeletedFinalStateUnknown } from "./tombstone.ts";
import type { Transform } from "./transform.ts";
export interface DeltaFIFOOptions<T> {
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly knownObjects?: KnownObjects<T> | undefined;
    readonly emitDeltaTypeReplaced?: boolean | undefined;
    readonly transform?: Transform<T> | undefined;
    readonly name?: string | undefined;
    readonly observer?: QueueObserver | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: ListwatchError) => void) | undefined;
}
type Written<T> = T | DeletedFinalStateUnknown<T>;
export declare class DeltaFIFO<T = KubernetesObject> implements Queue<T> {
    #private;
    readonly name: string;
    constructor(options?: DeltaFIFOOptions<T>);
    get length(): number;
    get isClosed(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    add(object: T): void;
    update(object: T): void;
    delete(object: T | DeletedFinalStateUnknown<T>): void;
    replace(objects: readonly T[], _resourceVersion: string): void;
    resync(): void;
    addIfNotPresent(deltas: Deltas<T>): void;
    pop(process: PopProcessor<T>, options?: PopOptions): Deltas<T> | Promise<Deltas<T>>;
    close(): void;
    [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T>, undefined>;
    keyOf(object: T | DeletedFinalStateUnknown<T> | Deltas<T>): string;
    list(): Written<T>[];
    listKeys(): string[];
    get(object: T | DeletedFinalStateUnknown<T>): Deltas<T> | undefined;
    getByKey(key: string): Deltas<T> | undefined;
}
export {};

// errors.ts
export declare class ListwatchError extends Error {
    readonly name: string;
    readonly code: string;
    constructor(code: string, message: string, options?: ErrorOptions);
}
export declare class KeyError extends ListwatchError {
    readonly name: string;
    readonly object: unknown;
    constructor(object: unknown, options?: ErrorOptions);
}
export declare class NoMetadataError extends ListwatchError {
    readonly name: string;
    constructor(message: string);
}
export declare class KeyFormatError extends ListwatchError {
    readonly name: string;
    readonly key: string;
    constructor(key: string);
}
export declare class KeyNotFoundError extends ListwatchError {
    readonly name: string;
    readonly key: string;
    constructor(key: string);
}
export declare class QueueClosedError extends ListwatchError {
    readonly name: string;
    constructor(message: string);
}
export declare class InvalidOptionsError extends ListwatchError {
    readonly name: string;
    constructor(message: string);
}
export declare class KnownObjectError extends ListwatchError {
    readonly name: string;
    readonly key: string;
    constructor(key: string, options: ErrorOptions);
}
export declare class RequeueError extends ListwatchError {
    readonly name: string;
    constructor(options?: ErrorOptions);
}
export declare class ResourceVersionError extends ListwatchError {
    readonly name: string;
    readonly resourceVersion: string;
    constructor(resourceVersion: string);
}
export declare class TransformError extends ListwatchError {
    readonly name: string;
    constructor(object: unknown, cause: unknown);
}
export declare function describeValue(value: unknown): string;

// keys.ts
export type KeyFunction<T> = (object: T) => string;
export interface ObjectName {
    readonly namespace: string;
    readonly name: string;
}
export declare class ExplicitKey {
    readonly key: string;
    constructor(key: string);
}
export interface KeyOptions {
    readonly allowMissingName?: boolean;
}
export declare function objectName(object: unknown, options?: KeyOptions): ObjectName;
export declare function keyOfName({ namespace, name }: ObjectName): string;
export declare function metaNamespaceKey(object: unknown, options?: KeyOptions): string;
export declare function deletionHandlingMetaNamespaceKey(object: unknown, options?: KeyOptions): string;
export declare function deletionHandlingObjectName(object: unknown, options?: KeyOptions): ObjectName;
export declare function splitMetaNamespaceKey(key: string): ObjectName;

// known-objects.ts
import { type ListwatchError } from "./errors.ts";
export interface KnownObjects<T> {
    listKeys(): Iterable<string>;
    getByKey(key: string): T | undefined;
}
export type Lookup<T> = {
    readonly status: "found";
    readonly object: T;
} | {
    readonly status: "absent";
} | {
    readonly status: "failed";
};
export declare function lookUp<T>(knownObjects: KnownObjects<T>, key: string, onError: (error: ListwatchError) => void): Lookup<T>;

// kubernetes-object.ts
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
export declare function metadataOf(object: unknown): ObjectMeta | undefined;
export declare function resourceVersionOf(object: unknown): string | undefined;

// queue.ts
import type { Deltas } from "./delta.ts";
import type { DeletedFinalStateUnknown } from "./tombstone.ts";
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
export interface PoppedDeltas<T> {
    readonly deltas: Deltas<T>;
    readonly isInInitialList: boolean;
}
export interface Queue<T, Item = Deltas<T>> extends QueueWriter<T> {
    pop(process: PopProcessor<T, Item>, options?: PopOptions): Item | Promise<Item>;
    close(): void;
    readonly isClosed: boolean;
    readonly hasSynced: boolean;
    readonly synced: Promise<void>;
}

// queue-observer.ts
import type { Clock } from "./clock.ts";
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
export declare function observed<Item extends readonly unknown[]>(process: (item: Item, isInInitialList: boolean) => void | Promise<void>, queue: {
    readonly name: string;
    readonly length: number;
}, observer: QueueObserver, clock: Clock): (item: Item, isInInitialList: boolean) => void | Promise<void>;

// transform.ts
export type Transform<T> = (object: T) => T;
export declare function applyTransform<T>(transform: Transform<T>, object: T): T;

// drain.ts
import { type Clock } from "./clock.ts";
import type { Deltas } from "./delta.ts";
import type { PopOptions, PopProcessor } from "./queue.ts";
import { type PopBatchOptions } from "./real-fifo-options.ts";
export interface BatchQueue<T> {
    popBatch(processBatch: PopProcessor<T>, processSingle: PopProcessor<T>, options?: PopBatchOptions): Deltas<T> | Promise<Deltas<T>>;
}
export interface DrainOptions<T> extends PopOptions {
    readonly processBatch: PopProcessor<T>;
    readonly processSingle: PopProcessor<T>;
    readonly budgetMs?: number | undefined;
    readonly clock?: Clock | undefined;
}
export declare function drain<T>(queue: BatchQueue<T>, options: DrainOptions<T>): Promise<void>;

// real-fifo-options.ts
import type { Clock } from "./clock.ts";
import { type ListwatchError } from "./errors.ts";
import type { KeyFunction } from "./keys.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { PopOptions } from "./queue.ts";
import type { QueueObserver } from "./queue-observer.ts";
import type { Transform } from "./transform.ts";
export declare const maxBatchKeys = 1000;
export interface RealFIFOOptions<T> {
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly transform?: Transform<T> | undefined;
    readonly atomicEvents?: boolean | undefined;
    readonly knownObjects?: KnownObjects<T> | undefined;
    readonly emitBookmarks?: boolean | undefined;
    readonly unlockWhileProcessing?: boolean | undefined;
    readonly checkKeys?: boolean | undefined;
    readonly name?: string | undefined;
    readonly highWaterMark?: number | undefined;
    readonly observer?: QueueObserver | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: ListwatchError) => void) | undefined;
}
export interface PopBatchOptions extends PopOptions {
    readonly maxKeys?: number | undefined;
}
export declare function checkedOptions<T>(options: RealFIFOOptions<T>): {
    readonly emitBookmarks: boolean;
    readonly highWaterMark: number;
};

// fifo.ts
import { type KeyFunction } from "./keys.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { PopOptions, PopProcessor, Queue } from "./queue.ts";
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

// heap.ts
import { type KeyFunction } from "./keys.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { PopOptions } from "./queue.ts";
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

// random.ts
export type Random = () => number;
export declare const systemRandom: Random;
export declare function seededRandom(seed: number): Random;

// real-fifo.ts
import type { Deltas } from "./delta.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { PopOptions, PoppedDeltas, PopProcessor, Queue } from "./queue.ts";
import { type PopBatchOptions, type RealFIFOOptions } from "./real-fifo-options.ts";
import { DeletedFinalStateUnknown } from "./tombstone.ts";
export declare class RealFIFO<T = KubernetesObject> implements Queue<T> {
    #private;
    readonly name: string;
    constructor(options?: RealFIFOOptions<T>);
    get length(): number;
    get isClosed(): boolean;
    get hasSynced(): boolean;
    get synced(): Promise<void>;
    get hasCapacity(): boolean;
    waitForCapacity(signal?: AbortSignal): Promise<void> | undefined;
    add(object: T): void;
    update(object: T): void;
    delete(object: T | DeletedFinalStateUnknown<T>): void;
    replace(objects: readonly T[], resourceVersion: string): void;
    resync(): void;
    bookmark(resourceVersion: string): void;
    pop(process: PopProcessor<T>, options?: PopOptions): Deltas<T> | Promise<Deltas<T>>;
    popBatch(processBatch: PopProcessor<T>, processSingle: PopProcessor<T>, options?: PopBatchOptions): Deltas<T> | Promise<Deltas<T>>;
    close(): void;
    [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T>, undefined>;
}

// resource-version.ts
export declare function compareResourceVersions(a: string, b: string): -1 | 0 | 1;

// resource-version-waiters.ts
export declare class ResourceVersionWaiters {
    #private;
    reach(current: string): void;
    wait(resourceVersion: string, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<void>;
    end(reason: unknown): void;
}

// testing.ts
export { seededRandom } from "./random.ts";
export { SimulatedClock, type SimulatedClockOptions } from "./simulated-clock.ts";

// simulated-clock.ts
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
