// index.ts
export type { PendingKey, PendingReason } from "./reconcile/pending-key.ts";
export type { ReconcileOutcome } from "./reconcile/controller-metrics.ts";
export type { ControllerLimits, ControllerOptions, ControllerQueueOptions, ControllerTelemetry, ReconcileFailure, } from "./reconcile/controller-options.ts";
export { Controller } from "./reconcile/controller.ts";
export { ReconcileTimeoutError, TerminalError } from "./reconcile/errors.ts";
export { EventRecorder, type EventNote, type EventRecorderOptions, } from "./events/event-recorder.ts";
export { withFinalizer, type FinalizerOptions } from "./writes/finalizer.ts";
export type { ElectionLimits, ElectionTelemetry, LeaderElectorOptions, LeaseOptions, OnLost, } from "./election/leader-elector-options.ts";
export { LeadershipLostError, NotLeadingError, type Leadership } from "./election/term.ts";
export { LeaderElector } from "./election/leader-elector.ts";
export { controllerReference, ownerOf, ownerReferences, type OwnerHandle, type OwnerKind, type OwnerMapping, type OwnerReference, type OwnerType, } from "./writes/owner.ts";
export { allOf, anyOf, not } from "@listwatch/client";
export { annotationsChanged, generationChanged, labelsChanged, labelSelector, resourceVersionChanged, type Predicate, type UpdatePredicate, } from "./reconcile/predicates.ts";
export { NotSlotOwnerError, RingMismatchError } from "./sharding/ring-errors.ts";
export type { RingLimits, RingTelemetry, ShardRingOptions } from "./sharding/ring-options.ts";
export { ShardRing, type RingStatus } from "./sharding/shard-ring.ts";
export type { SlotUser, Tenure } from "./sharding/slot-table.ts";
export type { SourceOptions } from "./reconcile/mapping-handler.ts";
export type { Reconcile, ReconcileContext, ReconcileResult } from "./reconcile/reconcile.ts";
export { retryOnConflict, type RetryOnConflictOptions } from "./writes/conflict.ts";
export { conditionOf, isConditionTrue, setCondition, type ConditionOf, type NewCondition, type SetConditionOptions, type Settled, type StatusCondition, } from "./writes/conditions.ts";
export { writeStatus, type ComputeStatus, type StatusOf } from "./writes/status.ts";
export type { ControllerSource } from "./reconcile/controller-source.ts";

// reconcile/pending-key.ts
export type PendingReason = "delay" | "its reconcile" | "own write" | "priority" | "start" | "worker";
export interface PendingKey {
    readonly key: string;
    readonly reason: PendingReason;
    readonly priority: number;
    readonly failures: number;
    readonly dueMs: number | undefined;
}

// reconcile/controller-metrics.ts
import type { MetersOf } from "@listwatch/core-fifo/base";
export type ReconcileOutcome = "success" | "requeue_after" | "error";
export declare const controllerMeters: {
    readonly reconciles: readonly ["counter", "controller_runtime_reconcile_total", "result"];
    readonly reconcileErrors: readonly ["counter", "controller_runtime_reconcile_errors_total"];
    readonly terminalReconcileErrors: readonly ["counter", "controller_runtime_terminal_reconcile_errors_total"];
    readonly reconcileTimeouts: readonly ["counter", "controller_runtime_reconcile_timeouts_total"];
    readonly reconcileTime: readonly ["histogram", "controller_runtime_reconcile_time_seconds"];
    readonly maxConcurrentReconciles: readonly ["gauge", "controller_runtime_max_concurrent_reconciles"];
    readonly activeWorkers: readonly ["gauge", "controller_runtime_active_workers"];
};
export type ControllerMetrics = MetersOf<typeof controllerMeters>;

