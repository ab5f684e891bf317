// index.ts
export { createManager, type Manager } from "./manager/manager.ts";
export type { ManagerElectionOptions, ManagerInspectorOptions, ManagerLimits, ManagerOptions, ManagerServerOptions, ManagerTelemetry, ProtectedMetricsOptions, ServedMetrics, } from "./manager/manager-options.ts";
export type { InspectedController, InspectedInformer, ManagerInspection, } from "./manager/inspection.ts";
export type { PastReconcile, RunningKey } from "./controllers/reconcile-history.ts";
export type { ManagerEnd } from "./manager/manager-run.ts";
export type { StartWebhooks, ServedWebhooks } from "./manager/served-webhooks.ts";
export type { Runnable } from "./manager/runnable.ts";
export type { ManagedController, ManagedControllerOptions, ManagedSource, } from "./controllers/managed-controller.ts";
export type { AnyInformer, ManagedInformers } from "./informers/managed-informers.ts";
export { ManagerSyncError } from "./informers/sync-error.ts";
export type { StopSignal } from "./process/process-events.ts";
export type { Check } from "./server/checks.ts";

// manager/manager.ts
import { type Client, type Connection } from "@listwatch/client";
import { EventRecorder, LeaderElector } from "@listwatch/controller";
import { type Clock, type KubernetesObject, type Log, type Scope } from "@listwatch/core-fifo";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { type ManagedController, type ManagedControllerOptions } from "../controllers/managed-controller.ts";
import { ManagedInformers } from "../informers/managed-informers.ts";
import { type Check } from "../server/checks.ts";
import { type ManagerInspection } from "./inspection.ts";
import { type ManagerEnd } from "./manager-run.ts";
import { type ManagerOptions } from "./manager-options.ts";
import { type Runnable } from "./runnable.ts";
import type { StartWebhooks } from "./served-webhooks.ts";
export declare class Manager implements AsyncDisposable {
    #private;
    readonly name: string;
    readonly client: Client;
    readonly informers: ManagedInformers;
    readonly elector: LeaderElector | undefined;
    readonly clock: Clock;
    readonly log: Log;
    constructor(given: Connection, options: ManagerOptions);
    get recorder(): EventRecorder;
    get isLeader(): boolean;
    get port(): number | undefined;
    controller<T extends KubernetesObject = never, I extends IndexValues = NoIndexes, S extends Scope = Scope>(options: ManagedControllerOptions<T, I, S>): ManagedController<S>;
    webhooks(start: StartWebhooks): this;
    add(runnable: Runnable): this;
    addCheck(name: string, check: Check, probe?: "live" | "ready"): this;
    run(signal?: AbortSignal): Promise<ManagerEnd>;
    inspect(): ManagerInspection;
    [Symbol.asyncDispose](): Promise<void>;
}
export declare function createManager(connection: Connection, options: ManagerOptions): Manager;

