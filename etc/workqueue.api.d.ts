// index.ts
export { DelaySequence, type DelaySequenceOptions } from "./limiters/delay-sequence.ts";
export { KeyedBackoff, type KeyedBackoffOptions } from "./limiters/keyed-backoff.ts";
export { BucketRateLimiter, defaultControllerRateLimiter, ItemExponentialFailureRateLimiter, ItemFastSlowRateLimiter, MaxOfRateLimiter, WithMaxWaitRateLimiter, type BucketOptions, type ItemExponentialFailureOptions, type ItemFastSlowOptions, type ItemKey, type RateLimiter, type WithMaxWaitOptions, } from "./limiters/rate-limiters.ts";
export { FairOrdering, type FairOrderingOptions } from "./orderings/fair-ordering.ts";
export type { QueueOrdering, WaitingItem } from "./orderings/ordering.ts";
export { lowPriority, PriorityOrdering } from "./orderings/priority-ordering.ts";
export { parallelize, type ParallelizeOptions } from "./queue/parallelize.ts";
export type { WorkItem } from "./queue/work-item.ts";
export type { ItemKeyFunction, KeyedQueueOptions, PrimitiveQueueArguments, PriorityOptions, QueueWaitOptions, WorkQueueOptions, } from "./queue/work-queue-options.ts";
export { WorkQueue, type QueuedItem } from "./queue/work-queue.ts";