// reconcile/controller-options.ts
import type { Client } from "@listwatch/client";
import { type Clock, type Key, type Log, type MetricsSink, type Scope, type TraceSink } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { WorkQueue, type WorkQueueOptions } from "@listwatch/workqueue";
import type { LeaderElector } from "../election/leader-elector.ts";
import type { ShardRing } from "../sharding/shard-ring.ts";
import type { Reconcile } from "./reconcile.ts";
export interface ReconcileFailure {
    readonly key: string;
    readonly failures: number;
    readonly willRetry: boolean;
}
export interface ControllerLimits {
    readonly timeoutMs?: number | undefined;
    readonly stopTimeoutMs?: number | undefined;
    readonly readYourWritesTimeoutMs?: number | undefined;
}
export declare const defaultStopTimeoutMs = 30000;
export interface ControllerTelemetry {
    readonly log?: Log | undefined;
    readonly metrics?: MetricsSink | undefined;
    readonly traces?: TraceSink | undefined;
    readonly onMetricsError?: ((error: unknown) => void) | undefined;
}
export type ControllerQueueOptions<S extends Scope = Scope> = Pick<WorkQueueOptions<Key<S>>, "ordering" | "rateLimiter">;
export interface ControllerOptions<T = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> {
    readonly reconcile: Reconcile<T, I, S>;
    readonly informer?: Informer<T, I, S> | undefined;
    readonly name?: string | undefined;
    readonly workers?: number | undefined;
    readonly queue?: WorkQueue<string> | WorkQueue<Key<S>> | ControllerQueueOptions<S> | undefined;
    readonly client?: Client | undefined;
    readonly ignoreOwnEvents?: boolean | undefined;
    readonly limits?: ControllerLimits | undefined;
    readonly elector?: (Pick<LeaderElector, "lead"> & Partial<Pick<LeaderElector, "guard" | "onLost">>) | undefined;
    readonly shards?: ShardRing | undefined;
    readonly onError?: ((error: unknown, failure: ReconcileFailure) => void) | undefined;
    readonly telemetry?: ControllerTelemetry | undefined;
    readonly clock?: Clock | undefined;
}
export declare function checkControllerOptions(options: unknown): void;

// election/leader-elector.ts
import type { Client, Connection } from "@listwatch/client";
import { type LeaderElectorOptions, type OnLost } from "./leader-elector-options.ts";
import { type Leadership } from "./term.ts";
export declare class LeaderElector implements AsyncDisposable {
    #private;
    readonly identity: string;
    readonly onLost: OnLost;
    constructor(options: LeaderElectorOptions);
    get isLeader(): boolean;
    get leader(): string;
    isHealthy(toleranceMs?: number): boolean;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    lead<R>(work: (leadership: Leadership) => Promise<R>, options?: {
        readonly signal?: AbortSignal | undefined;
        readonly endWithinMs?: number | undefined;
    }): Promise<R | undefined>;
    guard(client: Client): Client;
    guard(connection: Connection): Connection;
}