// controllers/managed-controller.ts
import type { Client, ResourceReference } from "@listwatch/client";
import { type ControllerOptions, type ControllerQueueOptions, type ControllerSource, type OwnerKind, type OwnerMapping, type PendingKey, type Reconcile, type SourceOptions } from "@listwatch/controller";
import { type Cached, type Clock, type Key, type KubernetesObject, type Log, type MetricsSink, type Scope, type TraceSink } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { ManagedInformers } from "../informers/managed-informers.ts";
import { ReconcileHistory } from "./reconcile-history.ts";
export type ManagedSource<T> = ControllerSource<T> | ResourceReference<T>;
export interface ManagedControllerOptions<T extends KubernetesObject = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> extends Omit<ControllerOptions<T, I, S>, "clock" | "elector" | "informer" | "name" | "queue" | "reconcile" | "telemetry"> {
    readonly for?: Informer<T, I, S> | ResourceReference<T, S> | undefined;
    readonly reconcile: Reconcile<T, I, S>;
    readonly name?: string | undefined;
    readonly needsLeader?: boolean | undefined;
    readonly optional?: boolean | undefined;
    readonly queue?: ControllerQueueOptions<S> | undefined;
}
export interface ManagedController<S extends Scope = Scope> {
    readonly name: string;
    owns<O extends KubernetesObject>(source: ManagedSource<O>, options?: SourceOptions<NoInfer<O>> & {
        readonly owner?: OwnerKind<S> | OwnerMapping<S> | undefined;
    }): this;
    watches<O extends KubernetesObject>(source: ManagedSource<O>, mapping: (object: Cached<NoInfer<O>>) => readonly Key<S>[], options?: SourceOptions<NoInfer<O>>): this;
    add(key: Key<S>, options?: {
        readonly priority?: number | undefined;
    }): void;
}
export interface ControllerParts {
    readonly informers: ManagedInformers;
    readonly client: Client;
    readonly clock: Clock;
    readonly log: Log;
    readonly metrics: MetricsSink;
    readonly traces: TraceSink | undefined;
    readonly stopTimeoutMs: number;
}
export declare class ControllerRecipe<T extends KubernetesObject, I extends IndexValues, S extends Scope> implements ManagedController<S> {
    #private;
    readonly name: string;
    readonly needsLeader: boolean;
    readonly isOptional: boolean;
    readonly timeoutMs: number;
    readonly history: ReconcileHistory;
    constructor(parts: ControllerParts, options: ManagedControllerOptions<T, I, S>);
    get resource(): ResourceReference<unknown> | undefined;
    get depth(): number;
    get pending(): readonly PendingKey[];
    get isRunning(): boolean;
    owns<O extends KubernetesObject>(source: ManagedSource<O>, options?: SourceOptions<NoInfer<O>> & {
        readonly owner?: OwnerKind<S> | OwnerMapping<S> | undefined;
    }): this;
    watches<O extends KubernetesObject>(source: ManagedSource<O>, mapping: (object: Cached<NoInfer<O>>) => readonly Key<S>[], options?: SourceOptions<NoInfer<O>>): this;
    add(key: Key<S>, options?: {
        readonly priority?: number | undefined;
    }): void;
    run(signal: AbortSignal, elector: ControllerOptions["elector"]): Promise<void>;
}
export type AnyRecipe = Pick<ControllerRecipe<never, NoIndexes, Scope>, "depth" | "history" | "isOptional" | "isRunning" | "name" | "needsLeader" | "pending" | "resource" | "run" | "timeoutMs">;

// informers/managed-informers.ts
import type { Connection, FieldPath, Kept, ResourceReference } from "@listwatch/client";
import { type Clock, type KubernetesObject, type Log, type MetricsSink, type Random, type Scope, type TraceSink } from "@listwatch/core-fifo";
import { type FactoryInformerOptions, type Informer, type InformerDefaults, type KeptForm, type NamespaceIndex } from "@listwatch/shared-informer";
import { type IndexValues, type Lister, type NoIndexes } from "@listwatch/store-indexer";
export type AnyInformer = Pick<Informer<unknown>, "explainUnsynced" | "hasSynced" | "name" | "phase" | "run" | "status" | "synced"> & {
    readonly store: {
        listKeys(): readonly string[];
    };
};
interface ManagedInformersParts {
    readonly manager: string;
    readonly connection: Connection;
    readonly namespaces: readonly string[] | undefined;
    readonly informers: InformerDefaults | undefined;
    readonly clock: Clock;
    readonly log: Log;
    readonly random: Random | undefined;
    readonly metrics: MetricsSink;
    readonly traces: TraceSink | undefined;
    readonly onEnd: (informer: string, failure: {
        readonly error: unknown;
    } | undefined) => void;
}
export declare class ManagedInformers {
    #private;
    constructor(parts: ManagedInformersParts);
    informer<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, I extends IndexValues = NoIndexes, const Fields extends readonly FieldPath[] | undefined = undefined, MetadataOnly extends boolean | undefined = boolean | undefined>(resource: ResourceReference<T, S>, options?: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, I> & KeptForm<Fields, MetadataOnly>): Informer<Kept<T, Fields, MetadataOnly>, NamespaceIndex & I, S>;
    lister<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, const Fields extends readonly FieldPath[] | undefined = undefined, MetadataOnly extends boolean | undefined = boolean | undefined>(resource: ResourceReference<T, S>, options?: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, NoIndexes> & KeptForm<Fields, MetadataOnly>): Lister<Kept<T, Fields, MetadataOnly>, S>;
    get all(): readonly AnyInformer[];
    get required(): readonly AnyInformer[];
    get running(): readonly string[];
    acquire<T extends KubernetesObject, S extends Scope>(resource: ResourceReference<T, S>): AnyInformer;
    start(): void;
    stop(): Promise<void>;
    release(informer: AnyInformer): Promise<void>;
    waitForSync(limitMs: number, stop: AbortSignal): Promise<void>;
}
export {};

