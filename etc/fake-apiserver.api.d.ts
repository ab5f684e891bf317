// index.ts
export { type Clock, InvalidOptionsError } from "@listwatch/core-fifo/base";
export * from "./faults/index.ts";
export { FakeApiServer, type FakeApiServerOptions } from "./server/fake-api-server.ts";
export type { ApiObject, ApiObjectMeta } from "./api/resource-definition.ts";
export { ApiError, type ApiErrorOptions, type StatusCause, type StatusDetails, } from "./api/api-error.ts";

// faults/index.ts
export type { WaitOptions, Barriers } from "./control/barriers.ts";
export type { BookmarkPolicy, BookmarkSettings } from "./control/bookmark-policy.ts";
export { ControlInputError } from "./inputs/control-input-error.ts";
export { ConnectionResetError } from "./stream/connection-reset-error.ts";
export { withControlEndpoints, type ControlledServer } from "./endpoints/control-endpoints.ts";
export type { WatchListMode } from "./control/control-hooks.ts";
export type { CompactOptions, ServerControl, ExpireMidListOptions, RestartOptions, } from "./control/server-control.ts";
export type { CoreSnapshot, LoggedEvent } from "./control/controlled-core.ts";
export type { AnswerAction, BeforeAction, BodyAction, BodyPosition, FaultAction, IllegalAction, LostAnswerAction, } from "./fault-action.ts";
export type { ActiveFault, FaultRule, FaultRules, FaultTiming } from "./control/fault-rules.ts";
export { UnconsumedFaultsError } from "./control/fault-rules.ts";
export type { IllegalControl } from "./control/illegal-control.ts";
export type { FrontEnd } from "./control/front-end.ts";
export type { FrontEnds } from "./control/front-ends.ts";
export type { MatchableRequest, OneOf, RequestMatch } from "./inputs/request-match.ts";
export type { RecordedRequest, RequestRecorder } from "./control/request-recorder.ts";
export type { StatusFault } from "./inputs/status-fault.ts";
export type { CutPosition, StreamShape } from "./inputs/stream-shape.ts";
export type { EventMatch, WatchControl } from "./control/watch-control.ts";
export type { WatchRegistry } from "./control/watch-registry.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";

// faults/control/barriers.ts
import type { RequestRecorder } from "./request-recorder.ts";
import type { RequestMatch } from "../inputs/request-match.ts";
import type { WatchRegistry } from "./watch-registry.ts";
export interface WaitOptions {
    readonly signal?: AbortSignal;
    readonly count?: number;
}
export interface BarrierState {
    readonly watches: WatchRegistry;
    readonly recorder: RequestRecorder;
    readonly requestsInFlight: number;
    currentRevision(): number;
}
export declare class Barriers {
    #private;
    constructor(state: BarrierState);
    watchOpen(match?: RequestMatch, options?: WaitOptions): Promise<void>;
    watchesClosed(match?: RequestMatch, options?: Omit<WaitOptions, "count">): Promise<void>;
    listServed(match?: RequestMatch, options?: WaitOptions): Promise<void>;
    requestServed(match?: RequestMatch, options?: WaitOptions): Promise<void>;
    allWatchersAt(revision?: number, match?: RequestMatch, options?: Omit<WaitOptions, "count">): Promise<void>;
    idle(options?: Omit<WaitOptions, "count">): Promise<void>;
    check(): void;
}

// faults/control/request-recorder.ts
import type { RequestInfo, Verb } from "../../input/request-info.ts";
import { type RequestMatch } from "../inputs/request-match.ts";
export interface RecordedRequest {
    readonly id: number;
    readonly time: number;
    readonly method: string;
    readonly path: string;
    readonly search: string;
    readonly query: URLSearchParams;
    readonly headers: Headers;
    readonly verb: Verb;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    readonly body: string | undefined;
    readonly status: number | undefined;
    readonly watchId: string | undefined;
}
export type RequestRecord = {
    -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key];
};
export declare class RequestRecorder {
    #private;
    limit: number;
    get count(): number;
    list(match?: RequestMatch): readonly RecordedRequest[];
    clear(): void;
    begin(info: RequestInfo, time: number): RequestRecord;
    bodyRead(record: RequestRecord, text: string): void;
}

