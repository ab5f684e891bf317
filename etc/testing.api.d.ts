// index.ts
export * from "@listwatch/core-fifo/testing";
export { ConditionNotMetError, LeftRunningError, MissingRightError, UnsupportedError, } from "./cluster/errors.ts";
export { matchers, type ComparedCache, type ExpectedEvent, type ExpectedReconcile, type MatcherResult, type Matchers, } from "./cluster/matchers.ts";
export { readManifests } from "./cluster/read-manifests.ts";
export type { FakeClusterOptions, RealClusterOptions, TestClusterOptions, UntilMetOptions, } from "./cluster/test-cluster-options.ts";
export { testCluster, withTestCluster, type TestCluster } from "./cluster/test-cluster.ts";
export type { RealTestCluster } from "./cluster/real-test-cluster.ts";
export type { TestLogLine } from "./cluster/test-log.ts";
export { TestEventRecorder, type RecordedEvent } from "./cluster/test-event-recorder.ts";
export { formatRoles } from "./rights/roles.ts";
export type { UsedRight } from "./rights/used-right.ts";
export { EscapeError, SimulationError } from "./simulation/errors.ts";
export type { ActionContext, ClusterState, StateCheck, Life, Scenario, } from "./simulation/scenario.ts";
export { replay, simulate, type SimulateOptions, type SimulationReport, } from "./simulation/simulate.ts";
export { type Fault, type RequestFault, type Story, type StoryAction, type StoryFault, type StoryFocus, type StoryOptions, type StoryUpset, type Upset, type WatchFault, type WebhookFault, } from "./simulation/story.ts";

// cluster/errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class ConditionNotMetError extends ListwatchError {
    readonly name: string;
    constructor(seconds: number, lastSeen: string, options?: ErrorOptions, time?: "real" | "simulated");
}
export declare class LeftRunningError extends ListwatchError {
    readonly name: string;
    readonly left: readonly string[];
    constructor(left: readonly string[]);
}
export declare class MissingRightError extends ListwatchError {
    readonly name: string;
    constructor(answer: string);
}
export declare class UnsupportedError extends ListwatchError {
    readonly name: string;
    constructor(message: string);
}

// cluster/matchers.ts
import type { ResourceReference } from "@listwatch/client";
import { type KubernetesObject } from "@listwatch/core-fifo";
import type { Manager } from "@listwatch/manager";
import type { ClusterState } from "../simulation/scenario.ts";
export interface MatcherResult {
    readonly pass: boolean;
    readonly message: () => string;
}
export interface ExpectedEvent {
    readonly reason?: string | undefined;
    readonly type?: string | undefined;
    readonly message?: string | undefined;
    readonly about?: KubernetesObject | undefined;
}
export interface ComparedCache {
    readonly store: {
        list(): readonly KubernetesObject[];
    };
}
export interface ExpectedReconcile {
    readonly controller?: string | undefined;
    readonly outcome?: "error" | "requeue_after" | "success" | undefined;
}
export interface Matchers {
    toHaveCondition(object: unknown, type: string, status?: string): MatcherResult;
    toBeInSync<T extends KubernetesObject>(informer: ComparedCache, cluster: ClusterState, resource: ResourceReference<T>, select?: (object: T) => boolean): MatcherResult;
    toHaveReconciled(manager: Pick<Manager, "inspect">, key: string, expected?: ExpectedReconcile): MatcherResult;
    toHaveEvent(cluster: ClusterState, expected: ExpectedEvent): MatcherResult;
}
export declare const matchers: Matchers;

// simulation/scenario.ts
import type { Client, Connection } from "@listwatch/client";
import type { Clock, KubernetesObject, Log, Random } from "@listwatch/core-fifo";
import type { ResourceReference } from "@listwatch/client";
export interface Life {
    readonly identity: string;
    readonly number: number;
    readonly connection: Connection;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly signal: AbortSignal;
}
export interface ClusterState {
    readonly nowMs: number;
    list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[];
    get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined;
}
export interface ActionContext {
    readonly client: Client;
    readonly state: ClusterState;
    readonly random: Random;
    readonly clock: Clock;
}
export type StateCheck = (state: ClusterState) => boolean | string | undefined;
export type LoadedScenario = Omit<Scenario, "start"> & {
    readonly start: (life: Life) => Promise<unknown>;
};
export interface Scenario {
    readonly name: string;
    readonly account?: string | undefined;
    readonly definitions?: readonly object[] | undefined;
    readonly objects?: readonly object[] | undefined;
    readonly start: ((life: Life) => Promise<unknown>) | URL;
    readonly webhook?: ((request: Request) => Response | Promise<Response>) | undefined;
    readonly replicas?: number | undefined;
    readonly actions?: Readonly<Record<string, (context: ActionContext) => Promise<unknown>>> | undefined;
    readonly never?: Readonly<Record<string, StateCheck>> | undefined;
    readonly eventually?: Readonly<Record<string, StateCheck>> | undefined;
}