// election/leader-elector-options.ts
import { type Clock, type Log, type MetricsSink, type Random, type TraceSink } from "@listwatch/core-fifo";
import { type MetersOf, type OptionsOf } from "@listwatch/core-fifo/base";
import type { Client } from "@listwatch/client";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Leadership } from "./term.ts";
export interface LeaseOptions {
    readonly namespace: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly releaseOnCancel?: boolean | undefined;
}
export interface ElectionLimits {
    readonly leaseDurationMs?: number | undefined;
    readonly renewDeadlineMs?: number | undefined;
    readonly retryPeriodMs?: number | undefined;
}
export type OnLost = "exit" | "rejoin";
export interface ElectionTelemetry {
    readonly log?: Log | undefined;
    readonly metrics?: MetricsSink | undefined;
    readonly traces?: TraceSink | undefined;
}
export interface LeaderElectorOptions {
    readonly client: Client;
    readonly lease: LeaseOptions;
    readonly identity?: string | undefined;
    readonly limits?: ElectionLimits | undefined;
    readonly onLost?: OnLost | undefined;
    readonly onStartedLeading?: ((leadership: Leadership) => unknown) | undefined;
    readonly onStoppedLeading?: (() => unknown) | undefined;
    readonly onNewLeader?: ((identity: string) => unknown) | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly recorder?: (Pick<EventRecorder, "event"> & Partial<Pick<EventRecorder, "retain">>) | undefined;
    readonly telemetry?: ElectionTelemetry | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare function anIdentity(value: unknown): string | undefined;
export declare const timesTable: OptionsOf<ElectionLimits>;
export declare function checkElectorOptions(options: unknown): void;
export declare const jitterFactor = 1.2;
export interface ElectionTimes {
    readonly leaseDurationMs: number;
    readonly renewDeadlineMs: number;
    readonly retryPeriodMs: number;
}
export declare function identityOf({ identity }: Pick<LeaderElectorOptions, "identity">): string;
export declare function electionTimes(limits: ElectionLimits | undefined, action: string): ElectionTimes;
export declare const electionMeters: {
    readonly masterStatus: readonly ["gauge", "leader_election_master_status"];
    readonly slowpath: readonly ["counter", "leader_election_slowpath_total"];
};
export type LeaderElectionMetrics = MetersOf<typeof electionMeters>;

// events/event-recorder.ts
import { type Clock, type KubernetesObject, type Log, type Random } from "@listwatch/core-fifo";
import { type Client } from "@listwatch/client";
export interface EventNote {
    readonly regarding: KubernetesObject;
    readonly type?: "Normal" | "Warning" | undefined;
    readonly reason: string;
    readonly action: string;
    readonly note?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly related?: KubernetesObject | undefined;
}
export interface EventRecorderOptions {
    readonly client: Client;
    readonly controller: string;
    readonly instance: string;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly log?: Log | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare class EventRecorder implements AsyncDisposable {
    #private;
    constructor(options: EventRecorderOptions);
    event(note: EventNote): void;
    retain(): () => void;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// election/term.ts
import { ListwatchError, type Clock } from "@listwatch/core-fifo";
export declare class LeadershipLostError extends ListwatchError {
    readonly name: string;
    readonly identity: string;
    constructor(identity: string, why: string, options?: ErrorOptions);
}
export declare class NotLeadingError extends ListwatchError {
    readonly name: string;
    readonly identity: string;
    readonly leader: string;
    constructor(identity: string, leader: string);
}
export interface Leadership {
    readonly signal: AbortSignal;
    readonly lost: AbortSignal;
}
export declare class Term implements Leadership {
    #private;
    constructor(clock: Clock, untilMs: number, onTimeout: () => void);
    get endWithinMs(): number;
    get abandoned(): Promise<never>;
    abandon(reason: unknown): void;
    get signal(): AbortSignal;
    get lost(): AbortSignal;
    get isHeld(): boolean;
    get hasWork(): boolean;
    worked(): Promise<void>;
    track(working: Promise<unknown>, endWithinMs: number): void;
    renew(untilMs: number): void;
    watchTime(): void;
    unwatchTime(): void;
    end(reason: unknown): void;
    lose(reason: unknown): void;
}

// sharding/shard-ring.ts
import type { Client, ShardKey } from "@listwatch/client";
import { type ShardRingOptions } from "./ring-options.ts";
import type { SlotUser, Tenure } from "./slot-table.ts";
export interface RingStatus {
    readonly epoch: number;
    readonly slots: readonly number[];
    readonly ending: readonly number[];
    readonly members: readonly string[];
    readonly waitingFor: readonly string[];
    readonly isValid: boolean;
}
export declare class ShardRing implements AsyncDisposable {
    #private;
    readonly identity: string;
    readonly by: ShardKey;
    readonly leaseDurationMs: number;
    constructor(options: ShardRingOptions);
    get hasStarted(): boolean;
    status(): RingStatus;
    slotOf(value: string): number;
    owns(value: string): boolean;
    guard(client: Client, value: string | undefined): Client;
    guardSlot(client: Client, slot: number | undefined, ends: () => readonly AbortSignal[] | undefined): Client;
    tenureOf(value: string): Tenure | undefined;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    use(user: SlotUser): void;
}

// sharding/ring-options.ts
import type { Clock, Log, MetricsSink, Random } from "@listwatch/core-fifo";
import type { Client, ShardKey } from "@listwatch/client";
import { type ElectionTimes } from "../election/leader-elector-options.ts";
export interface RingLimits {
    readonly leaseDurationMs?: number | undefined;
    readonly renewDeadlineMs?: number | undefined;
    readonly retryPeriodMs?: number | undefined;
}
export declare const ringMeters: {
    readonly ownedSlots: readonly ["gauge", "shard_ring_owned_slots"];
    readonly moves: readonly ["counter", "shard_ring_moves_total"];
    readonly ownerless: readonly ["histogram", "shard_ring_ownerless_seconds"];
};
export interface RingTelemetry {
    readonly log?: Log | undefined;
    readonly metrics?: MetricsSink | undefined;
}
export interface ShardRingOptions {
    readonly client: Client;
    readonly namespace: string;
    readonly name: string;
    readonly by?: ShardKey | undefined;
    readonly slots?: number | undefined;
    readonly identity?: string | undefined;
    readonly limits?: RingLimits | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly telemetry?: RingTelemetry | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare function checkRingOptions(options: ShardRingOptions): ElectionTimes;

// sharding/slot-table.ts
import type { NotSlotOwnerError } from "./ring-errors.ts";
export interface SlotUser {
    readonly name: string;
    readonly hasStarted: () => boolean;
    readonly ready: Promise<unknown>;
    activated(slots: ReadonlySet<number>): void;
    drain(slots: ReadonlySet<number>, reason: NotSlotOwnerError): Promise<void>;
    abort(slots: ReadonlySet<number>, reason: NotSlotOwnerError): Promise<void>;
}
export interface Tenure {
    readonly slot: number;
    readonly lost: AbortSignal;
}
export declare class SlotTable {
    #private;
    constructor(onChange: () => void);
    get active(): readonly number[];
    get ending(): readonly number[];
    get areSettled(): boolean;
    get isEmpty(): boolean;
    get unstarted(): string | undefined;
    ready(): Promise<void>;
    has(slot: number): boolean;
    isActive(slot: number): boolean;
    tenureOf(slot: number): Tenure | undefined;
    add(user: SlotUser): void;
    activate(slots: readonly number[]): void;
    drain(slots: readonly number[], reason: NotSlotOwnerError): void;
    abort(reason: NotSlotOwnerError): void;
}

// sharding/ring-errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class RingMismatchError extends ListwatchError {
    readonly name: string;
    constructor(ring: string, expected: string, actual: string);
}
export declare class NotSlotOwnerError extends ListwatchError {
    readonly name: string;
    constructor(action: string, why: string);
}

// reconcile/reconcile.ts
import type { Client } from "@listwatch/client";
import type { Cached, Key, Scope } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
export interface ReconcileContext<T = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> {
    readonly signal: AbortSignal;
    readonly retries: number;
    readonly object: Cached<T> | undefined;
    readonly informer: Informer<T, I, S>;
    readonly client: Client;
}
export interface ReconcileResult {
    readonly requeueAfterMs?: number | undefined;
    readonly priority?: number | undefined;
}
export type Reconcile<T = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> = (key: Key<S>, context: ReconcileContext<T, I, S>) => ReconcileResult | void | Promise<ReconcileResult | void>;

// reconcile/controller.ts
import { type Cached, type Key, type KubernetesObject, type Scope } from "@listwatch/core-fifo";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { WorkQueue } from "@listwatch/workqueue";
import { type ControllerOptions } from "./controller-options.ts";
import type { ControllerSource } from "./controller-source.ts";
import { type SourceOptions } from "./mapping-handler.ts";
import { type OwnerKind, type OwnerMapping } from "../writes/owner.ts";
import type { PendingKey } from "./pending-key.ts";
export declare class Controller<T extends KubernetesObject = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> implements AsyncDisposable {
    #private;
    readonly name: string;
    readonly queue: WorkQueue<Key<S>>;
    constructor(options: ControllerOptions<T, I, S>);
    pendingKeys(): readonly PendingKey[];
    get synced(): Promise<void>;
    for<O extends KubernetesObject>(informer: ControllerSource<O>, options?: SourceOptions<NoInfer<O>>): this;
    owns<O extends KubernetesObject>(informer: ControllerSource<O>, owner: OwnerKind<S> | OwnerMapping<S>, options?: SourceOptions<NoInfer<O>>): this;
    watches<O extends KubernetesObject>(informer: ControllerSource<O>, mapping: (object: Cached<NoInfer<O>>) => readonly Key<S>[], options?: SourceOptions<NoInfer<O>>): this;
    run(signal?: AbortSignal): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    processNextItem(): Promise<boolean>;
}

// reconcile/controller-source.ts
import type { CompletedWrite } from "@listwatch/client";
import type { HandlerRegistration, NotedWrite, ResourceEventHandler } from "@listwatch/shared-informer";
export interface ControllerSource<T> {
    readonly name: string;
    readonly phase?: string | undefined;
    status?(): {
        readonly problem?: unknown;
    };
    readonly store?: {
        list(): readonly unknown[];
        getByKey?(key: string): unknown;
    } | undefined;
    noteWrite?(write: CompletedWrite, writer?: object): NotedWrite | undefined;
    writerOf?(object: unknown): object | undefined;
    addEventHandler(handler: ResourceEventHandler<T>, options?: {
        readonly name?: string | undefined;
    }): HandlerRegistration;
}

// reconcile/mapping-handler.ts
import { type Cached } from "@listwatch/core-fifo";
import type { ResourceEventHandler } from "@listwatch/shared-informer";
import type { Predicate } from "./predicates.ts";
export type KeysOf<T> = (object: Cached<T>) => readonly string[];
export interface SourceOptions<T> {
    readonly predicate?: Predicate<T> | undefined;
    readonly priority?: number | ((object: Cached<T> | undefined, usual: number) => number) | undefined;
    readonly debounceMs?: number | undefined;
}
export declare function checkSourceOptions(options: unknown): void;
export declare const ownKey: (object: unknown) => readonly string[];
export declare function createMappingHandler<T>(keysOf: KeysOf<T>, isSame: boolean, { predicate, priority }: SourceOptions<T>, add: (key: string, priority: number) => void, isOwn?: (object: unknown, key: string) => boolean): ResourceEventHandler<T>;

// reconcile/predicates.ts
import type { Cached } from "@listwatch/core-fifo";
import type { Deleted } from "@listwatch/shared-informer";
import { LabelSelector, type LabelSelectorObject } from "@listwatch/store-indexer";
export interface Predicate<T> {
    add?(object: Cached<T>): boolean;
    update?(old: Cached<T>, object: Cached<T>): boolean;
    delete?(deleted: Deleted<T>): boolean;
}
export interface UpdatePredicate {
    update(old: unknown, object: unknown): boolean;
}
export declare const generationChanged: UpdatePredicate;
export declare const labelsChanged: UpdatePredicate;
export declare const annotationsChanged: UpdatePredicate;
export declare const resourceVersionChanged: UpdatePredicate;
export declare function labelSelector(selector: string | LabelSelector | LabelSelectorObject | null): Required<Predicate<unknown>>;

// writes/owner.ts
import type { Key, Scope } from "@listwatch/core-fifo";
export interface OwnerReference {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly controller?: boolean | undefined;
    readonly blockOwnerDeletion?: boolean | undefined;
}
export interface OwnerKind<S extends Scope = Scope> {
    readonly group: string;
    readonly kind: string;
    readonly anyOwner?: boolean | undefined;
    readonly scope?: S | undefined;
}
export declare function ownerReferences(object: unknown): readonly OwnerReference[];
export interface OwnerMapping<S extends Scope = Scope> {
    (object: unknown): readonly Key<S>[];
    readonly owner: OwnerKind<S>;
}
export declare function ownerOf<S extends Scope = Scope>(owner: OwnerKind<S>): OwnerMapping<S>;
export declare function mappingOf<S extends Scope>(owner: OwnerKind<S> | OwnerMapping<S>): OwnerMapping<S>;
export declare function controllerReference(owner: unknown, type: OwnerType | OwnerHandle): OwnerReference;
export interface OwnerType {
    readonly apiVersion: string;
    readonly kind: string;
}
export interface OwnerHandle {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
}

// reconcile/errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class TerminalError extends ListwatchError {
    readonly name: string;
    constructor(message: string, options?: ErrorOptions);
}
export declare class ReconcileTimeoutError extends ListwatchError {
    readonly name: string;
    readonly key: string;
    constructor(key: string, timeoutMs: number);
}
export declare function createStoppedError(message?: string): ListwatchError;
export declare function createStateError(message: string): ListwatchError;

// writes/finalizer.ts
import { type Cached, type KubernetesObject } from "@listwatch/core-fifo";
import { type ResourceClient } from "@listwatch/client";
import { type RetryOnConflictOptions } from "./conflict.ts";
export interface FinalizerOptions<R> extends RetryOnConflictOptions {
    readonly finalizer: string;
    readonly apply: () => Promise<R>;
    readonly cleanup: () => Promise<void>;
}
export declare function withFinalizer<T extends KubernetesObject, R>(client: ResourceClient<T>, object: Cached<T> | T, options: FinalizerOptions<R>): Promise<R | undefined>;

// writes/conflict.ts
import { type Clock } from "@listwatch/core-fifo";
import { type RequestOptions } from "@listwatch/client";
import { type DelaySequenceOptions } from "@listwatch/workqueue";
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface RetryOnConflictOptions {
    readonly delays?: (DelaySequenceOptions & {
        readonly steps: number;
    }) | undefined;
    readonly clock?: Clock | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare const conflictTable: OptionsOf<RetryOnConflictOptions>;
export declare const requiredDelays: readonly ["delays.durationMs", "delays.steps"];
export declare function checkConflictOptions(options: unknown): void;
export declare function retryOnConflict<R>(attempt: () => Promise<R>, options?: RetryOnConflictOptions): Promise<R>;
export interface ObjectPatcher<T> {
    readonly clock?: Clock | undefined;
    get(key: string, options: RequestOptions): Promise<T>;
    patch(key: string, patch: object, options: RequestOptions): Promise<T>;
    patchStatus(key: string, patch: object, options: RequestOptions): Promise<T>;
}

// writes/conditions.ts
import { type Clock } from "@listwatch/core-fifo";
export interface StatusCondition {
    readonly type: string;
    readonly status: string;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly observedGeneration?: number | undefined;
    readonly lastTransitionTime?: string | undefined;
}
export type NewCondition<C extends StatusCondition> = [C] extends [never] ? StatusCondition : Omit<C, "lastTransitionTime"> & StatusCondition;
export type Settled<C> = [C] extends [never] ? StatusCondition : C;
export type ConditionOf<T> = T extends readonly (infer C)[] ? C : T extends {
    readonly status?: {
        readonly conditions?: readonly (infer C)[] | undefined;
    } | undefined;
} ? C : StatusCondition;
export interface SetConditionOptions {
    readonly clock?: Clock | undefined;
}
export declare function setCondition<C extends StatusCondition>(conditions: readonly C[] | null | undefined, condition: NewCondition<C>, options?: SetConditionOptions): readonly Settled<C>[];
export declare function conditionOf<T>(object: T, type: string): ConditionOf<T> | undefined;
export declare function isConditionTrue(object: unknown, type: string): boolean;

// writes/status.ts
import { type Cached, type KubernetesObject } from "@listwatch/core-fifo";
import type { MergePatch, ResourceClient } from "@listwatch/client";
import { type RetryOnConflictOptions } from "./conflict.ts";
export type StatusOf<T> = "status" extends keyof T ? MergePatch<T>["status" & keyof T] : unknown;
export type ComputeStatus<T> = "status" extends keyof T ? (object: Cached<T> | T) => StatusOf<T> : (object: Cached<T> | T) => unknown;
export declare function writeStatus<T extends KubernetesObject>(client: ResourceClient<T>, object: Cached<T> | T, compute: ComputeStatus<T>, options?: RetryOnConflictOptions): Promise<Cached<T> | T>;
