// index.ts
export { type Clock, InvalidOptionsError, type JsonObject, type Log, } from "@listwatch/core-fifo/base";
export { FakeApiServer } from "./server/fake-api-server.ts";
export type { ControllerName } from "./controllers/controller-name.ts";
export type { PodHook, SimulatedPodStatus } from "./controllers/pod-hook.ts";
export type { FakeApiServerOptions, LimitSettings, ServiceOptions, WatchSettings, } from "./server/options.ts";
export type { WebhookFetch, WebhookSettings } from "./webhooks/webhook-settings.ts";
export type { ApiObject, ApiObjectMeta, StatusDetails } from "./api/api-object.ts";
export type { Fetch, FetchHandler, Verb } from "./api/request.ts";
export type { AccessDecision, AccessRequest, Authorization, UserInfo, UserSettings, } from "./api/access.ts";
export { ApiError, type ApiErrorOptions } from "./api/api-error.ts";
export type { AdmissionMatch, AdmissionObject, AdmissionOperation, AdmissionPatchOperation, AdmissionPlugin, AdmissionRequest, AdmissionVerdict, } from "./admission/admission-plugin.ts";
export type { CompactOptions, CoreSnapshot, EventLogOptions, ExpireMidListOptions, IllegalControl, LoggedEvent, RestartOptions, ServerControl, WatchListMode, } from "./control/server-control.ts";
export type { BodyPosition, CutPosition, EventMatch, FaultAction, IllegalAction, StatusFault, StreamShape, } from "./control/fault-action.ts";
export type { ActiveFault, FaultRule, FaultRules, FaultTiming } from "./control/fault-rules.ts";
export type { MatchableRequest, OneOf, RecordedRequest, RequestMatch, RequestRecorder, } from "./control/requests.ts";
export type { BookmarkSettings, Bookmarks, OpenWatches, WatchControl } from "./control/watches.ts";
export type { BarrierOptions, Barriers } from "./control/barriers.ts";
export type { FrontEnd, FrontEnds } from "./control/front-ends.ts";
export type { LoggedContainer, PodControl, PodLog, PodLogOptions, PodLogRequest, PodLogSource, } from "./control/pods.ts";
export { ConnectionResetError, ControlInputError, UnconsumedFaultsError, } from "./control/control-errors.ts";
export { withControlEndpoints, type ControlledServer, } from "./faults/endpoints/control-endpoints.ts";
export { Replay } from "./recordings/replay.ts";
export type { Divergence, ReplayOptions } from "./recordings/replay-options.ts";
export { readRecording } from "./recordings/recording.ts";
export { RecordingError } from "./recordings/recording-error.ts";
export type { EndLine, ListLine, ObjectLine, RecordedChange, RecordedResource, Recording, RecordingHeader, RecordingLine, } from "./recordings/format.ts";

// server/fake-api-server.ts
import type { FakeApiServerOptions } from "./options.ts";
import type { ServerControl } from "../control/server-control.ts";
import type { Fetch } from "../api/request.ts";
export declare class FakeApiServer {
    #private;
    readonly control: ServerControl;
    constructor(options?: FakeApiServerOptions);
    readonly fetch: Fetch;
}

// server/options.ts
import type { Clock, Log } from "@listwatch/core-fifo/base";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { Authorization, UserSettings } from "../api/access.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ControllerName } from "../controllers/controller-name.ts";
import type { PodHook } from "../controllers/pod-hook.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";
export interface FakeApiServerOptions {
    readonly clock?: Clock | undefined;
    readonly seed?: number | string | undefined;
    readonly firstVersion?: bigint | undefined;
    readonly serverVersion?: string | undefined;
    readonly crds?: Iterable<ApiObject> | undefined;
    readonly objects?: Iterable<ApiObject> | undefined;
    readonly bootstrap?: "full" | "namespaces" | undefined;
    readonly namespaces?: "strict" | "permissive" | undefined;
    readonly namespaceDeletion?: "instant" | "controller" | "never" | undefined;
    readonly podDeletion?: "instant" | "kubelet" | "never" | undefined;
    readonly garbageCollection?: "instant" | "controller" | "never" | undefined;
    readonly controllers?: readonly ControllerName[] | boolean | undefined;
    readonly pods?: PodHook | undefined;
    readonly validation?: "full" | "off" | undefined;
    readonly shardedListAndWatch?: boolean | undefined;
    readonly managedFieldsOptOut?: boolean | undefined;
    readonly users?: Readonly<Record<string, UserSettings>> | undefined;
    readonly authorization?: Authorization | undefined;
    readonly admission?: Iterable<AdmissionPlugin> | undefined;
    readonly webhooks?: WebhookSettings | "ignore" | undefined;
    readonly log?: Log | undefined;
    readonly services?: ServiceOptions | undefined;
    readonly watch?: WatchSettings | undefined;
    readonly limits?: LimitSettings | undefined;
}
export interface ServiceOptions {
    readonly ranges?: readonly string[] | undefined;
    readonly nodePorts?: string | undefined;
}
export interface LimitSettings {
    readonly objectBytes?: number | undefined;
    readonly bodyBytes?: number | undefined;
    readonly historyEvents?: number | undefined;
    readonly historyBytes?: number | undefined;
    readonly totalHistoryBytes?: number | undefined;
}
export interface WatchSettings {
    readonly bookmarkIntervalMs?: number | undefined;
    readonly bufferEvents?: number | undefined;
    readonly bufferBytes?: number | undefined;
}