// limiters/delay-sequence.ts
import { type Clock, type Random } from "@listwatch/core-fifo";
export interface DelaySequenceOptions {
    readonly durationMs: number;
    readonly factor?: number | undefined;
    readonly jitter?: number | undefined;
    readonly steps?: number | undefined;
    readonly capMs?: number | undefined;
    readonly resetMs?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare class DelaySequence {
    #private;
    constructor(options: DelaySequenceOptions);
    next(): number;
}

// limiters/keyed-backoff.ts
import { type Clock, type Random } from "@listwatch/core-fifo";
export interface KeyedBackoffOptions {
    readonly initialMs: number;
    readonly maxMs: number;
    readonly jitter?: number | undefined;
    readonly expiryMs?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare class KeyedBackoff {
    #private;
    constructor(options: KeyedBackoffOptions);
    get(key: string): number;
    next(key: string, eventMs?: number): void;
    reset(key: string): void;
    isInBackoffSince(key: string, eventMs: number): boolean;
    isInBackoffSinceUpdate(key: string, eventMs: number): boolean;
    collectGarbage(): void;
}

// limiters/rate-limiters.ts
import { type Clock } from "@listwatch/core-fifo";
import { type OptionCheck } from "@listwatch/core-fifo/base";
export type ItemKey = string | number | bigint | boolean;
export interface RateLimiter {
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export declare const aRateLimiter: OptionCheck;
export interface ItemExponentialFailureOptions {
    readonly baseMs: number;
    readonly maxMs: number;
}
export declare class ItemExponentialFailureRateLimiter implements RateLimiter {
    #private;
    constructor(options: ItemExponentialFailureOptions);
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export interface ItemFastSlowOptions {
    readonly fastMs: number;
    readonly slowMs: number;
    readonly maxFastAttempts: number;
}
export declare class ItemFastSlowRateLimiter implements RateLimiter {
    #private;
    constructor(options: ItemFastSlowOptions);
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export interface BucketOptions {
    readonly qps: number;
    readonly burst: number;
    readonly clock?: Clock | undefined;
}
export declare class BucketRateLimiter implements RateLimiter {
    #private;
    constructor(options: BucketOptions);
    when(_key: ItemKey): number;
    forget(_key: ItemKey): void;
    numRequeues(_key: ItemKey): number;
}
export declare class MaxOfRateLimiter implements RateLimiter {
    #private;
    constructor(limiters: readonly RateLimiter[]);
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export interface WithMaxWaitOptions {
    readonly limiter: RateLimiter;
    readonly maxMs: number;
}
export declare class WithMaxWaitRateLimiter implements RateLimiter {
    #private;
    constructor(options: WithMaxWaitOptions);
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export declare function defaultControllerRateLimiter(): RateLimiter;

// orderings/fair-ordering.ts
import type { QueueOrdering, WaitingItem } from "./ordering.ts";
export interface FairOrderingOptions<T> {
    readonly tenantOf?: ((item: T) => string) | undefined;
}
export declare class FairOrdering<T = string> implements QueueOrdering<T> {
    #private;
    constructor(options?: FairOrderingOptions<T>);
    get length(): number;
    push(waiting: WaitingItem<T>): void;
    touch(_waiting: WaitingItem<T>): void;
    pop(): WaitingItem<T> | undefined;
}

// orderings/ordering.ts
export interface WaitingItem<T> {
    readonly item: T;
    readonly priority: number;
    readonly sequence: number;
    place: number;
}
export interface QueueOrdering<T> {
    readonly length: number;
    push(waiting: WaitingItem<T>): void;
    touch(waiting: WaitingItem<T>): void;
    raise?(waiting: WaitingItem<T>): void;
    pop(): WaitingItem<T> | undefined;
}
export declare class FifoOrdering<T = string> implements QueueOrdering<T> {
    #private;
    get length(): number;
    push(waiting: WaitingItem<T>): void;
    touch(_waiting: WaitingItem<T>): void;
    pop(): WaitingItem<T> | undefined;
}

// orderings/priority-ordering.ts
import type { QueueOrdering, WaitingItem } from "./ordering.ts";
export declare const lowPriority = -100;
export declare class PriorityOrdering<T = string> implements QueueOrdering<T> {
    #private;
    get length(): number;
    push(waiting: WaitingItem<T>): void;
    touch(_waiting: WaitingItem<T>): void;
    raise(waiting: WaitingItem<T>): void;
    pop(): WaitingItem<T> | undefined;
}

// queue/parallelize.ts
export interface ParallelizeOptions {
    readonly workers: number;
    readonly chunkSize?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare function parallelize(pieces: number, work: (piece: number) => unknown, options: ParallelizeOptions): Promise<void>;

// queue/work-item.ts
import type { ItemKey } from "../limiters/rate-limiters.ts";
import type { WaitingItem } from "../orderings/ordering.ts";
export interface WorkItem<T> extends Disposable {
    readonly item: T;
    readonly priority: number;
}
type State = "waiting" | "processing" | "again" | "ended";
export declare class Entry<T> implements WorkItem<T>, WaitingItem<T> {
    #private;
    readonly item: T;
    readonly key: ItemKey;
    readonly sequence: number;
    place: number;
    constructor(item: T, key: ItemKey, priority: number, sequence: number, onDone: (entry: Entry<T>) => void);
    static of<T>(waiting: WaitingItem<T> | undefined): Entry<T> | undefined;
    get state(): State;
    get priority(): number;
    get isPending(): boolean;
    take(): void;
    addAgain(priority: number): boolean;
    end(): void;
    [Symbol.dispose](): void;
}
export {};

// queue/work-queue-options.ts
import type { Clock, MetricsSink } from "@listwatch/core-fifo";
import { type OptionsOf } from "@listwatch/core-fifo/base";
import type { ItemKey, RateLimiter } from "../limiters/rate-limiters.ts";
import type { QueueOrdering } from "../orderings/ordering.ts";
export type ItemKeyFunction<T> = (item: T) => ItemKey;
export interface WorkQueueOptions<T> {
    readonly keyFunc?: ItemKeyFunction<T> | undefined;
    readonly ordering?: QueueOrdering<T> | undefined;
    readonly rateLimiter?: RateLimiter | undefined;
    readonly delays?: "independent" | "merged" | undefined;
    readonly drain?: "all" | "processing" | undefined;
    readonly name?: string | undefined;
    readonly metrics?: MetricsSink | undefined;
    readonly onMetricsError?: ((error: unknown) => void) | undefined;
    readonly clock?: Clock | undefined;
}
export declare const queueTable: OptionsOf<WorkQueueOptions<never>>;
export type PrimitiveQueueArguments<T> = unknown extends T ? [options?: WorkQueueOptions<T>] : [T] extends [ItemKey] ? [options?: WorkQueueOptions<T>] : [options: KeyedQueueOptions<T>];
export interface KeyedQueueOptions<T> extends WorkQueueOptions<T> {
    readonly keyFunc: ItemKeyFunction<T>;
}
export interface PriorityOptions {
    readonly priority?: number | undefined;
}
export declare function priorityIn(options: PriorityOptions | undefined): number;
export declare function checkDelay(name: string, delayMs: number): number;
export interface QueueWaitOptions {
    readonly signal?: AbortSignal | undefined;
}
export declare function primitiveKey(item: unknown): ItemKey;

// queue/work-queue.ts
import { type WorkItem } from "./work-item.ts";
import { type KeyedQueueOptions, type PrimitiveQueueArguments, type PriorityOptions, type QueueWaitOptions } from "./work-queue-options.ts";
export interface QueuedItem<T> {
    readonly item: T;
    readonly state: "again" | "delayed" | "processing" | "waiting";
    readonly priority: number;
    readonly dueMs?: number | undefined;
}
export declare class WorkQueue<T> implements Disposable {
    #private;
    constructor(options: KeyedQueueOptions<T>);
    constructor(...options: PrimitiveQueueArguments<T>);
    get length(): number;
    get delayed(): number;
    get processing(): number;
    get isShuttingDown(): boolean;
    add(item: T, options?: PriorityOptions): void;
    addAfter(item: T, delayMs: number, options?: PriorityOptions): void;
    addRateLimited(item: T, options?: PriorityOptions): void;
    forget(item: T): void;
    numRequeues(item: T): number;
    priorityOf(item: T): number | undefined;
    contents(): readonly QueuedItem<T>[];
    get(options?: QueueWaitOptions): WorkItem<T> | undefined | Promise<WorkItem<T> | undefined>;
    done(item: T): void;
    shutDown(): void;
    shutDownWithDrain(options?: QueueWaitOptions): Promise<void>;
    [Symbol.dispose](): void;
    [Symbol.asyncIterator](): AsyncGenerator<T, undefined>;
}