// input/request-info.ts
export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection" | "";
export interface RequestInfo {
    readonly request: Request;
    readonly method: string;
    readonly path: string;
    readonly search: string;
    readonly query: URLSearchParams;
    readonly isResource: boolean;
    readonly verb: Verb;
    readonly group: string;
    readonly version: string;
    readonly namespace: string;
    readonly resource: string;
    readonly name: string;
    readonly subresource: string;
    readonly rest: readonly string[];
}
export declare function isSet(query: URLSearchParams, name: string): boolean;
export declare function parseRequestInfo(request: Request): RequestInfo;

// faults/inputs/request-match.ts
import type { Verb } from "../../input/request-info.ts";
export type OneOf<T extends string> = T | readonly T[];
export interface RequestMatch {
    readonly method?: OneOf<string>;
    readonly path?: OneOf<string>;
    readonly verb?: OneOf<Verb>;
    readonly group?: OneOf<string>;
    readonly resource?: OneOf<string>;
    readonly subresource?: OneOf<string>;
    readonly namespace?: OneOf<string>;
    readonly name?: OneOf<string>;
    readonly userAgent?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | null>>;
}
export interface MatchableRequest {
    readonly method: string;
    readonly path: string;
    readonly verb: Verb;
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    readonly headers: Headers;
    readonly query: URLSearchParams;
}
export declare function matchesRequest(match: RequestMatch, request: MatchableRequest): boolean;

// faults/control/watch-registry.ts
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { FrontEnd } from "./front-end.ts";
import { type RequestMatch } from "../inputs/request-match.ts";
import type { WatchControl } from "./watch-control.ts";
export interface OpenWatch {
    readonly watch: WatchControl;
    readonly stream: ControlledStream;
    readonly frontEnd: FrontEnd;
}
export declare class WatchRegistry {
    #private;
    list(match?: RequestMatch): readonly WatchControl[];
    get(id: string): WatchControl | undefined;
    end(match?: RequestMatch): void;
    reset(match?: RequestMatch): void;
    nextId(): string;
    add(open: OpenWatch, bookmarks: BookmarkPolicy): void;
    remove(id: string): void;
    policiesChanged(bookmarks: BookmarkPolicy): void;
    wakeGated(): void;
}

// faults/control/bookmark-policy.ts
import type { LineFilter } from "../stream/controlled-stream.ts";
export interface BookmarkSettings {
    readonly everyMs?: number;
    readonly suppress?: boolean;
    readonly afterEvents?: number;
    readonly initialEnd?: "sent" | "never";
}
export declare class BookmarkPolicy {
    #private;
    constructor(changed: () => void);
    get settings(): BookmarkSettings;
    set(settings: BookmarkSettings): void;
    get needsFilter(): boolean;
    filter(): LineFilter;
}

// faults/stream/controlled-stream.ts
import type { Clock } from "@listwatch/core-fifo/base";
import { type EventLine } from "./event-line.ts";
import { type CutPosition, type StreamShape } from "../inputs/stream-shape.ts";
export type LineFilter = (line: EventLine) => readonly EventLine[];
export type LineGate = (line: EventLine) => boolean;
export interface StreamObserver {
    progressed(): void;
    ended(): void;
}
export declare class ControlledStream {
    #private;
    readonly readable: ReadableStream<Uint8Array>;
    constructor(source: ReadableStream<Uint8Array>, clock: Clock, observer: StreamObserver);
    get bytes(): number;
    get stalled(): boolean;
    get hasEnded(): boolean;
    get isDrained(): boolean;
    end(): void;
    fail(reason: unknown): void;
    reset(): void;
    stall(): void;
    resume(): void;
    cutAt(position: CutPosition): void;
    slow(bytesPerSecond: number): void;
    reshape(shape: StreamShape): void;
    addFilter(filter: LineFilter): void;
    addGate(gate: LineGate): () => void;
    addTrigger(trigger: StreamTrigger): void;
    inject(line: EventLine): void;
    sourceClosed(): void;
    wake(): void;
}
export interface StreamTrigger {
    readonly events: number;
    readonly bytes: number;
    readonly fire: () => void;
}

// faults/stream/event-line.ts
import { type JsonObject } from "@listwatch/core-fifo/base";
export declare class EventLine {
    #private;
    readonly bytes: Uint8Array;
    constructor(bytes: Uint8Array);
    static of(type: string, object: JsonObject): EventLine;
    get type(): string;
    get object(): JsonObject;
    get metadata(): JsonObject;
    get revision(): number;
    get isInitialEnd(): boolean;
}
export declare function splitLines(chunk: Uint8Array): EventLine[];

