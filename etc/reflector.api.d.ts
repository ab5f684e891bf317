// index.ts
export { findInconsistency, InconsistencyError, type ConsistencyOptions, } from "./source/consistency.ts";
export { OtherHistoryError, UnexpectedObjectError } from "./services/errors.ts";
export { httpListerWatcher, type HttpListerWatcherOptions } from "./source/http-lister-watcher.ts";
export type { ListerWatcher, ListResult, SourceCollection, WatchStream, } from "./source/lister-watcher.ts";
export { Pager, type ListFunction, type PagedList, type PagerOptions } from "./source/pager.ts";
export type { BackoffOptions, ExpectedType, ReflectorListOptions, ReflectorOptions, ReflectorRetryOptions, ReflectorWatchOptions, } from "./options/options.ts";
export { clientGoBehaviour } from "./options/settings.ts";
export type { InitialEventsTrace, ListTrace, ReflectorErrorContext, ReflectorFailure, ReflectorOperation, ReflectorPhase, ReflectorRecovery, ReflectorStatus, ReflectorTrace, RelistTrace, WatchTrace, } from "./options/status.ts";
export type { ReflectorStore } from "./options/store.ts";
export { Reflector } from "./states/reflector.ts";
export { RetryWatcher, type RetryWatcherOptions, type RetryWatchEvent, } from "./watch/retry-watcher.ts";
export { until, UntilError, type UntilOptions, type WatchCondition } from "./watch/until.ts";

// source/consistency.ts
import { ListwatchError, type Clock, type KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher } from "./lister-watcher.ts";
export declare class InconsistencyError extends ListwatchError {
    readonly name: string;
    readonly resourceVersion: string;
    readonly missing: readonly string[];
    readonly extra: readonly string[];
    readonly different: readonly string[];
    constructor(resourceVersion: string, keys: Pick<InconsistencyError, "missing" | "extra" | "different">);
}
export interface ConsistencyOptions<T> {
    readonly listerWatcher: Pick<ListerWatcher<T>, "list">;
    readonly objects: Iterable<T>;
    readonly resourceVersion: string;
    readonly transform?: ((object: T) => T) | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly clock?: Clock | undefined;
}
export declare function findInconsistency<T extends KubernetesObject>(options: ConsistencyOptions<T>): Promise<InconsistencyError | undefined>;

// source/lister-watcher.ts
import type { CollectionOptions, ListContext, ListMeta, ListOptions, WatchEvent, WatchOptions } from "@listwatch/client";
export interface ListResult<T> {
    readonly apiVersion?: string | undefined;
    readonly kind?: string | undefined;
    readonly metadata?: ListMeta | undefined;
    readonly items: readonly T[] | AsyncIterable<readonly T[]>;
}
export type WatchStream<T> = AsyncIterable<WatchEvent<T> | readonly WatchEvent<T>[]>;
export type SourceCollection = Pick<CollectionOptions, "fields" | "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "resource" | "shardSelector">;
export interface ListerWatcher<T> {
    list(options: ListOptions, context: ListContext<T>): Promise<ListResult<T>>;
    watch(options: WatchOptions, context: ListContext<T>): Promise<WatchStream<T>>;
    readonly watchListSupported?: boolean | undefined;
    readonly collection?: SourceCollection | undefined;
}
export declare function itemsOf<T>(result: ListResult<T> | null | undefined): ListResult<T>["items"];

// services/errors.ts
import { StatusError } from "@listwatch/client";
import { ListwatchError } from "@listwatch/core-fifo/base";
export declare class UnexpectedObjectError extends ListwatchError {
    readonly name: string;
    readonly object: unknown;
    constructor(expected: string, object: unknown);
}
export declare class OtherHistoryError extends ListwatchError {
    readonly name: string;
    readonly seen: string;
    readonly got: string;
    constructor(name: string, seen: string, got: string);
}
export declare function createVeryShortWatchError(name: string): ListwatchError;
export declare function createSilentWatchesError(name: string, closes: number): ListwatchError;
export declare function createStreamedListCutError(name: string, events: number, cause?: unknown): ListwatchError;
export declare function errorOfEvent(object: unknown): StatusError | UnexpectedObjectError;
export declare function isWorthWaiting(error: unknown): boolean;
export declare function isPostponed(error: unknown): boolean;
export declare function isUnreachable(error: unknown): boolean;
export declare function areCredentialsRefused(error: unknown): boolean;
export declare function isSilent(error: unknown): boolean;
export declare function isBrokenStream(error: unknown): boolean;
export declare function isServerFailure(error: unknown): boolean;
export declare function isRefusal(error: unknown): boolean;
export declare function connectionCauseOf(error: unknown): string | undefined;