// cluster/read-manifests.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
export declare function readManifests(...files: readonly string[]): Promise<KubernetesObject[]>;

// cluster/test-cluster-options.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
import type { FakeApiServerOptions } from "@listwatch/fake-apiserver";
export interface TestClusterOptions {
    readonly account?: string | undefined;
    readonly name?: string | undefined;
    readonly objects?: Iterable<object> | undefined;
    readonly definitions?: Iterable<object> | undefined;
    readonly seed?: number | undefined;
    readonly startMs?: number | undefined;
    readonly replay?: string | Iterable<string> | undefined;
    readonly server?: "real" | Omit<FakeApiServerOptions, "clock" | "crds" | "objects" | "seed"> | undefined;
}
export interface RealClusterOptions extends Pick<TestClusterOptions, "definitions" | "objects" | "seed"> {
    readonly server: "real";
}
export interface FakeClusterOptions extends TestClusterOptions {
    readonly server?: Exclude<TestClusterOptions["server"], "real">;
}
export type ClusterOptions = Omit<FakeClusterOptions, "replay">;
export interface UntilMetOptions {
    readonly timeoutMs?: number | undefined;
}
export declare const optionTable: OptionsOf<TestClusterOptions>;
export declare const realTable: OptionsOf<RealClusterOptions>;
export declare const untilTable: OptionsOf<UntilMetOptions>;
export declare function isReal(options: FakeClusterOptions | RealClusterOptions): options is RealClusterOptions;

