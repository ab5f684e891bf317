// index.ts
export { DelaySequence, type DelaySequenceOptions } from "./limiters/delay-sequence.ts";
export { DelayingQueue } from "./queue/delaying-queue.ts";
export { FairOrdering, type FairOrderingOptions } from "./orderings/fair-ordering.ts";
export type { ItemKey, ItemKeyFunction } from "./queue/item-key.ts";
export { KeyedBackoff, type KeyedBackoffOptions } from "./limiters/keyed-backoff.ts";
export type { Lease } from "./queue/lease.ts";
export { queueMetricNames, type QueueCounter, type QueueGauge, type QueueMetrics, type QueueSummary, } from "./queue/metrics.ts";
export { FifoOrdering, type QueueOrdering } from "./orderings/ordering.ts";
export { parallelize, type ParallelizeOptions } from "./queue/parallelize.ts";
export { lowPriority, PriorityQueue, type PriorityOptions, type PriorityQueueOptions, } from "./queue/priority-queue.ts";
export { BucketRateLimiter, defaultControllerRateLimiter, defaultItemBasedRateLimiter, ExponentialFailureRateLimiter, FastSlowRateLimiter, MaxOfRateLimiter, MaxWaitRateLimiter, type BucketOptions, type DefaultRateLimiterOptions, type ExponentialFailureOptions, type FastSlowOptions, type MaxWaitOptions, type RateLimiter, } from "./limiters/rate-limiters.ts";
export { RateLimitingQueue, type RateLimitingQueueOptions } from "./queue/rate-limiting-queue.ts";
export { WorkQueue, type QueueWaitOptions, type WorkQueueOptions } from "./queue/work-queue.ts";

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

// queue/delaying-queue.ts
import type { ItemKey } from "./item-key.ts";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";
export declare class DelayingQueue<T> extends WorkQueue<T> {
    #private;
    constructor(options?: WorkQueueOptions<T>);
    get delayed(): number;
    addAfter(item: T, delayMs: number): void;
    protected delay(item: T, key: ItemKey, delayMs: number, priority?: number): void;
    protected delayedPriority(key: ItemKey): number | undefined;
    protected cancelDelay(key: ItemKey): void;
    protected onShutDown(): void;
}

// queue/item-key.ts
export type ItemKey = string | number | bigint | boolean;
export type ItemKeyFunction<T> = (item: T) => ItemKey;
export declare function primitiveKey(item: unknown): ItemKey;

// queue/work-queue.ts
import { type Clock } from "@listwatch/core-fifo";
import { type ItemKey, type ItemKeyFunction } from "./item-key.ts";
import type { Lease } from "./lease.ts";
import type { QueueMetrics } from "./metrics.ts";
import { type QueueOrdering } from "../orderings/ordering.ts";
export interface WorkQueueOptions<T> {
    readonly keyFunc?: ItemKeyFunction<T> | undefined;
    readonly ordering?: QueueOrdering<T> | undefined;
    readonly drain?: "all" | "processing" | undefined;
    readonly metrics?: QueueMetrics | undefined;
    readonly onMetricsError?: ((error: unknown) => void) | undefined;
    readonly clock?: Clock | undefined;
}
export interface QueueWaitOptions {
    readonly signal?: AbortSignal | undefined;
}
export declare class WorkQueue<T> implements Disposable {
    #private;
    protected readonly clock: Clock;
    protected readonly keyOf: ItemKeyFunction<T>;
    constructor(options?: WorkQueueOptions<T>);
    get length(): number;
    get processing(): number;
    get isShuttingDown(): boolean;
    add(item: T): void;
    get(options?: QueueWaitOptions): Lease<T> | undefined | Promise<Lease<T> | undefined>;
    done(item: T): void;
    shutDown(): void;
    shutDownWithDrain(options?: QueueWaitOptions): Promise<void>;
    [Symbol.dispose](): void;
    [Symbol.asyncIterator](): AsyncGenerator<T, undefined>;
    protected enqueue(item: T, key: ItemKey, priority?: number): void;
    protected isPending(key: ItemKey): boolean;
    protected pendingPriority(key: ItemKey): number | undefined;
    protected countRetry(): void;
    protected onShutDown(): void;
}

// queue/lease.ts
export interface Lease<T> extends Disposable {
    readonly item: T;
    done(): void;
}