// source/http-lister-watcher.ts
import { type CollectionOptions, type FieldPath, type Kept } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher } from "./lister-watcher.ts";
export interface HttpListerWatcherOptions<T extends KubernetesObject = KubernetesObject> extends CollectionOptions<T> {
    readonly watchListSupported?: boolean | undefined;
}
export declare function connectionOf(listerWatcher: object): object | undefined;
export declare function httpListerWatcher<T extends KubernetesObject = KubernetesObject, const Fields extends readonly FieldPath[] | undefined = undefined, MetadataOnly extends boolean | undefined = boolean | undefined>(options: HttpListerWatcherOptions<T> & {
    readonly fields?: Fields;
    readonly metadataOnly?: MetadataOnly;
}): ListerWatcher<Kept<T, Fields, MetadataOnly>>;

// source/pager.ts
import { type ListContext, type ListMeta, type ListOptions } from "@listwatch/client";
import { type ListResult } from "./lister-watcher.ts";
export type ListFunction<T> = (options: ListOptions, context: ListContext<T>) => Promise<ListResult<T>>;
export interface PagerOptions<T> {
    readonly list: ListFunction<T>;
    readonly keep?: ((item: T) => boolean) | undefined;
    readonly pageSize?: number | undefined;
    readonly fullListIfExpired?: boolean | undefined;
    readonly pageBufferSize?: number | undefined;
}
export interface PagedList<T> {
    readonly apiVersion: string | undefined;
    readonly kind: string | undefined;
    readonly metadata: ListMeta | undefined;
    readonly items: T[];
    readonly paginated: boolean;
}
export declare class Pager<T> {
    #private;
    constructor(options: PagerOptions<T>);
    list(options: ListOptions, context: ListContext<T>): Promise<PagedList<T>>;
    batches(options: ListOptions, context: ListContext<T>): AsyncGenerator<readonly T[], void, undefined>;
}