// cluster/test-cluster.ts
import { type Client, type Connection, type ResourceReference } from "@listwatch/client";
import type { KubernetesObject, Log, Random } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer, type Recording } from "@listwatch/fake-apiserver";
import { type Manager, type ManagerOptions } from "@listwatch/manager";
import type { ClusterState } from "../simulation/scenario.ts";
import { type ClusterOptions, type FakeClusterOptions, type RealClusterOptions, type UntilMetOptions } from "./test-cluster-options.ts";
import type { RealTestCluster } from "./real-test-cluster.ts";
import { type TestLogLine } from "./test-log.ts";
export declare class TestCluster implements ClusterState, AsyncDisposable {
    #private;
    readonly server: FakeApiServer;
    readonly clock: SimulatedClock;
    readonly connection: Connection;
    readonly client: Client;
    readonly random: Random;
    readonly log: Log;
    readonly lines: readonly TestLogLine[];
    readonly signal: AbortSignal;
    constructor(options: ClusterOptions, recording: Recording | undefined);
    get nowMs(): number;
    list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[];
    get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined;
    run(name: string, start: (signal: AbortSignal) => Promise<unknown>): void;
    manager(options: ManagerOptions): Manager;
    settle(): Promise<void>;
    advance(ms: number): Promise<void>;
    until<R>(condition: (state: ClusterState) => R | Promise<R>, options?: UntilMetOptions): Promise<Exclude<Awaited<R>, false | null | string | undefined>>;
    stop(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
export declare function testCluster(options?: FakeClusterOptions): Promise<TestCluster>;
export declare function testCluster(options: RealClusterOptions): Promise<RealTestCluster>;
export declare function withTestCluster(options: FakeClusterOptions, test: (cluster: TestCluster) => Promise<unknown>): (context?: unknown) => Promise<void>;
export declare function withTestCluster(options: RealClusterOptions, test: (cluster: RealTestCluster) => Promise<unknown>): (context?: unknown) => Promise<void>;

// cluster/real-test-cluster.ts
import { type Client, type Connection } from "@listwatch/client";
import { type Clock, type Log, type Random } from "@listwatch/core-fifo";
import { type Manager, type ManagerOptions } from "@listwatch/manager";
import type { ClusterState } from "../simulation/scenario.ts";
import { type RealServer } from "./real-server.ts";
import { type TestLogLine } from "./test-log.ts";
interface StartOptions {
    readonly objects?: Iterable<object> | undefined;
    readonly definitions?: Iterable<object> | undefined;
    readonly seed?: number | undefined;
}
export declare class RealTestCluster implements AsyncDisposable {
    #private;
    readonly connection: Connection;
    readonly client: Client;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly lines: readonly TestLogLine[];
    readonly signal: AbortSignal;
    constructor(server: RealServer, seed: number);
    get nowMs(): number;
    get server(): never;
    advance(_ms: number): Promise<never>;
    settle(): Promise<never>;
    run(name: string, start: (signal: AbortSignal) => Promise<unknown>): void;
    manager(options: ManagerOptions): Manager;
    until<R>(condition: (state: ClusterState) => R | Promise<R>, { timeoutMs }?: {
        readonly timeoutMs?: number | undefined;
    }): Promise<Exclude<Awaited<R>, false | null | string | undefined>>;
    stop(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
export declare function startRealCluster(options: StartOptions): Promise<RealTestCluster>;
export {};

// cluster/real-server.ts
import type { Fetch } from "@listwatch/fake-apiserver";
export interface RealServer {
    readonly fetch: Fetch;
    stop(): Promise<void>;
}
export declare function startRealServer(): Promise<RealServer>;

// cluster/test-log.ts
import type { Clock, Log, LogFields } from "@listwatch/core-fifo";
export interface TestLogLine {
    readonly atMs: number;
    readonly level: "debug" | "error" | "info" | "warn";
    readonly message: string;
    readonly fields: LogFields | undefined;
}
export declare function createTestLog(clock: Clock): {
    readonly log: Log;
    readonly lines: readonly TestLogLine[];
};

// cluster/test-event-recorder.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
export interface RecordedEvent {
    readonly regarding: KubernetesObject;
    readonly related?: KubernetesObject | undefined;
    readonly type?: string | undefined;
    readonly reason: string;
    readonly action?: string | undefined;
    readonly note?: string | undefined;
}
export declare class TestEventRecorder {
    #private;
    get events(): readonly RecordedEvent[];
    get lines(): readonly string[];
    readonly event: (event: RecordedEvent) => void;
}

// rights/roles.ts
import type { UsedRight } from "./used-right.ts";
export declare function formatRoles(rights: Iterable<UsedRight>): string;

// rights/used-right.ts
import type { FakeApiServer } from "@listwatch/fake-apiserver";
export interface UsedRight {
    readonly account: string;
    readonly test: string;
    readonly verb: string;
    readonly group: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
}
export declare function prepareRecording(server: FakeApiServer, account: string | undefined): void;
export declare function recordRights(server: FakeApiServer, account: string | undefined, test: string): void;

// simulation/errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
import type { Story } from "./story.ts";
export declare class EscapeError extends ListwatchError {
    readonly name: string;
    constructor(called: string);
}
export declare class SimulationError extends ListwatchError {
    readonly name: string;
    readonly invariant: string;
    readonly story: Story;
    readonly test: string;
    readonly timeline: string;
    constructor(failure: {
        readonly scenario: string;
        readonly seed: number;
        readonly firstSeed?: number | undefined;
        readonly invariant: string;
        readonly found: string;
        readonly story: Story;
        readonly timeline: string;
        readonly cause?: unknown;
    });
}

// simulation/story.ts
import type { LoadedScenario } from "./scenario.ts";
export type RequestFault = "reset" | "lost-answer" | "429" | "500" | "503" | "silence" | "slow" | "killed-before" | "killed-after";
export type WatchFault = "watch-reset" | "watch-end" | "watch-silence" | "watch-slow" | "watch-expired" | "watch-killed";
export type WebhookFault = "webhook-reset" | "webhook-500" | "webhook-silence";
export type Fault = RequestFault | WatchFault | WebhookFault;
export type Upset = "kill" | "restart" | "pause" | "server-restart" | "compaction" | "stale-cache" | "clock-skew";
export interface FaultRates {
    readonly requests: Readonly<Record<RequestFault, number>>;
    readonly watches: Readonly<Record<WatchFault, number>>;
    readonly webhooks: Readonly<Record<WebhookFault, number>>;
    readonly upsets: Readonly<Record<Upset, number>>;
}
export declare const noFaults: FaultRates;
export declare const productionFaults: FaultRates;
export interface StoryAction {
    readonly id: number;
    readonly name: string;
    readonly atMs: number;
}
export interface StoryUpset {
    readonly id: number;
    readonly kind: Upset;
    readonly atMs: number;
    readonly replica: number;
}
export interface StoryFault {
    readonly request: string;
    readonly fault: Fault;
}
export interface StoryFocus {
    readonly kind: string;
    readonly fault: Fault;
    readonly skip: number;
}
export interface Story {
    readonly seed: number;
    readonly order: "plain" | "random";
    readonly actions: readonly StoryAction[];
    readonly upsets: readonly StoryUpset[];
    readonly faults?: readonly StoryFault[] | undefined;
    readonly focus?: StoryFocus | undefined;
    readonly objects?: readonly number[] | undefined;
    readonly options?: StoryOptions | undefined;
}
export interface StoryOptions {
    readonly faults?: "none" | "production" | undefined;
    readonly chaosMs?: number | undefined;
    readonly convergeMs?: number | undefined;
    readonly quietMs?: number | undefined;
    readonly isolate?: boolean | undefined;
}
export declare function storyOf(scenario: LoadedScenario, rates: FaultRates, seed: number, chaosMs: number): Story;

// simulation/simulate.ts
import type { Scenario } from "./scenario.ts";
import { type Story, type StoryOptions } from "./story.ts";
export interface SimulateOptions extends StoryOptions {
    readonly seeds?: number | undefined;
    readonly firstSeed?: number | undefined;
    readonly folder?: string | undefined;
}
export interface SimulationReport {
    readonly runs: number;
    readonly coverage: Readonly<Record<string, number>>;
    readonly states: Readonly<Record<string, number>>;
    readonly unmet: readonly string[];
    readonly digest: string;
}
export declare function simulate(scenario: Scenario, options?: SimulateOptions): Promise<SimulationReport>;
export declare function replay(scenario: Scenario, story: Story | string, options?: StoryOptions): Promise<string>;