// controllers/reconcile-history.ts
import type { Clock } from "@listwatch/core-fifo";
export interface PastReconcile {
    readonly startMs: number;
    readonly durationMs: number;
    readonly outcome: "error" | "requeue_after" | "success";
    readonly error?: string | undefined;
}
export interface RunningKey {
    readonly key: string;
    readonly startMs: number;
}
export declare class ReconcileHistory {
    #private;
    constructor(clock: Clock);
    get running(): readonly RunningKey[];
    get past(): readonly (readonly [key: string, reconciles: readonly PastReconcile[]])[];
    begin(key: string): void;
    end(key: string, { error, outcome }: Pick<PastReconcile, "error" | "outcome">): void;
}

// server/checks.ts
export interface CheckResult {
    readonly name: string;
    readonly isOk: boolean;
    readonly detail: string;
}
export type Check = () => unknown;
export declare class Checks {
    #private;
    set(name: string, check: Check): void;
    copy(): Checks;
    has(name: string): boolean;
    run(only?: string): Promise<readonly CheckResult[]>;
}
export declare function formatResults(results: readonly CheckResult[]): string;

// manager/inspection.ts
import type { PendingKey } from "@listwatch/controller";
import type { AnyRecipe } from "../controllers/managed-controller.ts";
import type { PastReconcile, RunningKey } from "../controllers/reconcile-history.ts";
import type { AnyInformer } from "../informers/managed-informers.ts";
export interface InspectedInformer {
    readonly name: string;
    readonly phase: string;
    readonly hasSynced: boolean;
    readonly objects: number;
    readonly freshAsOfMs: number | undefined;
    readonly problem: string | undefined;
    readonly backlogs: Readonly<Record<string, number>>;
}
export interface InspectedController {
    readonly name: string;
    readonly isRunning: boolean;
    readonly waiting: number;
    readonly pending: readonly PendingKey[];
    readonly running: readonly RunningKey[];
    readonly past: readonly (readonly [key: string, reconciles: readonly PastReconcile[]])[];
}
export interface ManagerInspection {
    readonly name: string;
    readonly asOfMs: number;
    readonly isLeader: boolean;
    readonly informers: readonly InspectedInformer[];
    readonly controllers: readonly InspectedController[];
}
export declare function inspectInformer(informer: AnyInformer): InspectedInformer;
export declare function inspectController({ depth, history, isRunning, name, pending, }: AnyRecipe): InspectedController;

// manager/manager-run.ts
import type { Client } from "@listwatch/client";
import type { EventRecorder, LeaderElector } from "@listwatch/controller";
import { type Clock, type Log } from "@listwatch/core-fifo";
import type { AnyRecipe } from "../controllers/managed-controller.ts";
import type { ManagedInformers } from "../informers/managed-informers.ts";
import { type StopSignal } from "../process/process-events.ts";
import type { Checks } from "../server/checks.ts";
import type { ManagerOptions, ServedMetrics } from "./manager-options.ts";
import type { Runnable } from "./runnable.ts";
import type { StartWebhooks } from "./served-webhooks.ts";
export interface ManagerEnd {
    readonly by: StopSignal | "abort";
}
interface ManagerRunParts {
    readonly name: string;
    readonly client: Client;
    readonly clock: Clock;
    readonly log: Log;
    readonly elector: LeaderElector | undefined;
    readonly informers: ManagedInformers;
    readonly controllers: readonly AnyRecipe[];
    readonly runnables: readonly Runnable[];
    readonly live: Checks;
    readonly ready: Checks;
    readonly metrics: ServedMetrics;
    readonly options: ManagerOptions;
    readonly webhooks: readonly StartWebhooks[];
    readonly inspect: () => object;
}
export declare class ManagerRun {
    #private;
    constructor(parts: ManagerRunParts);
    get port(): number | undefined;
    end(part: string, failure: {
        readonly error: unknown;
    } | undefined): void;
    startRecorder(recorder: EventRecorder): void;
    stopAndWait(): Promise<void>;
    run(signal: AbortSignal | undefined): Promise<ManagerEnd>;
}
export {};