// faults/inputs/stream-shape.ts
export interface StreamShape {
    readonly bytes?: number;
    readonly events?: number;
    readonly crlf?: boolean;
    readonly padTo?: number;
}
export interface CutPosition {
    readonly afterBytes?: number;
    readonly inside?: "line" | "character";
    readonly then?: "end" | "reset";
}
export declare function shapeChunks(chunk: Uint8Array, shape: StreamShape): readonly Uint8Array[];
export declare function cutPosition(piece: Uint8Array, cut: CutPosition): number | undefined;

// faults/control/front-end.ts
import type { CacheView } from "./control-hooks.ts";
export interface FrontEndState {
    currentRevision(): number;
    changed(): void;
}
export declare class FrontEnd {
    #private;
    constructor(state: FrontEndState);
    lag(revisions: number, resource?: string): void;
    freeze(resource?: string): void;
    catchUp(): void;
    watchFloor(resource: string, revision: number): void;
    revision(resource: string): number;
    view(resource: string, staleReads: boolean): CacheView | undefined;
    get isBehind(): boolean;
}

// faults/control/control-hooks.ts
import type { RequestInfo } from "../../input/request-info.ts";
import type { WatchPort, WatchRegistration } from "./watch-port.ts";
export interface CacheView {
    readonly revision: number;
    readonly watchFloor: number;
    readonly staleReads: boolean;
}
export type WatchListMode = "supported" | "refused" | "ignored";
export interface Exchange {
    intercept(): Promise<Response | undefined> | undefined;
    bodyRead(text: string): void;
    watchOpened(port: WatchPort): WatchRegistration;
    respond(response: Response): Response | Promise<Response>;
    abandoned(): void;
    readonly cacheView: CacheView | undefined;
    readonly watchList: WatchListMode;
    readonly bookmarkIntervalMs: number | undefined;
}
export interface ControlHooks {
    begin(info: RequestInfo): Exchange;
    committed(revision: number): void;
}

// faults/control/watch-port.ts
export interface WatchPort {
    readonly startRevision: number;
    readonly sentRevision: number;
    readonly caughtUpRevision: number;
}
export interface WatchRegistration {
    closed(): void;
}