// admission/admission-plugin.ts
import type { UserInfo } from "../api/access.ts";
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
export interface AdmissionMatch {
    readonly operations?: readonly AdmissionOperation[] | undefined;
    readonly apiGroups?: readonly string[] | undefined;
    readonly resources?: readonly string[] | undefined;
}
export interface AdmissionObject {
    apiVersion?: string | undefined;
    kind?: string | undefined;
    metadata: {
        name?: string | undefined;
        namespace?: string | undefined;
        labels?: Record<string, string> | undefined;
        annotations?: Record<string, string> | undefined;
        [field: string]: unknown;
    };
    [field: string]: unknown;
}
export interface AdmissionRequest {
    readonly uid: string;
    readonly kind: {
        readonly group: string;
        readonly version: string;
        readonly kind: string;
    };
    readonly resource: {
        readonly group: string;
        readonly version: string;
        readonly resource: string;
    };
    readonly subResource: string;
    readonly name: string;
    readonly namespace: string;
    readonly operation: AdmissionOperation;
    readonly userInfo: UserInfo;
    readonly object: AdmissionObject | null;
    readonly oldObject: AdmissionObject | null;
    readonly dryRun: boolean;
    readonly options: Readonly<Record<string, unknown>>;
}
export interface AdmissionPatchOperation {
    readonly op: "add" | "copy" | "move" | "remove" | "replace" | "test";
    readonly path: string;
    readonly from?: string | undefined;
    readonly value?: unknown;
}
export interface AdmissionVerdict {
    readonly allowed: boolean;
    readonly message?: string | undefined;
    readonly code?: number | undefined;
    readonly reason?: string | undefined;
    readonly warnings?: readonly string[] | undefined;
}
export interface AdmissionPlugin {
    readonly name: string;
    readonly match?: AdmissionMatch | undefined;
    mutate?(request: AdmissionRequest): Readonly<Record<string, unknown>> | readonly AdmissionPatchOperation[] | undefined | void;
    validate?(request: AdmissionRequest): AdmissionVerdict | undefined | void;
}