// options/options.ts
import type { Clock, Log, MetricsSink, ObjectName, Random, TraceSink } from "@listwatch/core-fifo";
import { type MetersOf, type OptionsOf, type Preset } from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import type { ReflectorStore } from "./store.ts";
import type { ReflectorErrorContext, ReflectorTrace } from "./status.ts";
export interface ExpectedType {
    readonly apiVersion: string;
    readonly kind: string;
}
export interface ReflectorListOptions<T> {
    readonly pageSize?: number | undefined;
    readonly watchList?: boolean | undefined;
    readonly watchListRetryMs?: number | undefined;
    readonly watchListSilenceMs?: number | undefined;
    readonly checkConsistency?: boolean | undefined;
    readonly held?: ((name: ObjectName) => T | undefined) | undefined;
}
export interface ReflectorWatchOptions {
    readonly expectedType?: ExpectedType | undefined;
    readonly minWatchTimeoutMs?: number | undefined;
    readonly silenceMs?: number | undefined;
    readonly watchGraceMs?: number | undefined;
    readonly storeFailure?: "relist" | "skip" | undefined;
    readonly resyncMs?: number | undefined;
    readonly shouldResync?: (() => boolean) | undefined;
}
export interface BackoffOptions {
    readonly baseMs?: number | undefined;
    readonly factor?: number | undefined;
    readonly capMs?: number | undefined;
    readonly jitter?: number | undefined;
    readonly resetMs?: number | undefined;
}
export interface ReflectorRetryOptions {
    readonly backoff?: BackoffOptions | undefined;
    readonly maxRetryAfterMs?: number | undefined;
    readonly maxInternalErrorRetryMs?: number | undefined;
    readonly unreachableCapMs?: number | undefined;
}
export declare const reflectorMeters: {
    readonly lists: readonly ["counter", "reflector_lists_total"];
    readonly listDuration: readonly ["histogram", "reflector_list_duration_seconds"];
    readonly itemsPerList: readonly ["histogram", "reflector_items_per_list"];
    readonly watches: readonly ["counter", "reflector_watches_total"];
    readonly shortWatches: readonly ["counter", "reflector_short_watches_total"];
    readonly watchDuration: readonly ["histogram", "reflector_watch_duration_seconds"];
    readonly itemsPerWatch: readonly ["histogram", "reflector_items_per_watch"];
    readonly lastResourceVersion: readonly ["gauge", "reflector_last_resource_version"];
};
export type ReflectorMetrics = MetersOf<typeof reflectorMeters>;
export interface ReflectorOptions<T> {
    readonly listerWatcher: ListerWatcher<T>;
    readonly store: ReflectorStore<NoInfer<T>>;
    readonly name?: string | undefined;
    readonly list?: ReflectorListOptions<NoInfer<T>> | undefined;
    readonly watch?: ReflectorWatchOptions | undefined;
    readonly retry?: ReflectorRetryOptions | undefined;
    readonly behaviour?: Preset<"clientGoBehaviour"> | undefined;
    readonly onError?: ((error: unknown, context: ReflectorErrorContext) => "log" | "retry" | "stop" | undefined | void) | undefined;
    readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
    readonly metrics?: MetricsSink | undefined;
    readonly traces?: TraceSink | undefined;
    readonly log?: Log | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare const reflectorGroups: {
    readonly list: OptionsOf<Omit<ReflectorListOptions<never>, "held">>;
    readonly watch: OptionsOf<Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync">>;
    readonly retry: OptionsOf<ReflectorRetryOptions>;
};
export declare const requiredType: readonly string[];

// options/store.ts
export interface ReflectorStore<T> {
    add(object: T): void;
    update(object: T): void;
    delete(object: T): void;
    replace(objects: readonly T[], resourceVersion: string, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<void> | void;
    transformer?(): ((object: T) => unknown) | undefined;
    resync?(): void;
    bookmark?(resourceVersion: string): void;
    updateResourceVersion?(resourceVersion: string): void;
    waitForCapacity?(options: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<void> | undefined;
}

// options/status.ts
export type ReflectorOperation = "list" | "replace" | "openWatch" | "watch" | "store" | "resync" | "check" | "trace" | "metrics";
export type ReflectorRecovery = "relist" | "reopen" | "list" | "newest" | "skip";
export interface ReflectorErrorContext {
    readonly reflector: string;
    readonly operation: ReflectorOperation;
    readonly recovery: ReflectorRecovery;
    readonly attempts: number;
}
export type ReflectorPhase = "idle" | "listing" | "streamingList" | "watching" | "waiting" | "stopped";
export interface ReflectorFailure {
    readonly error: unknown;
    readonly operation: ReflectorOperation;
    readonly atMs: number;
}
export interface ReflectorStatus {
    readonly name: string;
    readonly phase: ReflectorPhase;
    readonly synced: boolean;
    readonly resourceVersion: string;
    readonly lastListMs: number | undefined;
    readonly lastEventMs: number | undefined;
    readonly lastBookmarkMs: number | undefined;
    readonly lastWatchMs: number | undefined;
    readonly silentUntilMs: number | undefined;
    readonly waitingUntilMs: number | undefined;
    readonly attempts: number;
    readonly failingSinceMs: number | undefined;
    readonly lastFailure: ReflectorFailure | undefined;
}
export interface ListTrace {
    readonly kind: "list";
    readonly reflector: string;
    readonly items: number;
    readonly resourceVersion: string;
    readonly listMs: number;
    readonly replaceMs: number;
    readonly paginated: boolean;
    readonly streamed: boolean;
    readonly slow: boolean;
}
export interface InitialEventsTrace {
    readonly kind: "waitingForInitialEvents";
    readonly reflector: string;
    readonly sinceMs: number;
    readonly sinceLastEventMs: number | undefined;
    readonly events: number;
}
export interface WatchTrace {
    readonly kind: "watchEnded";
    readonly reflector: string;
    readonly cause: unknown;
    readonly durationMs: number;
    readonly events: number;
    readonly resourceVersion: string;
}
export interface RelistTrace {
    readonly kind: "relist";
    readonly reflector: string;
    readonly cause: unknown;
    readonly delayMs: number;
}
export type ReflectorTrace = ListTrace | InitialEventsTrace | WatchTrace | RelistTrace;

// options/settings.ts
import { type Clock, type Random, type Transform } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { type ReflectorOptions } from "./options.ts";
import type { ReflectorStore } from "./store.ts";
export declare const defaultBehaviour: {
    list: {
        pageSize: number;
        watchList: boolean;
        watchListRetryMs: number;
        watchListSilenceMs: number;
        checkConsistency: boolean;
    };
    watch: {
        minWatchTimeoutMs: number;
        silenceMs: number;
        watchGraceMs: number;
        storeFailure: "relist" | "skip";
        resyncMs: number;
        shouldResync: () => boolean;
    };
    retry: {
        maxRetryAfterMs: number;
        maxInternalErrorRetryMs: number;
        unreachableCapMs: number;
    };
    backoff: {
        baseMs: number;
        factor: number;
        capMs: number;
        jitter: number;
        resetMs: number;
        resetRule: "quiet" | "interval";
    };
    maxImmediateRetries: number;
    checksHistory: boolean;
    maxBrokenOpenings: number;
    maxSilentCloses: number;
    remembersExpiredOpening: boolean;
    sparesExpired: boolean;
    maxCutStreams: number;
    maxRequests: number;
    transformsStreamedLists: boolean;
    unknownEvent: "relist" | "skip";
    unusableDeletion: "relist" | "skip";
};
type ReflectorBehaviour = Readonly<typeof defaultBehaviour>;
export declare const clientGoValues: ReflectorBehaviour;
export declare const clientGoBehaviour: Preset<"clientGoBehaviour">;
export interface Settings<T> extends Pick<ReflectorBehaviour, "backoff" | "retry" | "watch"> {
    readonly name: string;
    readonly listerWatcher: ListerWatcher<T>;
    readonly store: ReflectorStore<T>;
    readonly clock: Clock;
    readonly random: Random;
    readonly list: ReflectorBehaviour["list"];
    readonly held: NonNullable<ReflectorOptions<T>["list"]>["held"];
    readonly expectedType: NonNullable<ReflectorOptions<T>["watch"]>["expectedType"];
    readonly initialTransform: () => Transform<T> | undefined;
    readonly behaviour: ReflectorBehaviour;
}
export declare function resolveSettings<T>(options: ReflectorOptions<T>): Settings<T>;
export {};

// states/reflector.ts
import { type KubernetesObject } from "@listwatch/core-fifo";
import type { ReflectorOptions } from "../options/options.ts";
import type { ReflectorStatus } from "../options/status.ts";
export declare class Reflector<T extends KubernetesObject = KubernetesObject> implements AsyncDisposable {
    #private;
    constructor(options: ReflectorOptions<T>);
    get name(): string;
    get lastSyncResourceVersion(): string;
    status(): ReflectorStatus;
    run(signal?: AbortSignal): Promise<void>;
    waitForResourceVersion(resourceVersion: string, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// watch/retry-watcher.ts
import { type WatchEvent } from "@listwatch/client";
import { type Clock, type KubernetesObject, type Log } from "@listwatch/core-fifo";
import type { ListerWatcher } from "../source/lister-watcher.ts";
export interface RetryWatcherOptions<T> {
    readonly listerWatcher: Pick<ListerWatcher<T>, "watch">;
    readonly resourceVersion: string;
    readonly signal?: AbortSignal | undefined;
    readonly spacingMs?: number | undefined;
    readonly silenceMs?: number | undefined;
    readonly log?: Log | undefined;
    readonly clock?: Clock | undefined;
}
export type RetryWatchEvent<T> = Exclude<WatchEvent<T>, {
    readonly type: "BOOKMARK";
}>;
export declare class RetryWatcher<T extends KubernetesObject = KubernetesObject> implements AsyncIterable<RetryWatchEvent<T>> {
    #private;
    constructor(options: RetryWatcherOptions<T>);
    [Symbol.asyncIterator](): AsyncGenerator<RetryWatchEvent<T>, void, undefined>;
}

// watch/until.ts
import type { WatchEvent } from "@listwatch/client";
import { ListwatchError, type KubernetesObject } from "@listwatch/core-fifo";
import type { WatchStream } from "../source/lister-watcher.ts";
import { type RetryWatcherOptions } from "./retry-watcher.ts";
export type WatchCondition<T> = (event: WatchEvent<T>) => boolean | Promise<boolean>;
export declare class UntilError extends ListwatchError {
    readonly name: string;
    readonly code: "LW_WAIT_INTERRUPTED" | "LW_WATCH_CLOSED";
    readonly lastEvent: WatchEvent<unknown> | undefined;
    constructor(code: UntilError["code"], message: string, lastEvent: WatchEvent<unknown> | undefined, options?: ErrorOptions);
}
export interface UntilOptions<T> extends Pick<RetryWatcherOptions<T>, "clock" | "listerWatcher" | "log" | "resourceVersion"> {
    readonly conditions: readonly WatchCondition<T>[];
    readonly signal?: AbortSignal | undefined;
}
export declare function until<T extends KubernetesObject>(options: UntilOptions<T>): Promise<WatchEvent<T> | undefined>;
export declare function untilWithoutRetry<T>(watch: WatchStream<T>, options: Pick<UntilOptions<T>, "conditions" | "signal">): Promise<WatchEvent<T> | undefined>;

// base.ts
export type { OptionsOf } from "@listwatch/core-fifo/base";
export { reflectorGroups, requiredType } from "./options/options.ts";