// queue/metrics.ts
export interface QueueCounter {
    inc(): void;
}
export interface QueueGauge {
    set(value: number): void;
}
export interface QueueSummary {
    observe(value: number): void;
}
export interface QueueMetrics {
    readonly depth?: QueueGauge | undefined;
    readonly adds?: QueueCounter | undefined;
    readonly queueDuration?: QueueSummary | undefined;
    readonly workDuration?: QueueSummary | undefined;
    readonly unfinishedWork?: QueueGauge | undefined;
    readonly longestRunningProcessor?: QueueGauge | undefined;
    readonly retries?: QueueCounter | undefined;
}
export declare const queueMetricNames: {
    readonly [Metric in keyof QueueMetrics]-?: string;
};

// orderings/ordering.ts
export interface QueueOrdering<T> {
    readonly length: number;
    push(item: T): void;
    touch(item: T): void;
    pop(): T | undefined;
}
export declare class FifoOrdering<T> implements QueueOrdering<T> {
    #private;
    get length(): number;
    push(item: T): void;
    touch(_item: T): void;
    pop(): T | undefined;
}

// orderings/fair-ordering.ts
import { type QueueOrdering } from "./ordering.ts";
export interface FairOrderingOptions<T> {
    readonly tenantOf?: ((item: T) => string) | undefined;
}
export declare class FairOrdering<T = string> implements QueueOrdering<T> {
    #private;
    constructor(options?: FairOrderingOptions<T>);
    get length(): number;
    push(item: T): void;
    touch(_item: T): void;
    pop(): T | undefined;
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

// queue/parallelize.ts
export interface ParallelizeOptions {
    readonly workers: number;
    readonly chunkSize?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare function parallelize(pieces: number, work: (piece: number) => unknown, options: ParallelizeOptions): Promise<void>;

// queue/priority-queue.ts
import { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate-limiting-queue.ts";
export declare const lowPriority = -100;
export interface PriorityOptions {
    readonly priority?: number | undefined;
}
export type PriorityQueueOptions<T> = Omit<RateLimitingQueueOptions<T>, "ordering">;
export declare class PriorityQueue<T> extends RateLimitingQueue<T> {
    #private;
    constructor(options?: PriorityQueueOptions<T>);
    add(item: T, options?: PriorityOptions): void;
    addAfter(item: T, delayMs: number, options?: PriorityOptions): void;
    addRateLimited(item: T, options?: PriorityOptions): void;
    priorityOf(item: T): number | undefined;
}

// queue/rate-limiting-queue.ts
import { DelayingQueue } from "./delaying-queue.ts";
import { type RateLimiter } from "../limiters/rate-limiters.ts";
import type { WorkQueueOptions } from "./work-queue.ts";
export interface RateLimitingQueueOptions<T> extends WorkQueueOptions<T> {
    readonly rateLimiter?: RateLimiter | undefined;
}
export declare class RateLimitingQueue<T> extends DelayingQueue<T> {
    #private;
    constructor(options?: RateLimitingQueueOptions<T>);
    addRateLimited(item: T): void;
    forget(item: T): void;
    numRequeues(item: T): number;
    protected nextDelay(item: T): number;
}

// limiters/rate-limiters.ts
import { type Clock } from "@listwatch/core-fifo";
import type { ItemKey } from "../queue/item-key.ts";
export interface RateLimiter {
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export interface ExponentialFailureOptions {
    readonly baseMs: number;
    readonly maxMs: number;
}
export declare class ExponentialFailureRateLimiter implements RateLimiter {
    #private;
    constructor(options: ExponentialFailureOptions);
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export interface FastSlowOptions {
    readonly fastMs: number;
    readonly slowMs: number;
    readonly maxFastAttempts: number;
}
export declare class FastSlowRateLimiter implements RateLimiter {
    #private;
    constructor(options: FastSlowOptions);
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
export interface MaxWaitOptions {
    readonly limiter: RateLimiter;
    readonly maxMs: number;
}
export declare class MaxWaitRateLimiter implements RateLimiter {
    #private;
    constructor(options: MaxWaitOptions);
    when(key: ItemKey): number;
    forget(key: ItemKey): void;
    numRequeues(key: ItemKey): number;
}
export interface DefaultRateLimiterOptions {
    readonly clock?: Clock | undefined;
}
export declare function defaultControllerRateLimiter(options?: DefaultRateLimiterOptions): RateLimiter;
export declare function defaultItemBasedRateLimiter(): RateLimiter;