// faults/control/watch-control.ts
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { EventLine } from "../stream/event-line.ts";
import type { MatchableRequest } from "../inputs/request-match.ts";
import { type StatusFault } from "../inputs/status-fault.ts";
import type { CutPosition, StreamShape } from "../inputs/stream-shape.ts";
import type { WatchPort } from "./watch-port.ts";
export interface EventMatch {
    readonly type?: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
    readonly namespace?: string;
    readonly name?: string;
}
export declare class WatchControl {
    #private;
    readonly id: string;
    readonly request: MatchableRequest;
    constructor(id: string, request: MatchableRequest, port: WatchPort, stream: ControlledStream);
    get resource(): string;
    get parameters(): Readonly<Record<string, string>>;
    get startRevision(): number;
    get sentRevision(): number;
    get bytes(): number;
    get open(): boolean;
    get stalled(): boolean;
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
export declare function matchesEvent(match: EventMatch, line: EventLine): boolean;

// faults/inputs/status-fault.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { StatusDetails } from "../../api/api-error.ts";
export interface StatusFault {
    readonly code: number;
    readonly reason?: string;
    readonly message?: string;
    readonly details?: StatusDetails;
    readonly retryAfterSeconds?: number;
}
export interface StatusSubject {
    readonly group: string;
    readonly resource: string;
    readonly name: string;
}
export declare function statusObject(fault: StatusFault, subject?: StatusSubject): JsonObject;
export declare function statusResponse(fault: StatusFault, subject?: StatusSubject): Response;

// api/api-error.ts
export interface StatusDetails {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
}
export interface StatusCause {
    readonly reason?: string;
    readonly message?: string;
    readonly field?: string;
}
export interface ApiErrorOptions {
    readonly code: number;
    readonly reason?: string;
    readonly message: string;
    readonly details?: StatusDetails;
    readonly continueToken?: string;
}
export declare class ApiError extends Error {
    readonly name: string;
    readonly code: number;
    readonly reason: string | undefined;
    readonly details: StatusDetails | undefined;
    readonly continueToken: string | undefined;
    constructor(options: ApiErrorOptions);
}

// faults/inputs/control-input-error.ts
export declare class ControlInputError extends RangeError {
    readonly name: string;
    readonly code: "LW_INVALID_CONTROL";
}
export declare function demand(isFine: boolean, field: string, expected: string, value: unknown): void;
export declare function demandInteger(value: number, least: number, field: string): void;
export declare function demandMilliseconds(value: number, field: string): void;

// faults/stream/connection-reset-error.ts
export declare class ConnectionResetError extends TypeError {
    readonly name: string;
    readonly code: "ECONNRESET";
    constructor(message?: string);
}

// faults/endpoints/control-endpoints.ts
import type { FetchHandler } from "../../api/fetch-handler.ts";
import type { ServerControl } from "../control/server-control.ts";
export interface ControlledServer extends FetchHandler {
    readonly control: ServerControl;
}
export declare function withControlEndpoints(server: ControlledServer): FetchHandler;

// api/fetch-handler.ts
export interface FetchHandler {
    fetch(request: Request): Promise<Response>;
}

// faults/control/server-control.ts
import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { WatchListMode } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { CoreSnapshot, LoggedEvent } from "./controlled-core.ts";
import type { FaultAction } from "../fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";
import { IllegalControl } from "./illegal-control.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { RequestMatch } from "../inputs/request-match.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";
export declare class ServerControl {
    #private;
    readonly faults: FaultRules<FaultAction>;
    readonly watches: WatchRegistry;
    readonly recorder: RequestRecorder;
    readonly when: Barriers;
    readonly frontEnds: FrontEnds;
    readonly bookmarks: BookmarkPolicy;
    readonly illegal: IllegalControl;
    constructor(state: ControlState);
    get revision(): number;
    get watchList(): WatchListMode;
    set watchList(mode: WatchListMode);
    eventLog(resource?: string): readonly LoggedEvent[];
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
export interface CompactOptions {
    readonly to?: number;
    readonly watches?: boolean;
}
export interface ExpireMidListOptions {
    readonly match?: RequestMatch;
    readonly pages?: number;
}
export interface RestartOptions {
    readonly unreadyMs?: number;
}

// faults/control/control-state.ts
import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { WatchListMode } from "./control-hooks.ts";
import type { ControlledCore } from "./controlled-core.ts";
import type { FaultAction, IllegalAction } from "../fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { Outages } from "./outages.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";
interface ControlSettings {
    watchList: WatchListMode;
    staleReads: boolean;
}
export interface ControlState {
    readonly core: ControlledCore;
    readonly recorder: RequestRecorder;
    readonly watches: WatchRegistry;
    readonly barriers: Barriers;
    readonly faults: FaultRules<FaultAction>;
    readonly illegal: FaultRules<IllegalAction>;
    readonly frontEnds: FrontEnds;
    readonly bookmarks: BookmarkPolicy;
    readonly outages: Outages;
    readonly settings: ControlSettings;
    requestsInFlight: number;
}
export {};

// faults/control/controlled-core.ts
import type { Clock } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../api/resource-definition.ts";
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
export interface CompactionOptions {
    readonly watches: boolean;
}
export interface ControlledCore {
    readonly clock: Clock;
    random(): number;
    currentRevision(): number;
    advanceRevision(): number;
    compact(revision: number, options: CompactionOptions): void;
    setWatchFloor(resource: string, revision: number): void;
    eventLog(resource?: string): readonly LoggedEvent[];
    snapshot(): CoreSnapshot;
    restore(snapshot: CoreSnapshot, mode: "continue" | "rollback"): void;
}

// api/resource-definition.ts
import type { JsonSchema } from "./json-schema.ts";
export interface PrinterColumn {
    readonly name: string;
    readonly type: string;
    readonly format: string;
    readonly description: string;
    readonly priority: number;
    readonly cell: string | ((object: ApiObject, now: number) => TableCell);
}
export type TableCell = string | number | boolean | null;
export interface ScalePaths {
    readonly specReplicas: string;
    readonly statusReplicas: string;
    readonly labelSelector?: string;
}
export interface ServedVersion {
    readonly name: string;
    readonly deprecated: boolean;
    readonly deprecationWarning?: string;
    readonly schema?: JsonSchema;
    readonly columns: readonly PrinterColumn[];
    readonly selectableFields: readonly string[];
    readonly status: boolean;
    readonly scale?: ScalePaths;
}
export interface StoredAs {
    readonly group: string;
    readonly plural: string;
    readonly toStored: (object: ApiObject) => ApiObject;
    readonly fromStored: (object: ApiObject) => ApiObject;
    readonly storedField: (path: string) => string;
}
export interface ResourceDefinition {
    readonly group: string;
    readonly plural: string;
    readonly singular: string;
    readonly kind: string;
    readonly listKind: string;
    readonly shortNames: readonly string[];
    readonly categories: readonly string[];
    readonly namespaced: boolean;
    readonly custom: boolean;
    readonly versions: readonly ServedVersion[];
    readonly storageVersion: string;
    readonly storedAs?: StoredAs;
    readonly unconditionalUpdate: boolean;
    readonly createOnUpdate: boolean;
    readonly hasGeneration: boolean;
    readonly returnsDeletedObject: boolean;
    readonly graceful: boolean;
}
export interface ApiObject {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata: ApiObjectMeta;
    readonly [field: string]: unknown;
}
export interface ApiObjectMeta {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly unknown[];
    readonly [field: string]: unknown;
}

// api/json-schema.ts
export interface JsonSchema {
    readonly type?: string;
    readonly format?: string;
    readonly description?: string;
    readonly title?: string;
    readonly default?: unknown;
    readonly nullable?: boolean;
    readonly enum?: readonly unknown[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly additionalProperties?: JsonSchema | boolean;
    readonly items?: JsonSchema;
    readonly required?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly exclusiveMinimum?: boolean;
    readonly exclusiveMaximum?: boolean;
    readonly multipleOf?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly uniqueItems?: boolean;
    readonly minProperties?: number;
    readonly maxProperties?: number;
    readonly allOf?: readonly JsonSchema[];
    readonly anyOf?: readonly JsonSchema[];
    readonly oneOf?: readonly JsonSchema[];
    readonly not?: JsonSchema;
    readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
    readonly "x-kubernetes-embedded-resource"?: boolean;
    readonly "x-kubernetes-int-or-string"?: boolean;
    readonly "x-kubernetes-list-type"?: string;
    readonly "x-kubernetes-list-map-keys"?: readonly string[];
    readonly "x-kubernetes-map-type"?: string;
    readonly "x-kubernetes-validations"?: readonly unknown[];
}

// faults/fault-action.ts
import type { StatusFault } from "./inputs/status-fault.ts";
import type { CutPosition, StreamShape } from "./inputs/stream-shape.ts";
import type { EventMatch } from "./control/watch-control.ts";
export type AnswerAction = {
    readonly type: "status";
    readonly status: StatusFault;
} | {
    readonly type: "respond";
    readonly status: number;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
} | {
    readonly type: "reset";
} | {
    readonly type: "blackhole";
};
export interface LostAnswerAction {
    readonly type: "commitThenFail";
    readonly with?: "reset" | StatusFault;
}
export type BeforeAction = {
    readonly type: "latency";
    readonly ms: number | readonly [least: number, most: number];
} | {
    readonly type: "compact";
} | {
    readonly type: "headers";
    readonly set: Readonly<Record<string, string>>;
};
export interface BodyPosition {
    readonly events?: number;
    readonly bytes?: number;
}
export type BodyAction = {
    readonly type: "end";
    readonly after?: BodyPosition;
} | {
    readonly type: "resetBody";
    readonly after?: BodyPosition;
} | {
    readonly type: "truncate";
    readonly at: CutPosition;
    readonly after?: BodyPosition;
} | {
    readonly type: "stall";
    readonly after?: BodyPosition;
} | {
    readonly type: "slow";
    readonly bytesPerSecond: number;
    readonly after?: BodyPosition;
} | {
    readonly type: "split";
    readonly shape: StreamShape;
} | {
    readonly type: "delayEvents";
    readonly ms: number;
    readonly match?: EventMatch;
} | {
    readonly type: "errorEvent";
    readonly status: StatusFault;
    readonly after?: BodyPosition;
};
export type FaultAction = AnswerAction | LostAnswerAction | BeforeAction | BodyAction;
export type IllegalAction = {
    readonly type: "duplicateEvents";
    readonly match?: EventMatch;
} | {
    readonly type: "reorderEvents";
    readonly match?: EventMatch;
} | {
    readonly type: "regressRevision";
    readonly by: number;
    readonly match?: EventMatch;
} | {
    readonly type: "dropEvents";
    readonly match?: EventMatch;
} | {
    readonly type: "earlyInitialEnd";
};

// faults/control/fault-rules.ts
import { type MatchableRequest, type RequestMatch } from "../inputs/request-match.ts";
export interface FaultTiming {
    readonly nth?: number | readonly number[];
    readonly skip?: number;
    readonly probability?: number;
    readonly condition?: () => boolean;
}
export interface FaultRule<Action> {
    readonly name?: string;
    readonly match?: RequestMatch;
    readonly when?: FaultTiming;
    readonly action: Action;
    readonly times?: number;
}
export interface ActiveFault {
    readonly name: string;
    readonly matched: number;
    readonly fired: number;
    readonly consumed: boolean;
    remove(): void;
}
export declare class UnconsumedFaultsError extends Error {
    readonly name: string;
    readonly code: "LW_UNCONSUMED_FAULTS";
    readonly faults: readonly ActiveFault[];
    constructor(faults: readonly ActiveFault[], texts: readonly string[]);
}
export declare class FaultRules<Action> {
    #private;
    constructor(random: () => number, checkAction: (action: Action) => void);
    get isEmpty(): boolean;
    add(rule: FaultRule<Action>): ActiveFault;
    list(): readonly ActiveFault[];
    clear(): void;
    assertConsumed(): void;
    take(request: MatchableRequest, decides?: (action: Action) => boolean): readonly Action[];
}

// faults/control/outages.ts
import type { Clock } from "@listwatch/core-fifo/base";
import type { MatchableRequest } from "../inputs/request-match.ts";
export declare class Outages {
    #private;
    constructor(clock: Clock);
    set shutDown(value: boolean);
    unready(resource: string, ms: number): void;
    answer(request: MatchableRequest): Response | undefined;
}

// faults/control/front-ends.ts
import type { MatchableRequest } from "../inputs/request-match.ts";
import { FrontEnd, type FrontEndState } from "./front-end.ts";
export declare class FrontEnds {
    #private;
    constructor(state: FrontEndState);
    at(index: number): FrontEnd;
    route(to: number | ((request: MatchableRequest) => number)): void;
    for(request: MatchableRequest): FrontEnd;
}

// faults/control/illegal-control.ts
import type { ControlState } from "./control-state.ts";
import type { IllegalAction } from "../fault-action.ts";
import type { FaultRules } from "./fault-rules.ts";
export declare class IllegalControl {
    #private;
    readonly faults: FaultRules<IllegalAction>;
    constructor(state: ControlState);
    get staleReads(): boolean;
    set staleReads(value: boolean);
}

// server/fake-api-server.ts
import type { Clock } from "@listwatch/core-fifo/base";
import type { ServerControl } from "../faults/control/server-control.ts";
import type { ApiObject } from "../api/resource-definition.ts";
export interface FakeApiServerOptions {
    readonly clock?: Clock;
    readonly seed?: number | string;
    readonly serverVersion?: string;
    readonly crds?: Iterable<ApiObject>;
    readonly objects?: Iterable<ApiObject>;
    readonly namespaces?: "strict" | "permissive";
    readonly namespaceDeletion?: "instant" | "controller" | "never";
    readonly podDeletion?: "instant" | "kubelet" | "never";
    readonly shardedListAndWatch?: boolean;
    readonly bookmarkIntervalMs?: number;
    readonly watchBufferEvents?: number;
}
export declare class FakeApiServer {
    #private;
    readonly control: ServerControl;
    constructor(options?: FakeApiServerOptions);
    readonly fetch: (request: Request) => Promise<Response>;
}

// adapters/node.ts
import type { FetchHandler } from "../api/fetch-handler.ts";
import { type Listener, type ListenOptions } from "./listening.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenOptions } from "./listening.ts";
export declare function listen(server: FetchHandler, { port, host }?: ListenOptions): Promise<Listener>;

// adapters/listening.ts
export interface ListenOptions {
    readonly port?: number;
    readonly host?: string;
}
export interface Listener {
    readonly url: string;
    readonly port: number;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
export declare function listenerUrl(host: string, port: number): string;

// adapters/deno.ts
import type { FetchHandler } from "../api/fetch-handler.ts";
import { type Listener, type ListenOptions } from "./listening.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenOptions } from "./listening.ts";
export declare function listen(server: FetchHandler, { port, host }?: ListenOptions): Promise<Listener>;

// adapters/bun.ts
export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenOptions } from "./listening.ts";
export { listen } from "./node.ts";