// api/access.ts
export interface UserInfo {
    readonly username: string;
    readonly uid?: string | undefined;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
export interface UserSettings {
    readonly username: string;
    readonly groups?: readonly string[] | undefined;
    readonly uid?: string | undefined;
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
export interface AccessRequest {
    readonly user: UserInfo;
    readonly verb: string;
    readonly isResource: boolean;
    readonly path: string;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
}
export interface AccessDecision {
    readonly allowed: boolean;
    readonly reason?: string | undefined;
}
export type Authorization = "rbac" | ((request: AccessRequest) => boolean | AccessDecision | Promise<boolean | AccessDecision>);

// api/api-object.ts
export interface ApiObject {
    readonly apiVersion?: string | undefined;
    readonly kind?: string | undefined;
    readonly metadata: ApiObjectMeta;
    readonly [field: string]: unknown;
}
export interface ApiObjectMeta {
    readonly name?: string | undefined;
    readonly generateName?: string | undefined;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly generation?: number | undefined;
    readonly creationTimestamp?: string | undefined;
    readonly deletionTimestamp?: string | undefined;
    readonly deletionGracePeriodSeconds?: number | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly finalizers?: readonly string[] | undefined;
    readonly ownerReferences?: readonly unknown[] | undefined;
    readonly [field: string]: unknown;
}
export interface StatusDetails {
    readonly name?: string | undefined;
    readonly group?: string | undefined;
    readonly kind?: string | undefined;
    readonly uid?: string | undefined;
    readonly causes?: readonly {
        readonly reason?: string | undefined;
        readonly message?: string | undefined;
        readonly field?: string | undefined;
    }[] | undefined;
    readonly retryAfterSeconds?: number | undefined;
}

// controllers/controller-name.ts
export type ControllerName = "cronjobs" | "daemonsets" | "deployments" | "endpointslices" | "jobs" | "replicasets" | "replicationcontrollers" | "resourcequotas" | "serviceaccounts" | "statefulsets";
export declare const controllerNames: readonly ControllerName[];

// controllers/pod-hook.ts
import type { ApiObject } from "../api/api-object.ts";
export interface SimulatedPodStatus {
    readonly phase?: string | undefined;
    readonly conditions?: readonly {
        readonly type: string;
        readonly status: string;
        readonly [field: string]: unknown;
    }[] | undefined;
    readonly [field: string]: unknown;
}
export type PodHook = (pod: ApiObject) => SimulatedPodStatus | undefined | Promise<SimulatedPodStatus | undefined>;

// webhooks/webhook-settings.ts
export type WebhookFetch = (request: Request) => Response | Promise<Response>;
export interface WebhookSettings {
    readonly fetch?: WebhookFetch | undefined;
    readonly services?: Readonly<Record<string, string>> | undefined;
}

// control/server-control.ts
import type { ApiObject } from "../api/api-object.ts";
import type { Barriers } from "./barriers.ts";
import type { FaultAction, IllegalAction } from "./fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { PodControl } from "./pods.ts";
import type { RequestMatch, RequestRecorder } from "./requests.ts";
import type { Bookmarks, OpenWatches } from "./watches.ts";
export interface ServerControl {
    readonly faults: FaultRules<FaultAction>;
    readonly watches: OpenWatches;
    readonly recorder: RequestRecorder;
    readonly when: Barriers;
    readonly frontEnds: FrontEnds;
    readonly bookmarks: Bookmarks;
    readonly illegal: IllegalControl;
    readonly pods: PodControl;
    watchList: WatchListMode;
    readonly revision: number;
    eventLog(resource?: string, options?: EventLogOptions): readonly LoggedEvent[];
    advanceRevision(): number;
    compact(options?: CompactOptions): void;
    watchFloor(resource: string, revision: number): void;
    expireMidList(options?: ExpireMidListOptions): void;
    snapshot(): CoreSnapshot;
    restore(snapshot: CoreSnapshot, mode?: "continue" | "rollback"): void;
    unready(resource: string, ms: number): void;
    restart(options?: RestartOptions): void;
    shutdown(): void;
    start(): void;
}
export type WatchListMode = "supported" | "refused" | "ignored";
export interface IllegalControl {
    readonly faults: FaultRules<IllegalAction>;
    staleReads: boolean;
}
export interface LoggedEvent {
    readonly revision: number;
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
    readonly object: ApiObject;
}
export interface CoreSnapshot {
    readonly revision: number;
}
export interface EventLogOptions {
    readonly after?: number | undefined;
}
export interface CompactOptions {
    readonly to?: number | undefined;
    readonly watches?: boolean | undefined;
}
export interface ExpireMidListOptions {
    readonly match?: RequestMatch | undefined;
    readonly pages?: number | undefined;
}
export interface RestartOptions {
    readonly unreadyMs?: number | undefined;
}

// control/barriers.ts
import type { RequestMatch } from "./requests.ts";
export interface BarrierOptions {
    readonly signal?: AbortSignal | undefined;
    readonly count?: number | undefined;
}
export interface Barriers {
    watchOpen(match?: RequestMatch, options?: BarrierOptions): Promise<void>;
    watchesClosed(match?: RequestMatch, options?: Omit<BarrierOptions, "count">): Promise<void>;
    listServed(match?: RequestMatch, options?: BarrierOptions): Promise<void>;
    requestServed(match?: RequestMatch, options?: BarrierOptions): Promise<void>;
    allWatchersAt(revision?: number, match?: RequestMatch, options?: Omit<BarrierOptions, "count">): Promise<void>;
    idle(options?: Omit<BarrierOptions, "count">): Promise<void>;
}

// control/requests.ts
import type { Verb } from "../api/request.ts";
export type OneOf<T extends string> = T | readonly T[];
export interface RequestMatch {
    readonly method?: OneOf<string> | undefined;
    readonly path?: OneOf<string> | undefined;
    readonly verb?: OneOf<Verb> | undefined;
    readonly group?: OneOf<string> | undefined;
    readonly resource?: OneOf<string> | undefined;
    readonly subresource?: OneOf<string> | undefined;
    readonly namespace?: OneOf<string> | undefined;
    readonly name?: OneOf<string> | undefined;
    readonly userAgent?: string | undefined;
    readonly headers?: Readonly<Record<string, string | null>> | undefined;
    readonly query?: Readonly<Record<string, string | null>> | undefined;
}
export interface MatchableRequest {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: Headers;
    readonly verb: Verb;
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
}
export interface RecordedRequest extends MatchableRequest {
    readonly id: number;
    readonly time: number;
    readonly search: string;
    readonly version: string;
    readonly body: string | undefined;
    readonly status: number | undefined;
    readonly watchId: string | undefined;
}
export interface RequestRecorder {
    limit: number;
    readonly count: number;
    list(match?: RequestMatch): readonly RecordedRequest[];
    clear(): void;
}

// api/request.ts
export interface FetchHandler {
    fetch(request: Request): Promise<Response>;
}
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection" | "";

// control/fault-action.ts
import type { StatusDetails } from "../api/api-object.ts";
export type FaultAction = {
    readonly type: "status";
    readonly status: StatusFault;
} | {
    readonly type: "respond";
    readonly status: number;
    readonly body?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
} | {
    readonly type: "reset";
} | {
    readonly type: "blackhole";
} | {
    readonly type: "commitThenFail";
    readonly with?: "reset" | StatusFault | undefined;
} | {
    readonly type: "latency";
    readonly ms: number | readonly [least: number, most: number];
} | {
    readonly type: "compact";
} | {
    readonly type: "headers";
    readonly set: Readonly<Record<string, string>>;
} | {
    readonly type: "end";
    readonly after?: BodyPosition | undefined;
} | {
    readonly type: "resetBody";
    readonly after?: BodyPosition | undefined;
} | {
    readonly type: "truncate";
    readonly at: CutPosition;
    readonly after?: BodyPosition | undefined;
} | {
    readonly type: "stall";
    readonly after?: BodyPosition | undefined;
} | {
    readonly type: "slow";
    readonly bytesPerSecond: number;
    readonly after?: BodyPosition | undefined;
} | {
    readonly type: "split";
    readonly shape: StreamShape;
} | {
    readonly type: "delayEvents";
    readonly ms: number;
    readonly match?: EventMatch | undefined;
} | {
    readonly type: "errorEvent";
    readonly status: StatusFault;
    readonly after?: BodyPosition | undefined;
};
export type IllegalAction = {
    readonly type: "duplicateEvents";
    readonly match?: EventMatch | undefined;
} | {
    readonly type: "reorderEvents";
    readonly match?: EventMatch | undefined;
} | {
    readonly type: "regressRevision";
    readonly by: number;
    readonly match?: EventMatch | undefined;
} | {
    readonly type: "dropEvents";
    readonly match?: EventMatch | undefined;
} | {
    readonly type: "earlyInitialEnd";
};
export interface StatusFault {
    readonly code: number;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly details?: StatusDetails | undefined;
    readonly retryAfterSeconds?: number | undefined;
}
export interface BodyPosition {
    readonly events?: number | undefined;
    readonly bytes?: number | undefined;
}
export interface CutPosition {
    readonly afterBytes?: number | undefined;
    readonly inside?: "line" | "character" | undefined;
    readonly then?: "end" | "reset" | undefined;
}
export interface StreamShape {
    readonly bytes?: number | undefined;
    readonly events?: number | undefined;
    readonly crlf?: boolean | undefined;
    readonly padTo?: number | undefined;
}
export interface EventMatch {
    readonly type?: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" | undefined;
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
}

// control/fault-rules.ts
import type { RequestMatch } from "./requests.ts";
export interface FaultRule<Action> {
    readonly name?: string | undefined;
    readonly match?: RequestMatch | undefined;
    readonly when?: FaultTiming | undefined;
    readonly action: Action;
    readonly times?: number | undefined;
}
export interface FaultTiming {
    readonly nth?: number | readonly number[] | undefined;
    readonly skip?: number | undefined;
    readonly probability?: number | undefined;
    readonly condition?: (() => boolean) | undefined;
}
export interface ActiveFault {
    readonly name: string;
    readonly matched: number;
    readonly fired: number;
    readonly consumed: boolean;
    remove(): void;
}
export interface FaultRules<Action> {
    readonly isEmpty: boolean;
    add(rule: FaultRule<Action>): ActiveFault;
    list(): readonly ActiveFault[];
    clear(): void;
    assertConsumed(): void;
}

// control/front-ends.ts
import type { MatchableRequest } from "./requests.ts";
export interface FrontEnds {
    at(index: number): FrontEnd;
    route(to: number | ((request: MatchableRequest) => number)): void;
}
export interface FrontEnd {
    lag(revisions: number, resource?: string): void;
    freeze(resource?: string): void;
    catchUp(): void;
    watchFloor(resource: string, revision: number): void;
    revision(resource: string): number;
}

// control/pods.ts
import type { ApiObject } from "../api/api-object.ts";
export interface PodControl {
    log(source: PodLogSource): void;
    setLog(container: LoggedContainer, text: string): void;
}
export interface LoggedContainer {
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly container?: string | undefined;
}
export type PodLogSource = (request: PodLogRequest) => PodLog | Promise<PodLog>;
export type PodLog = string | ReadableStream<Uint8Array>;
export interface PodLogRequest {
    readonly pod: ApiObject;
    readonly container: string;
    readonly options: PodLogOptions;
    readonly signal: AbortSignal;
}
export interface PodLogOptions {
    readonly follow: boolean;
    readonly previous: boolean;
    readonly timestamps: boolean;
    readonly sinceSeconds?: number | undefined;
    readonly sinceTime?: string | undefined;
    readonly tailLines?: number | undefined;
    readonly limitBytes?: number | undefined;
}

// control/watches.ts
import type { CutPosition, EventMatch, StatusFault, StreamShape } from "./fault-action.ts";
import type { MatchableRequest, RequestMatch } from "./requests.ts";
export interface OpenWatches {
    list(match?: RequestMatch): readonly WatchControl[];
    get(id: string): WatchControl | undefined;
    end(match?: RequestMatch): void;
    reset(match?: RequestMatch): void;
}
export interface WatchControl {
    readonly id: string;
    readonly request: MatchableRequest;
    readonly resource: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly startRevision: number;
    readonly sentRevision: number;
    readonly bytes: number;
    readonly open: boolean;
    readonly stalled: boolean;
    isAt(revision: number): boolean;
    end(): void;
    reset(): void;
    stall(): void;
    resume(): void;
    truncate(position?: CutPosition): void;
    split(shape: StreamShape): void;
    slow(bytesPerSecond: number): void;
    hold(match?: EventMatch): void;
    release(): void;
    sendError(status: StatusFault): void;
}
export interface Bookmarks {
    readonly settings: BookmarkSettings;
    set(settings: BookmarkSettings): void;
}
export interface BookmarkSettings {
    readonly everyMs?: number | undefined;
    readonly suppress?: boolean | undefined;
    readonly afterEvents?: number | undefined;
    readonly initialEnd?: "sent" | "never" | undefined;
}

// api/api-error.ts
import type { StatusDetails } from "./api-object.ts";
export interface ApiErrorOptions {
    readonly code: number;
    readonly reason?: string | undefined;
    readonly message: string;
    readonly details?: StatusDetails | undefined;
    readonly continueToken?: string | undefined;
    readonly noSniff?: boolean | undefined;
}
export declare class ApiError extends Error {
    readonly name: string;
    readonly code: number;
    readonly reason: string | undefined;
    readonly details: StatusDetails | undefined;
    readonly continueToken: string | undefined;
    readonly noSniff: boolean;
    constructor(options: ApiErrorOptions);
}

// control/control-errors.ts
import type { ActiveFault } from "./fault-rules.ts";
export declare class ControlInputError extends RangeError {
    readonly name: string;
    readonly code: "LW_INVALID_CONTROL";
}
export declare class UnconsumedFaultsError extends Error {
    readonly name: string;
    readonly code: "LW_UNCONSUMED_FAULTS";
    readonly faults: readonly ActiveFault[];
    constructor(faults: readonly ActiveFault[], texts: readonly string[]);
}
export declare class ConnectionResetError extends TypeError {
    readonly name: string;
    readonly code: "ECONNRESET";
    constructor(message?: string);
}

// faults/endpoints/control-endpoints.ts
import type { Fetch, FetchHandler } from "../../api/request.ts";
import type { ServerControl } from "../../control/server-control.ts";
export interface ControlledServer extends FetchHandler {
    readonly control: ServerControl;
}
export declare function withControlEndpoints(server: ControlledServer, options?: {
    readonly token?: string | undefined;
}): {
    readonly fetch: Fetch;
};

// recordings/replay.ts
import type { Fetch, FetchHandler } from "../api/request.ts";
import type { FakeApiServer } from "../server/fake-api-server.ts";
import type { Recording } from "./format.ts";
import type { ReplayOptions } from "./replay-options.ts";
export declare class Replay implements FetchHandler {
    #private;
    constructor(server: FakeApiServer, recording: Recording, options?: ReplayOptions);
    get divergences(): number;
    readonly fetch: Fetch;
    load(): Promise<void>;
    run(signal?: AbortSignal): Promise<void>;
}

// recordings/format.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
export interface RecordedResource {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly kind: string;
    readonly namespaced: boolean;
}
export interface RecordingHeader {
    readonly recording: number;
    readonly startedAt: string;
    readonly resources: readonly RecordedResource[];
    readonly includes: readonly string[];
    readonly hashedNames: boolean;
}
export interface ListLine {
    readonly at: number;
    readonly type: "LIST";
    readonly resource: number;
    readonly items: number;
    readonly resourceVersion: string;
}
export interface ObjectLine {
    readonly at: number;
    readonly type: "LISTED" | "ADDED" | "MODIFIED" | "DELETED";
    readonly resource: number;
    readonly object: JsonObject;
    readonly omitted?: Readonly<Record<string, number>> | undefined;
}
export interface EndLine {
    readonly at: number;
    readonly type: "END";
}
export type RecordingLine = ListLine | ObjectLine | EndLine;
export interface RecordedChange {
    readonly at: number;
    readonly type: ObjectLine["type"];
    readonly resource: string;
    readonly key: string;
    readonly object: JsonObject | undefined;
}
export interface Recording {
    readonly header: RecordingHeader;
    readonly lines: AsyncIterable<RecordingLine>;
    readonly changes: AsyncIterable<RecordedChange>;
    moment(text: string): number;
}

// recordings/replay-options.ts
import type { JsonObject, Log } from "@listwatch/core-fifo/base";
export interface ReplayOptions {
    readonly at?: string | undefined;
    readonly speed?: number | undefined;
    readonly writes?: "apply" | "refuse" | undefined;
    readonly onDivergence?: ((divergence: Divergence) => void) | undefined;
    readonly log?: Log | undefined;
}
export interface Divergence {
    readonly at: number;
    readonly resource: string;
    readonly key: string;
    readonly recorded: JsonObject | undefined;
    readonly stored: JsonObject | undefined;
}

// recordings/recording.ts
import type { Recording } from "./format.ts";
export declare function readRecording(texts: AsyncIterable<string> | Iterable<string>): Promise<Recording>;

// recordings/recording-error.ts
export declare class RecordingError extends Error {
    readonly name: string;
    readonly code = "LW_RECORDING";
    readonly line: number;
    constructor(line: number, message: string, options?: ErrorOptions);
}

// adapters/node.ts
import type { FetchHandler } from "../api/request.ts";
import { type Listener, type ListenOptions } from "./listening.ts";
export type { FetchHandler } from "../api/request.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export declare function listen(server: FetchHandler, options?: ListenOptions): Promise<Listener>;

// adapters/listening.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface ListenOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly cors?: readonly string[] | undefined;
    readonly tls?: boolean | undefined;
}
export declare const listenTable: OptionsOf<ListenOptions>;
export interface ListenerTls {
    readonly authority: string;
    issueClientCertificate(user?: {
        readonly username: string;
        readonly groups?: readonly string[] | undefined;
    }): Promise<{
        readonly certificate: string;
        readonly key: string;
    }>;
}
export interface Listener {
    readonly url: string;
    readonly port: number;
    readonly tls: ListenerTls | undefined;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// adapters/deno.ts
import type { FetchHandler } from "../api/request.ts";
import { type Listener, type ListenOptions } from "./listening.ts";
export type { FetchHandler } from "../api/request.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export declare function listen(server: FetchHandler, options?: ListenOptions): Promise<Listener>;

// adapters/bun.ts
export type { FetchHandler } from "../api/request.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export { listen } from "./node.ts";

// adapters/node-command.ts
export declare function runCommand(name: string, args: readonly string[]): Promise<void>;

// yaml.ts
export { readYaml, type ReadYamlOptions } from "./input/read-yaml.ts";

// input/read-yaml.ts
export interface ReadYamlOptions {
    readonly numbersAsText?: boolean | undefined;
}
export declare function readYaml(text: string, options?: ReadYamlOptions): Generator<unknown, void>;