// process/process-events.ts
import type { Process } from "./runtime.ts";
export type StopSignal = "SIGHUP" | "SIGINT" | "SIGTERM";
interface ProcessHooks {
    readonly onSignal: (name: StopSignal) => void;
    readonly onUncaught: (error: unknown) => void;
}
export declare function listenToProcess(process: Process, signals: readonly StopSignal[], { onSignal, onUncaught }: ProcessHooks): () => void;
export {};

// process/runtime.ts
export interface Process {
    exitCode?: number | string | null | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stderr?: {
        readonly isTTY?: boolean | undefined;
        on?(event: "error", listener: (error: unknown) => void): unknown;
    } | undefined;
    on(event: string, listener: (value: unknown) => void): unknown;
    off(event: string, listener: (value: unknown) => void): unknown;
    exit(code: number): never;
    getBuiltinModule?(name: string): unknown;
}
export declare function findProcess(): Process | undefined;

// manager/manager-options.ts
import type { ClientOptions } from "@listwatch/client";
import type { ElectionLimits } from "@listwatch/controller";
import type { Clock, Log, MetricsSink, Random, TraceSink } from "@listwatch/core-fifo";
import type { InformerDefaults } from "@listwatch/shared-informer";
import type { StopSignal } from "../process/process-events.ts";
export interface ProtectedMetricsOptions {
    readonly port?: number | undefined;
    readonly tls?: {
        readonly certificate: string;
        readonly key: string;
    } | {
        readonly certificateFile: string;
        readonly keyFile: string;
    } | undefined;
    readonly authorize?: boolean | undefined;
}
export interface ManagerServerOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly staleAfterMs?: number | undefined;
    readonly protectedMetrics?: ProtectedMetricsOptions | undefined;
}
export interface ManagerInspectorOptions {
    readonly port?: number | undefined;
}
export interface ManagerElectionOptions {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly identity?: string | undefined;
    readonly onLost?: "exit" | "rejoin" | undefined;
    readonly limits?: ElectionLimits | undefined;
}
export interface ManagerLimits {
    readonly syncTimeoutMs?: number | undefined;
    readonly stopTimeoutMs?: number | undefined;
    readonly exitTimeoutMs?: number | undefined;
    readonly blockedMs?: number | undefined;
    readonly discoveryMs?: number | undefined;
}
export interface ServedMetrics extends MetricsSink {
    write?(): string | Promise<string>;
}
export interface ManagerTelemetry {
    readonly log?: Log | undefined;
    readonly metrics?: ServedMetrics | undefined;
    readonly traces?: TraceSink | undefined;
}
export interface ManagerOptions {
    readonly name: string;
    readonly namespaces?: readonly string[] | undefined;
    readonly signals?: readonly StopSignal[] | false | undefined;
    readonly server?: ManagerServerOptions | false | undefined;
    readonly inspector?: ManagerInspectorOptions | false | undefined;
    readonly election?: ManagerElectionOptions | false | undefined;
    readonly limits?: ManagerLimits | undefined;
    readonly telemetry?: ManagerTelemetry | undefined;
    readonly client?: Omit<ClientOptions, "clock" | "random"> | undefined;
    readonly informers?: InformerDefaults | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export declare function checkManagerOptions(connection: unknown, options: unknown): void;

// manager/runnable.ts
export interface Runnable {
    readonly name: string;
    readonly needsLeader?: boolean | undefined;
    readonly run: (signal: AbortSignal) => Promise<unknown>;
}
export declare function checkRunnable(runnable: unknown): void;

// manager/served-webhooks.ts
export interface ServedWebhooks {
    readonly isReady: boolean;
    close(): Promise<void>;
}
export type StartWebhooks = (signal: AbortSignal) => Promise<ServedWebhooks>;

// informers/sync-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
import type { Unsynced } from "@listwatch/shared-informer";
export declare class ManagerSyncError extends ListwatchError {
    readonly name: string;
    readonly unsynced: readonly Unsynced[];
    constructor(manager: string, unsynced: readonly Unsynced[], limitMs: number);
}
