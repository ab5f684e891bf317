// index.ts
export { type Clock, InvalidOptionsError } from "@listwatch/core-fifo/base";
export { ControlInputError } from "./faults/inputs/control-input-error.ts";
export { ConnectionResetError } from "./faults/stream/connection-reset-error.ts";
export { withControlEndpoints, type ControlledServer, } from "./faults/endpoints/control-endpoints.ts";
export type { ServerControl } from "./faults/control/server-control.ts";
export type { CoreSnapshot, LoggedEvent } from "./faults/control/controlled-core.ts";
export type { FaultAction } from "./faults/actions/fault-actions.ts";
export type { FaultRule } from "./faults/control/fault-rule.ts";
export type { FaultRules, ActiveFault } from "./faults/control/fault-rules.ts";
export { UnconsumedFaultsError } from "./faults/control/fault-rules.ts";
export type { FrontEnd } from "./faults/control/front-end.ts";
export type { RequestMatch } from "./faults/inputs/request-match.ts";
export type { LoggedContainer, PodControl, PodLog, PodLogOptions, PodLogRequest, PodLogSource, } from "./faults/control/pod-control.ts";
export type { RecordedRequest } from "./faults/control/request-recorder.ts";
export type { StatusFault } from "./faults/inputs/status-fault.ts";
export type { WatchControl } from "./faults/control/watch-control.ts";
export { FakeApiServer } from "./server/fake-api-server.ts";
export type { AdmissionMatch, AdmissionOperation } from "./admission/admission-match.ts";
export type { AdmissionObject, AdmissionPatchOperation, AdmissionPlugin, AdmissionRequest, AdmissionVerdict, } from "./admission/admission-plugin.ts";
export type { UserSettings } from "./authentication/authenticator.ts";
export type { UserInfo } from "./authentication/user-info.ts";
export type { AccessDecision, AccessRequest } from "./authorization/access-request.ts";
export type { Authorization } from "./authorization/authorizer.ts";
export type { FakeApiServerOptions } from "./server/options.ts";
export type { ApiObject } from "./api/resource-definition.ts";
export type { Fetch } from "./api/fetch-handler.ts";
export { ApiError } from "./api/api-error.ts";

// faults/inputs/control-input-error.ts
export declare class ControlInputError extends RangeError {
    readonly name: string;
    readonly code: "LW_INVALID_CONTROL";
}
export declare function demand(isFine: boolean, field: string, expected: string, value: unknown): void;
export declare function wrongInput(field: string, expected: string, value: unknown): ControlInputError;
export declare function demandInteger(value: number, least: number, field: string): void;
export declare function demandMilliseconds(value: number, field: string): void;

// faults/stream/connection-reset-error.ts
export declare class ConnectionResetError extends TypeError {
    readonly name: string;
    readonly code: "ECONNRESET";
    constructor(message?: string);
}

// faults/endpoints/control-endpoints.ts
import { type Fetch, type FetchHandler } from "../../api/fetch-handler.ts";
import type { ServerControl } from "../control/server-control.ts";
export interface ControlledServer extends FetchHandler {
    readonly control: ServerControl;
}
export declare function withControlEndpoints(server: ControlledServer, options?: {
    readonly token?: string | undefined;
}): {
    readonly fetch: Fetch;
};

// api/fetch-handler.ts
export interface FetchHandler {
    fetch(request: Request): Promise<Response>;
}
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
export declare function requestOf(input: string | URL | Request, init?: RequestInit): Request;

// faults/control/server-control.ts
import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { WatchListMode } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { CoreSnapshot, LoggedEvent } from "./controlled-core.ts";
import type { FaultAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { IllegalControl } from "./illegal-control.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { PodControl } from "./pod-control.ts";
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
    readonly pods: PodControl;
    watchList: WatchListMode;
    constructor(state: ControlState);
    get revision(): number;
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

// faults/control/barriers.ts
import type { RequestRecorder } from "./request-recorder.ts";
import { type RequestMatch } from "../inputs/request-match.ts";
import type { WatchRegistry } from "./watch-registry.ts";
export interface WaitOptions {
    readonly signal?: AbortSignal | undefined;
    readonly count?: number | undefined;
}
export interface BarrierState {
    readonly watches: WatchRegistry;
    readonly recorder: RequestRecorder;
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
    requestBegan(): void;
    requestEnded(): void;
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
    watchOpened(record: RequestRecord, watchId: string): void;
    answered(record: RequestRecord, status: number): void;
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
export declare function isWebSocket({ headers }: Pick<Request, "headers">): boolean;
export declare function parseRequestInfo(request: Request): RequestInfo;
export declare function pathSegments(path: string): readonly string[] | undefined;

// faults/inputs/request-match.ts
import type { Verb } from "../../input/request-info.ts";
import { JsonReader } from "./json-reader.ts";
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
export declare function checkRequestMatch(match: RequestMatch): void;
export declare function readRequestMatch(reader: JsonReader): RequestMatch;

// faults/inputs/json-reader.ts
import { type JsonObject } from "@listwatch/core-fifo/base";
export declare class JsonReader {
    #private;
    constructor(value: unknown, path?: string);
    hasObject(name: string): boolean;
    has(name: string): boolean;
    text(name: string): string;
    text(name: string, fallback: string): string;
    number(name: string): number;
    number(name: string, fallback: number): number;
    boolean(name: string, fallback: boolean): boolean;
    choice<const T extends string>(name: string, choices: readonly T[], fallback?: T): T;
    choices<const T extends string>(name: string, choices: readonly T[]): T | readonly T[];
    texts(name: string): string | readonly string[];
    numbers(name: string): number | readonly number[];
    textMap(name: string): Readonly<Record<string, string>>;
    textOrNullMap(name: string): Readonly<Record<string, string | null>>;
    callback(name: string): () => unknown;
    object(name: string): JsonObject;
    reader(name: string): JsonReader;
    end(): void;
    only(names: readonly string[]): void;
}

// faults/control/watch-registry.ts
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { FrontEnd } from "./front-end.ts";
import { type RequestMatch } from "../inputs/request-match.ts";
import type { WatchControl } from "./watch-control.ts";
import type { WatchSource } from "./watch-source.ts";
export interface OpenWatch {
    readonly watch: WatchControl;
    readonly source: WatchSource;
    readonly stream: ControlledStream;
    readonly frontEnd: FrontEnd;
}
export declare class WatchRegistry {
    #private;
    list(match?: RequestMatch): readonly WatchControl[];
    get(id: string): WatchControl | undefined;
    end(match?: RequestMatch): void;
    reset(match?: RequestMatch): void;
    finish(resource: string): void;
    nextId(): string;
    add(open: OpenWatch, bookmarks: BookmarkPolicy): void;
    remove(id: string): void;
    policiesChanged(bookmarks: BookmarkPolicy): void;
    wakeGated(): void;
}

// faults/control/bookmark-policy.ts
import type { EventFilter } from "../stream/event-stage.ts";
export interface BookmarkSettings {
    readonly everyMs?: number | undefined;
    readonly suppress?: boolean | undefined;
    readonly afterEvents?: number | undefined;
    readonly initialEnd?: "sent" | "never" | undefined;
}
export declare class BookmarkPolicy {
    #private;
    constructor(changed: () => void);
    get settings(): BookmarkSettings;
    set(settings: BookmarkSettings): void;
    get needsFilter(): boolean;
    filter(): EventFilter;
}

// faults/stream/event-stage.ts
import type { WatchEvent } from "./watch-event.ts";
export type EventFilter = (event: WatchEvent) => readonly WatchEvent[];
export type EventGate = (event: WatchEvent) => boolean;
export declare class EventStage {
    #private;
    get isUsed(): boolean;
    get isEmpty(): boolean;
    get isHeld(): boolean;
    addFilter(filter: EventFilter): void;
    addGate(gate: EventGate): void;
    removeGate(gate: EventGate): void;
    push(events: readonly WatchEvent[]): void;
    take(wanted: number, moreFollow: boolean): Uint8Array | undefined;
    clear(): void;
}
export declare function encodeEvents(events: readonly WatchEvent[]): Uint8Array;

// faults/stream/watch-event.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { EventFraming } from "./event-counter.ts";
export interface WatchEvent {
    readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" | "";
    readonly revision: number;
    readonly namespace: string | undefined;
    readonly name: string | undefined;
    readonly isInitialEnd: boolean;
    createBookmark(): WatchEvent;
    withRevision(revision: number): WatchEvent;
    encode(): Uint8Array;
}
export interface EventSource {
    readonly framing: EventFraming;
    read(): Promise<readonly WatchEvent[] | undefined>;
    cancel(reason?: unknown): void;
    encodeError?(status: JsonObject): Uint8Array;
}
export declare function errorEvent(status: JsonObject): WatchEvent;
export declare function bodySource(body: ReadableStream<Uint8Array>, isText: boolean): EventSource;

// faults/stream/event-counter.ts
export type EventFraming = "lines" | "lengths" | "none";
export declare class EventCounter {
    #private;
    constructor(framing: EventFraming);
    get count(): number;
    add(bytes: Uint8Array): void;
}

// faults/stream/controlled-stream.ts
import { type Clock } from "@listwatch/core-fifo/base";
import { type EventFilter, type EventGate } from "./event-stage.ts";
import { type EventSource } from "./watch-event.ts";
import { type StreamTrigger } from "./stream-progress.ts";
import { type CutPosition } from "../inputs/cut-position.ts";
import { type StatusFault } from "../inputs/status-fault.ts";
import { type StreamShape } from "../inputs/stream-shape.ts";
export interface StreamObserver {
    progressed(): void;
    ended(): void;
}
export declare class ControlledStream {
    #private;
    readonly readable: ReadableStream<Uint8Array>;
    constructor(source: EventSource, clock: Clock, observer: StreamObserver);
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
    addFilter(filter: EventFilter): void;
    addGate(gate: EventGate): () => void;
    addTrigger(trigger: StreamTrigger): void;
    endWithError(status: StatusFault): void;
    sourceClosed(): void;
    wake(): void;
}

// faults/stream/stream-progress.ts
import { type EventFraming } from "./event-counter.ts";
export interface StreamTrigger {
    readonly events: number;
    readonly bytes: number;
    readonly fire: () => void;
}
export declare class StreamProgress {
    #private;
    constructor(framing: EventFraming);
    get bytes(): number;
    get hasTriggers(): boolean;
    add(trigger: StreamTrigger): void;
    count(sent: Uint8Array): void;
    fireDue(): void;
}

// faults/inputs/cut-position.ts
import type { JsonReader } from "./json-reader.ts";
export interface CutPosition {
    readonly afterBytes?: number | undefined;
    readonly inside?: "line" | "character" | undefined;
    readonly then?: "end" | "reset" | undefined;
}
export declare function cutPosition(piece: Uint8Array, cut: CutPosition): number | undefined;
export declare function checkCut({ afterBytes, inside, then }: CutPosition): void;
export declare function readCut(reader: JsonReader): CutPosition;

// faults/inputs/status-fault.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { StatusDetails } from "../../api/api-error.ts";
import type { JsonReader } from "./json-reader.ts";
export interface StatusFault {
    readonly code: number;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly details?: StatusDetails | undefined;
    readonly retryAfterSeconds?: number | undefined;
}
export interface StatusSubject {
    readonly group: string;
    readonly resource: string;
    readonly name: string;
}
export declare function statusObject(fault: StatusFault, subject?: StatusSubject): JsonObject;
export declare function statusResponse(fault: StatusFault, subject?: StatusSubject): Response;
export declare function isAnswerStatus(code: number): boolean;
export declare function canHaveBody(code: number): boolean;
export declare function checkStatus(status: StatusFault, field: string): void;
export declare function readStatus(reader: JsonReader): StatusFault;

// api/api-error.ts
export interface StatusDetails {
    readonly name?: string | undefined;
    readonly group?: string | undefined;
    readonly kind?: string | undefined;
    readonly uid?: string | undefined;
    readonly causes?: readonly StatusCause[] | undefined;
    readonly retryAfterSeconds?: number | undefined;
}
export interface StatusCause {
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly field?: string | undefined;
}
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

// faults/inputs/stream-shape.ts
import type { JsonReader } from "./json-reader.ts";
export interface StreamShape {
    readonly bytes?: number | undefined;
    readonly events?: number | undefined;
    readonly crlf?: boolean | undefined;
    readonly padTo?: number | undefined;
}
export declare function shapeChunks(chunk: Uint8Array, shape: StreamShape): readonly Uint8Array[];
export declare function checkShape({ bytes, events, padTo }: StreamShape): void;
export declare function readShape(reader: JsonReader): StreamShape;
export declare function checkPace(bytesPerSecond: number): void;

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
import type { WatchSource } from "./watch-source.ts";
export interface CacheView {
    readonly revision: number;
    readonly watchFloor: number;
    readonly staleReads: boolean;
}
export type WatchListMode = "supported" | "refused" | "ignored";
export interface Exchange {
    intercept(): Promise<Response | undefined> | undefined;
    bodyRead(text: string): void;
    watchOpened(source: WatchSource): ReadableStream<Uint8Array> | null;
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

// faults/control/watch-source.ts
import type { EventSource } from "../stream/watch-event.ts";
export interface WatchSource extends EventSource {
    readonly startRevision: number;
    readonly sentRevision: number;
    readonly caughtUpRevision: number;
    finish(): void;
    onClose(listener: () => void): void;
}

// faults/control/watch-control.ts
import { type CutPosition } from "../inputs/cut-position.ts";
import type { MatchableRequest } from "../inputs/request-match.ts";
import { type StatusFault } from "../inputs/status-fault.ts";
import { type StreamShape } from "../inputs/stream-shape.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { type EventMatch } from "../stream/event-match.ts";
import type { WatchSource } from "./watch-source.ts";
export declare class WatchControl {
    #private;
    readonly id: string;
    readonly request: MatchableRequest;
    constructor(id: string, request: MatchableRequest, source: WatchSource, stream: ControlledStream);
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

// faults/stream/event-match.ts
import type { JsonReader } from "../inputs/json-reader.ts";
import type { WatchEvent } from "./watch-event.ts";
export interface EventMatch {
    readonly type?: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" | undefined;
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
}
export declare function matchesEvent(match: EventMatch, event: WatchEvent): boolean;
export declare function readEventMatch(reader: JsonReader): EventMatch;

// faults/control/control-state.ts
import type { Barriers } from "./barriers.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { IllegalControl } from "./illegal-control.ts";
import type { ControlledCore } from "./controlled-core.ts";
import type { FaultAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { Outages } from "./outages.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { PodControl } from "./pod-control.ts";
import type { RequestRecorder } from "./request-recorder.ts";
import type { WatchRegistry } from "./watch-registry.ts";
export interface ControlState {
    readonly core: ControlledCore;
    readonly recorder: RequestRecorder;
    readonly watches: WatchRegistry;
    readonly pods: PodControl;
    readonly barriers: Barriers;
    readonly faults: FaultRules<FaultAction>;
    readonly illegal: IllegalControl;
    readonly frontEnds: FrontEnds;
    readonly bookmarks: BookmarkPolicy;
    readonly outages: Outages;
}

// faults/control/illegal-control.ts
import type { IllegalAction } from "../actions/fault-actions.ts";
import type { FaultRules } from "./fault-rules.ts";
export declare class IllegalControl {
    readonly faults: FaultRules<IllegalAction>;
    staleReads: boolean;
    constructor(faults: FaultRules<IllegalAction>);
}

// faults/actions/fault-actions.ts
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { FaultCatalogue } from "./fault-catalogue.ts";
import type { FaultEffect, FaultTarget } from "./fault.ts";
import * as illegal from "./illegal-faults.ts";
import * as legal from "./legal-faults.ts";
type ActionOf<F extends {
    read(...parameters: never): unknown;
}> = ReturnType<F["read"]>;
export type FaultAction = ActionOf<(typeof legal)[keyof typeof legal]>;
export type IllegalAction = ActionOf<(typeof illegal)[keyof typeof illegal]>;
export declare const legalFaults: FaultCatalogue<FaultAction, FaultTarget, FaultEffect>;
export declare const illegalFaults: FaultCatalogue<IllegalAction, ControlledStream, void>;
export {};

// faults/actions/fault-catalogue.ts
import type { JsonReader } from "../inputs/json-reader.ts";
import type { Fault } from "./fault.ts";
export declare class FaultCatalogue<Action extends {
    readonly type: string;
}, Target, Effect> {
    #private;
    constructor(faults: Readonly<Record<string, Fault<Action, Target, Effect>>>);
    read(reader: JsonReader): Action;
    check(action: Action): void;
    endsAnswer(action: Action): boolean;
    apply(action: Action, target: Target): Effect;
}

// faults/actions/fault.ts
import type { Clock } from "@listwatch/core-fifo/base";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { StatusSubject } from "../inputs/status-fault.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
export interface Fault<Action extends {
    readonly type: string;
}, Target, Effect> {
    readonly type: Action["type"];
    readonly endsAnswer?: boolean | undefined;
    read(reader: JsonReader): Action;
    check(action: Action): void;
    apply(action: Action, target: Target): Effect;
}
export type LegalFault<Action extends {
    readonly type: string;
}> = Fault<Action, FaultTarget, FaultEffect>;
export type IllegalFault<Action extends {
    readonly type: string;
}> = Fault<Action, ControlledStream, void>;
export type FaultEffect = Response | undefined | void | Promise<Response | undefined | void>;
export interface FaultTarget {
    readonly subject: StatusSubject;
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly random: () => number;
    compactHistory(): void;
    setHeaders(headers: Readonly<Record<string, string>>): void;
    replaceAnswer(makeAnswer: () => Response): void;
    onBody(act: (body: ControlledStream) => void): void;
}

// faults/actions/illegal-faults.ts
export { duplicateEvents } from "./duplicate-events.ts";
export { reorderEvents } from "./reorder-events.ts";
export { regressRevision } from "./regress-revision.ts";
export { dropEvents } from "./drop-events.ts";
export { earlyInitialEnd } from "./early-initial-end.ts";

// faults/actions/duplicate-events.ts
import { type EventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";
export interface DuplicateEventsAction {
    readonly type: "duplicateEvents";
    readonly match?: EventMatch | undefined;
}
export declare const duplicateEvents: IllegalFault<DuplicateEventsAction>;

// faults/actions/reorder-events.ts
import { type EventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";
export interface ReorderEventsAction {
    readonly type: "reorderEvents";
    readonly match?: EventMatch | undefined;
}
export declare const reorderEvents: IllegalFault<ReorderEventsAction>;

// faults/actions/regress-revision.ts
import { type EventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";
export interface RegressRevisionAction {
    readonly type: "regressRevision";
    readonly by: number;
    readonly match?: EventMatch | undefined;
}
export declare const regressRevision: IllegalFault<RegressRevisionAction>;

// faults/actions/drop-events.ts
import { type EventMatch } from "../stream/event-match.ts";
import type { IllegalFault } from "./fault.ts";
export interface DropEventsAction {
    readonly type: "dropEvents";
    readonly match?: EventMatch | undefined;
}
export declare const dropEvents: IllegalFault<DropEventsAction>;

// faults/actions/early-initial-end.ts
import type { IllegalFault } from "./fault.ts";
export interface EarlyInitialEndAction {
    readonly type: "earlyInitialEnd";
}
export declare const earlyInitialEnd: IllegalFault<EarlyInitialEndAction>;

// faults/actions/legal-faults.ts
export { status } from "./status.ts";
export { respond } from "./respond.ts";
export { reset } from "./reset.ts";
export { blackhole } from "./blackhole.ts";
export { commitThenFail } from "./commit-then-fail.ts";
export { latency } from "./latency.ts";
export { compact } from "./compact.ts";
export { headers } from "./headers.ts";
export { end } from "./end.ts";
export { resetBody } from "./reset-body.ts";
export { truncate } from "./truncate.ts";
export { stall } from "./stall.ts";
export { slow } from "./slow.ts";
export { split } from "./split.ts";
export { delayEvents } from "./delay-events.ts";
export { errorEvent } from "./error-event.ts";

// faults/actions/status.ts
import { type StatusFault } from "../inputs/status-fault.ts";
import type { LegalFault } from "./fault.ts";
export interface StatusAction {
    readonly type: "status";
    readonly status: StatusFault;
}
export declare const status: LegalFault<StatusAction>;

// faults/actions/respond.ts
import type { LegalFault } from "./fault.ts";
export interface RespondAction {
    readonly type: "respond";
    readonly status: number;
    readonly body?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
export declare const respond: LegalFault<RespondAction>;

// faults/actions/reset.ts
import type { LegalFault } from "./fault.ts";
export interface ResetAction {
    readonly type: "reset";
}
export declare const reset: LegalFault<ResetAction>;

// faults/actions/blackhole.ts
import type { LegalFault } from "./fault.ts";
export interface BlackholeAction {
    readonly type: "blackhole";
}
export declare const blackhole: LegalFault<BlackholeAction>;

// faults/actions/commit-then-fail.ts
import { type StatusFault } from "../inputs/status-fault.ts";
import type { LegalFault } from "./fault.ts";
export interface CommitThenFailAction {
    readonly type: "commitThenFail";
    readonly with?: "reset" | StatusFault | undefined;
}
export declare const commitThenFail: LegalFault<CommitThenFailAction>;

// faults/actions/latency.ts
import type { LegalFault } from "./fault.ts";
export interface LatencyAction {
    readonly type: "latency";
    readonly ms: Latency;
}
type Latency = number | readonly [least: number, most: number];
export declare const latency: LegalFault<LatencyAction>;
export {};

// faults/actions/compact.ts
import type { LegalFault } from "./fault.ts";
export interface CompactAction {
    readonly type: "compact";
}
export declare const compact: LegalFault<CompactAction>;

// faults/actions/headers.ts
import type { LegalFault } from "./fault.ts";
export interface HeadersAction {
    readonly type: "headers";
    readonly set: Readonly<Record<string, string>>;
}
export declare const headers: LegalFault<HeadersAction>;

// faults/actions/end.ts
import { type BodyPosition } from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";
export interface EndAction {
    readonly type: "end";
    readonly after?: BodyPosition | undefined;
}
export declare const end: LegalFault<EndAction>;

// faults/stream/body-position.ts
import type { JsonReader } from "../inputs/json-reader.ts";
import type { ControlledStream } from "./controlled-stream.ts";
export interface BodyPosition {
    readonly events?: number | undefined;
    readonly bytes?: number | undefined;
}
export declare function checkBodyPosition({ events, bytes }?: BodyPosition): void;
export declare function readBodyPosition(action: JsonReader): BodyPosition;
export declare function whenReached(body: ControlledStream, { events, bytes }: BodyPosition | undefined, act: () => void): void;

// faults/actions/reset-body.ts
import { type BodyPosition } from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";
export interface ResetBodyAction {
    readonly type: "resetBody";
    readonly after?: BodyPosition | undefined;
}
export declare const resetBody: LegalFault<ResetBodyAction>;

// faults/actions/truncate.ts
import { type CutPosition } from "../inputs/cut-position.ts";
import { type BodyPosition } from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";
export interface TruncateAction {
    readonly type: "truncate";
    readonly at: CutPosition;
    readonly after?: BodyPosition | undefined;
}
export declare const truncate: LegalFault<TruncateAction>;

// faults/actions/stall.ts
import { type BodyPosition } from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";
export interface StallAction {
    readonly type: "stall";
    readonly after?: BodyPosition | undefined;
}
export declare const stall: LegalFault<StallAction>;

// faults/actions/slow.ts
import { type BodyPosition } from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";
export interface SlowAction {
    readonly type: "slow";
    readonly bytesPerSecond: number;
    readonly after?: BodyPosition | undefined;
}
export declare const slow: LegalFault<SlowAction>;

// faults/actions/split.ts
import { type StreamShape } from "../inputs/stream-shape.ts";
import type { LegalFault } from "./fault.ts";
export interface SplitAction {
    readonly type: "split";
    readonly shape: StreamShape;
}
export declare const split: LegalFault<SplitAction>;

// faults/actions/delay-events.ts
import { type EventMatch } from "../stream/event-match.ts";
import type { LegalFault } from "./fault.ts";
export interface DelayEventsAction {
    readonly type: "delayEvents";
    readonly ms: number;
    readonly match?: EventMatch | undefined;
}
export declare const delayEvents: LegalFault<DelayEventsAction>;

// faults/actions/error-event.ts
import { type StatusFault } from "../inputs/status-fault.ts";
import { type BodyPosition } from "../stream/body-position.ts";
import type { LegalFault } from "./fault.ts";
export interface ErrorEventAction {
    readonly type: "errorEvent";
    readonly status: StatusFault;
    readonly after?: BodyPosition | undefined;
}
export declare const errorEvent: LegalFault<ErrorEventAction>;

// faults/control/fault-rules.ts
import { type MatchableRequest } from "../inputs/request-match.ts";
import { JsonReader } from "../inputs/json-reader.ts";
import { type FaultRule } from "./fault-rule.ts";
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
interface TypedAction {
    readonly type: string;
}
export interface ActionRules<Action extends TypedAction> {
    read(reader: JsonReader): Action;
    check(action: Action): void;
    endsAnswer(action: Action): boolean;
}
export declare class FaultRules<Action extends TypedAction> {
    #private;
    constructor(random: () => number, actions: ActionRules<Action>);
    get isEmpty(): boolean;
    add(rule: FaultRule<Action>): ActiveFault;
    addJson(reader: JsonReader): ActiveFault;
    list(): readonly ActiveFault[];
    clear(): void;
    assertConsumed(): void;
    take(request: MatchableRequest): readonly Action[];
}
export {};

// faults/control/fault-rule.ts
import type { JsonReader } from "../inputs/json-reader.ts";
import { type RequestMatch } from "../inputs/request-match.ts";
export interface FaultTiming {
    readonly nth?: number | readonly number[] | undefined;
    readonly skip?: number | undefined;
    readonly probability?: number | undefined;
    readonly condition?: (() => boolean) | undefined;
}
export interface FaultRule<Action> {
    readonly name?: string | undefined;
    readonly match?: RequestMatch | undefined;
    readonly when?: FaultTiming | undefined;
    readonly action: Action;
    readonly times?: number | undefined;
}
export declare function checkFaultRule({ when, times }: FaultRule<unknown>): void;
export declare function readFaultRule<Action>(reader: JsonReader, readAction: (reader: JsonReader) => Action): FaultRule<Action> & {
    readonly times: number;
};

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
    has(snapshot: CoreSnapshot): boolean;
    restore(snapshot: CoreSnapshot, mode: "continue" | "rollback"): void;
}

// api/resource-definition.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
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
    readonly labelSelector?: string | undefined;
}
export interface SelectableField {
    readonly path: string;
    readonly alias?: string | undefined;
    readonly zero?: string | undefined;
    readonly read?: ((object: ApiObject) => unknown) | undefined;
}
export interface Subresource {
    readonly name: string;
    readonly kind?: string | undefined;
    readonly group?: string | undefined;
    readonly version?: string | undefined;
    readonly verbs: readonly string[];
}
export interface ServedVersion {
    readonly name: string;
    readonly deprecated: boolean;
    readonly deprecationWarning?: string | undefined;
    readonly schema?: JsonSchema | undefined;
    readonly columns: readonly PrinterColumn[];
    readonly rowConditions?: ((object: ApiObject) => readonly JsonObject[]) | undefined;
    readonly selectableFields: readonly SelectableField[];
    readonly status: boolean;
    readonly scale?: ScalePaths | undefined;
    readonly subresources?: readonly Subresource[] | undefined;
    readonly conversion?: VersionConversion | undefined;
}
export interface VersionConversion {
    readonly toStored: (object: ApiObject) => ApiObject;
    readonly fromStored: (object: ApiObject) => ApiObject;
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
    readonly verbs?: readonly string[] | undefined;
    readonly versions: readonly ServedVersion[];
    readonly storageVersion: string;
    readonly storageHashVersion?: string | undefined;
    readonly storedAs?: StoredAs | undefined;
    readonly unconditionalUpdate: boolean;
    readonly createOnUpdate: boolean;
    readonly hasGeneration: boolean;
    readonly nameRule?: ((name: string) => readonly string[]) | undefined;
    readonly metadataRepeats?: MetadataRepeats | undefined;
    readonly statusMetadataRepeats?: MetadataRepeats | undefined;
    readonly returnsDeletedObject: boolean;
    readonly graceful: boolean;
}
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
export interface MetadataRepeats {
    readonly changes: number;
    readonly whole: number;
}

// api/json-schema.ts
export interface JsonSchema {
    readonly type?: string | undefined;
    readonly format?: string | undefined;
    readonly description?: string | undefined;
    readonly title?: string | undefined;
    readonly default?: unknown;
    readonly nullable?: boolean | undefined;
    readonly enum?: readonly unknown[] | undefined;
    readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
    readonly additionalProperties?: JsonSchema | boolean | undefined;
    readonly items?: JsonSchema | undefined;
    readonly required?: readonly string[] | undefined;
    readonly minimum?: number | undefined;
    readonly maximum?: number | undefined;
    readonly exclusiveMinimum?: boolean | undefined;
    readonly exclusiveMaximum?: boolean | undefined;
    readonly multipleOf?: number | undefined;
    readonly minLength?: number | undefined;
    readonly maxLength?: number | undefined;
    readonly pattern?: string | undefined;
    readonly minItems?: number | undefined;
    readonly maxItems?: number | undefined;
    readonly uniqueItems?: boolean | undefined;
    readonly minProperties?: number | undefined;
    readonly maxProperties?: number | undefined;
    readonly allOf?: readonly JsonSchema[] | undefined;
    readonly anyOf?: readonly JsonSchema[] | undefined;
    readonly oneOf?: readonly JsonSchema[] | undefined;
    readonly not?: JsonSchema | undefined;
    readonly "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
    readonly "x-kubernetes-embedded-resource"?: boolean | undefined;
    readonly "x-kubernetes-int-or-string"?: boolean | undefined;
    readonly "x-kubernetes-list-type"?: string | undefined;
    readonly "x-kubernetes-list-map-keys"?: readonly string[] | undefined;
    readonly "x-kubernetes-map-type"?: string | undefined;
    readonly "x-kubernetes-validations"?: readonly unknown[] | undefined;
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

// faults/control/pod-control.ts
import type { ApiObject } from "../../api/resource-definition.ts";
export interface PodLogOptions {
    readonly follow: boolean;
    readonly previous: boolean;
    readonly timestamps: boolean;
    readonly sinceSeconds?: number | undefined;
    readonly sinceTime?: string | undefined;
    readonly tailLines?: number | undefined;
    readonly limitBytes?: number | undefined;
}
export interface PodLogRequest {
    readonly pod: ApiObject;
    readonly container: string;
    readonly options: PodLogOptions;
    readonly signal: AbortSignal;
}
export type PodLog = string | ReadableStream<Uint8Array>;
export type PodLogSource = (request: PodLogRequest) => PodLog | Promise<PodLog>;
export interface LoggedContainer {
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly container?: string | undefined;
}
export declare class PodControl {
    #private;
    log(source: PodLogSource): void;
    setLog({ container, name, namespace }: LoggedContainer, text: string): void;
    readLog(request: PodLogRequest): Promise<PodLog>;
}

// server/fake-api-server.ts
import { type FakeApiServerOptions } from "./options.ts";
import type { ServerControl } from "../faults/control/server-control.ts";
import { type Fetch } from "../api/fetch-handler.ts";
export declare class FakeApiServer {
    #private;
    readonly control: ServerControl;
    constructor(options?: FakeApiServerOptions);
    readonly fetch: Fetch;
}

// server/options.ts
import { type Clock } from "@listwatch/core-fifo/base";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { UserSettings } from "../authentication/authenticator.ts";
import type { Authorization } from "../authorization/authorizer.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import type { ServerSettings } from "../verbs/server-core.ts";
import type { Seed } from "./seeds.ts";
export interface FakeApiServerOptions {
    readonly clock?: Clock | undefined;
    readonly seed?: number | string | undefined;
    readonly serverVersion?: string | undefined;
    readonly crds?: Iterable<ApiObject> | undefined;
    readonly objects?: Iterable<ApiObject> | undefined;
    readonly bootstrap?: "full" | "namespaces" | undefined;
    readonly namespaces?: "strict" | "permissive" | undefined;
    readonly namespaceDeletion?: "instant" | "controller" | "never" | undefined;
    readonly podDeletion?: "instant" | "kubelet" | "never" | undefined;
    readonly garbageCollection?: "instant" | "controller" | "never" | undefined;
    readonly validation?: "full" | "off" | undefined;
    readonly shardedListAndWatch?: boolean | undefined;
    readonly users?: Readonly<Record<string, UserSettings>> | undefined;
    readonly authorization?: Authorization | undefined;
    readonly admission?: Iterable<AdmissionPlugin> | undefined;
    readonly watch?: WatchSettings | undefined;
    readonly limits?: LimitSettings | undefined;
}
export interface LimitSettings {
    readonly objectBytes?: number | undefined;
    readonly bodyBytes?: number | undefined;
    readonly historyEvents?: number | undefined;
    readonly historyBytes?: number | undefined;
}
export interface WatchSettings {
    readonly bookmarkIntervalMs?: number | undefined;
    readonly bufferEvents?: number | undefined;
    readonly bufferBytes?: number | undefined;
}
export declare function readSettings(options: FakeApiServerOptions): ServerSettings;
export declare function readObjects(option: "crds" | "objects", objects: Iterable<ApiObject> | undefined): readonly Seed[];

// admission/admission-plugin.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { UserInfo } from "../authentication/user-info.ts";
import type { AdmissionMatch, AdmissionOperation } from "./admission-match.ts";
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
    readonly options: JsonObject;
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
    mutate?(request: AdmissionRequest): JsonObject | readonly AdmissionPatchOperation[] | undefined | void;
    validate?(request: AdmissionRequest): AdmissionVerdict | undefined | void;
}

// authentication/user-info.ts
import type { ServiceAccountClaims } from "./service-account-token.ts";
export interface UserInfo {
    readonly username: string;
    readonly uid?: string | undefined;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
export declare const mastersGroup = "system:masters";
export declare const authenticatedGroup = "system:authenticated";
export declare const unauthenticatedGroup = "system:unauthenticated";
export declare const clusterAdmin: UserInfo;
export declare const anonymousUser: UserInfo;
export declare function accountUsername(namespace: string, name: string): string;
export declare function accountOf(username: string): {
    readonly namespace: string;
    readonly name: string;
} | undefined;
export declare function accountGroups(namespace: string): readonly string[];
export declare function userOfAccount(claims: ServiceAccountClaims): UserInfo;
export declare function authenticated(user: UserInfo): UserInfo;

// authentication/service-account-token.ts
import { type Clock, type JsonObject, type Random } from "@listwatch/core-fifo/base";
export declare const defaultAudience = "https://kubernetes.default.svc";
export declare function issuerConfiguration(origin: string): JsonObject;
export interface TokenObject {
    readonly name: string;
    readonly uid: string;
}
export interface BoundObject extends TokenObject {
    readonly kind: "Node" | "Pod" | "Secret";
}
export interface ServiceAccountClaims {
    readonly namespace: string;
    readonly serviceAccount: TokenObject;
    readonly boundObject: BoundObject | undefined;
    readonly audiences: readonly string[];
    readonly hasExpired: boolean;
    readonly id: string;
}
export interface TokenRequest extends Pick<ServiceAccountClaims, "namespace" | "serviceAccount" | "boundObject" | "audiences"> {
    readonly expirationSeconds: number;
}
export interface IssuedToken {
    readonly token: string;
    readonly expiresAtMs: number;
}
export declare class ServiceAccountTokens {
    #private;
    constructor(clock: Clock, random: Random);
    issue(request: TokenRequest): Promise<IssuedToken>;
    verify(token: string): Promise<ServiceAccountClaims | undefined>;
    publicKeys(): Promise<JsonObject>;
}

// admission/admission-match.ts
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
export interface AdmissionMatch {
    readonly operations?: readonly AdmissionOperation[] | undefined;
    readonly apiGroups?: readonly string[] | undefined;
    readonly resources?: readonly string[] | undefined;
}
export interface MatchedWrite {
    readonly operation: AdmissionOperation;
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
}
export declare function matchesWrite(match: AdmissionMatch, write: MatchedWrite): boolean;

// authentication/authenticator.ts
import type { Storage } from "../storage/storage.ts";
import { type ServiceAccountTokens } from "./service-account-token.ts";
import { type UserInfo } from "./user-info.ts";
export interface UserSettings {
    readonly username: string;
    readonly groups?: readonly string[] | undefined;
    readonly uid?: string | undefined;
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
export interface AuthenticatorOptions {
    readonly users: ReadonlyMap<string, UserSettings> | undefined;
    readonly allowsAnonymous: boolean;
    readonly tokens: ServiceAccountTokens;
    readonly storage: Pick<Storage, "store">;
}
export interface AcceptedToken {
    readonly user: UserInfo;
    readonly audiences: readonly string[];
}
export declare class Authenticator {
    #private;
    constructor({ allowsAnonymous, storage, tokens, users }: AuthenticatorOptions);
    authenticate(request: Request): UserInfo | Promise<UserInfo>;
    review(token: string, audiences: readonly string[]): Promise<AcceptedToken | undefined>;
}

// storage/storage.ts
import type { ApiObject } from "../api/resource-definition.ts";
import type { StorageEvent } from "./event-log.ts";
import { ResourceStore, type ResourceStoreSnapshot } from "./resource-store.ts";
import { StoredObject } from "./stored-object.ts";
export interface StorageOptions {
    readonly historyEvents?: number | undefined;
    readonly historyBytes?: number | undefined;
    readonly objectBytes?: number | undefined;
    readonly parsedObjects?: number | undefined;
}
export interface StorageSnapshot {
    readonly revision: number;
    readonly compactRevision: number;
    readonly stores: ReadonlyMap<string, ResourceStoreSnapshot>;
}
export type CommitListener = (store: ResourceStore, event: StorageEvent) => void;
export declare class Storage {
    #private;
    constructor(options?: StorageOptions);
    get revision(): number;
    get compactRevision(): number;
    store(resource: string): ResourceStore;
    stores(): IterableIterator<ResourceStore>;
    drop(resource: string): void;
    createState(object: ApiObject, revision: number): StoredObject;
    write(store: ResourceStore, object: ApiObject): StoredObject;
    remove(store: ResourceStore, previous: StoredObject): StoredObject;
    advance(to?: number): number;
    onRevision(listener: () => void): () => void;
    onCommit(listener: CommitListener): void;
    compact(revision: number): void;
    restore(snapshot: StorageSnapshot): void;
    snapshot(): StorageSnapshot;
}
export declare function withRevision(object: ApiObject, revision: number): ApiObject;

// storage/event-log.ts
import type { StoredObject } from "./stored-object.ts";
export interface StorageEvent {
    readonly revision: number;
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly stored: StoredObject;
    readonly previous: StoredObject | undefined;
}
export interface HistoryCapacity {
    readonly events: number;
    readonly characters: number;
}
export declare class EventLog {
    #private;
    constructor(capacity: HistoryCapacity, floor: number, events?: readonly StorageEvent[]);
    get floor(): number;
    append(event: StorageEvent): void;
    dropThrough(revision: number): void;
    after(revision: number): readonly StorageEvent[];
    get newest(): number;
}

// storage/stored-object.ts
import type { ApiObject } from "../api/resource-definition.ts";
export declare class StoredObject {
    #private;
    readonly key: string;
    readonly namespace: string;
    readonly name: string;
    readonly revision: number;
    readonly labels: Readonly<Record<string, string>> | undefined;
    readonly isTerminating: boolean;
    readonly tail: string;
    constructor(object: ApiObject, revision: number, recent: RecentObjects);
    get object(): ApiObject;
    forget(): void;
}
export declare class RecentObjects {
    #private;
    constructor(capacity: number);
    use(version: StoredObject): void;
}
export declare function objectTail(object: ApiObject): string;
export interface ObjectAddress {
    readonly namespace: string;
    readonly name: string;
}
export declare function storageKey(namespace: string, name: string): string;

// storage/resource-store.ts
import { type HistoryCapacity, type StorageEvent } from "./event-log.ts";
import type { StoredObject } from "./stored-object.ts";
export type StorageListener = (event: StorageEvent) => void;
export interface ResourceStoreSnapshot {
    readonly objects: readonly StoredObject[];
    readonly events: readonly StorageEvent[];
    readonly logFloor: number;
    readonly watchFloor: number;
}
export declare class ResourceStore {
    #private;
    readonly resource: string;
    constructor(resource: string, revision: number, logCapacity: HistoryCapacity);
    get size(): number;
    get watchFloor(): number;
    get historyFloor(): number;
    get newest(): number;
    get(key: string): StoredObject | undefined;
    objects(): readonly StoredObject[];
    objectsWithin(root: string): readonly StoredObject[];
    objectsAt(revision: number): readonly StoredObject[];
    getAt(key: string, revision: number): StoredObject | undefined;
    eventsAfter(revision: number): readonly StorageEvent[];
    subscribe(listener: StorageListener): () => void;
    apply(event: StorageEvent): void;
    rewrite(change: (stored: StoredObject) => StoredObject): void;
    dropHistory(revision: number): void;
    raiseWatchFloor(revision: number): void;
    snapshot(): ResourceStoreSnapshot;
    restore(snapshot: ResourceStoreSnapshot): void;
}

// authorization/authorizer.ts
import type { UserInfo } from "../authentication/user-info.ts";
import type { Storage } from "../storage/storage.ts";
import type { AccessDecision, AccessRequest } from "./access-request.ts";
import { type GrantedRule } from "./basic-rules.ts";
export type Authorization = "rbac" | ((request: AccessRequest) => boolean | AccessDecision | Promise<boolean | AccessDecision>);
export interface KnownRules {
    readonly granted: readonly GrantedRule[];
    readonly problem: string;
}
export interface Authorizer {
    authorize(request: AccessRequest): AccessDecision | Promise<AccessDecision>;
    rulesOf(user: UserInfo, namespace: string): KnownRules;
}
export declare function createAuthorizer(authorization: Authorization | undefined, storage: Pick<Storage, "store">): Authorizer;

// authorization/access-request.ts
import type { UserInfo } from "../authentication/user-info.ts";
import type { RequestInfo } from "../input/request-info.ts";
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
export declare function accessRequest(info: RequestInfo, user: UserInfo): AccessRequest;
export declare const noResource: {
    readonly isResource: false;
    readonly group: "";
    readonly version: "";
    readonly resource: "";
    readonly subresource: "";
    readonly namespace: "";
    readonly name: "";
};

// authorization/basic-rules.ts
import { type UserInfo } from "../authentication/user-info.ts";
import { type PolicyRule } from "./policy-rule.ts";
export declare const everything: readonly PolicyRule[];
export interface GrantedRule {
    readonly rule: PolicyRule;
    readonly reason: string;
}
export declare function basicRules(user: UserInfo): readonly GrantedRule[];

// authorization/policy-rule.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { AccessRequest } from "./access-request.ts";
export interface PolicyRule {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames: readonly string[];
    readonly nonResourceURLs: readonly string[];
}
export declare const emptyRule: PolicyRule;
export declare function readRule(rule: JsonObject): PolicyRule;
export declare function ruleAllows(rule: PolicyRule, request: AccessRequest): boolean;
export declare function isPathIn(url: string, path: string): boolean;

// verbs/server-core.ts
import type { Clock, Random } from "@listwatch/core-fifo/base";
import { type ResourceRegistry } from "../api/registry.ts";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { Admission } from "../admission/admission.ts";
import type { UserSettings } from "../authentication/authenticator.ts";
import type { ServiceAccountTokens } from "../authentication/service-account-token.ts";
import type { AccessGate } from "../authorization/access-gate.ts";
import type { Authorization } from "../authorization/authorizer.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ResourceViews } from "../output/resource-views.ts";
import type { Storage, StorageOptions } from "../storage/storage.ts";
import type { PodControl } from "../faults/control/pod-control.ts";
import type { WatchRegistry } from "../faults/control/watch-registry.ts";
import type { NamespaceDeletion, PodDeletion, Validation } from "../kinds/define-kind.ts";
import type { Strategies } from "../kinds/strategies.ts";
import type { WatchTranslator } from "./watch-translator.ts";
import type { WriteTarget } from "./write.ts";
export interface ServerSettings {
    readonly bookmarkIntervalMs: number;
    readonly watchBufferEvents: number;
    readonly watchBufferBytes: number;
    readonly bodyBytes: number;
    readonly storage: StorageOptions;
    readonly shardedListAndWatch: boolean;
    readonly namespaces: "strict" | "permissive";
    readonly namespaceDeletion: NamespaceDeletion;
    readonly podDeletion: PodDeletion;
    readonly validation: Validation;
    readonly bootstrap: "full" | "namespaces";
    readonly garbageCollection: "controller" | "instant" | "never";
    readonly users: ReadonlyMap<string, UserSettings> | undefined;
    readonly authorization: Authorization | undefined;
    readonly admission: readonly AdmissionPlugin[];
}
export interface ResourceTarget extends Omit<WriteTarget, "dryRun"> {
    readonly definition: ResourceDefinition;
    readonly clock: Clock;
}
export declare function targetOf(core: ServerCore, definition: ResourceDefinition): ResourceTarget;
export interface ServerCore {
    readonly storage: Storage;
    readonly registry: ResourceRegistry;
    readonly views: ResourceViews;
    readonly strategies: Strategies;
    readonly watches: WatchRegistry;
    readonly pods: PodControl;
    readonly translator: WatchTranslator;
    readonly clock: Clock;
    readonly random: Random;
    readonly jitter: Random;
    readonly settings: ServerSettings;
    readonly tokens: ServiceAccountTokens;
    readonly access: AccessGate;
    readonly admission: Admission;
}

// api/registry.ts
import type { ResourceDefinition, ServedVersion } from "./resource-definition.ts";
export interface FoundResource {
    readonly definition: ResourceDefinition;
    readonly served: ServedVersion;
}
export declare class ResourceRegistry {
    #private;
    constructor(definitions?: Iterable<ResourceDefinition>);
    get version(): number;
    set(definition: ResourceDefinition): void;
    delete(names: Pick<ResourceDefinition, "group" | "plural">): void;
    get(group: string, plural: string): ResourceDefinition | undefined;
    find(group: string, version: string, plural: string): FoundResource | undefined;
    definitions(): readonly ResourceDefinition[];
}
export declare function groupResource(names: Pick<ResourceDefinition, "group" | "plural">): string;
export declare function storageName(definition: ResourceDefinition): string;
export declare function storageVersionOf(definition: ResourceDefinition): ServedVersion | undefined;

// admission/admission.ts
import type { Random } from "@listwatch/core-fifo/base";
import type { FoundResource } from "../api/registry.ts";
import type { UserInfo } from "../authentication/user-info.ts";
import type { Authorization } from "../authorization/authorizer.ts";
import { type DecodeTarget } from "../input/decode-object.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Storage } from "../storage/storage.ts";
import type { AdmissionPlugin } from "./admission-plugin.ts";
import { RequestAdmission } from "./request-admission.ts";
export interface AdmissionOptions {
    readonly plugins: readonly AdmissionPlugin[];
    readonly authorization: Authorization | undefined;
    readonly storage: Pick<Storage, "store">;
    readonly random: Random;
}
export interface AdmittedRequest extends FoundResource, DecodeTarget {
    readonly info: RequestInfo;
    readonly user: UserInfo;
    readonly dryRun: boolean;
    readonly warnings: string[];
}
export declare class Admission {
    #private;
    constructor(options: AdmissionOptions);
    begin(request: AdmittedRequest): Promise<RequestAdmission | undefined>;
}

// input/decode-object.ts
import { type JsonObject } from "@listwatch/core-fifo/base";
import { type RequestBody } from "./body.ts";
import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { type FieldValidation } from "./field-validation.ts";
export type DecodedFrom = "json" | "patch";
export interface ObjectDecoder {
    decode(object: JsonObject, from: DecodedFrom): {
        readonly object: ApiObject;
        readonly unknown: readonly string[];
    };
    merge(object: JsonObject, patch: JsonObject): JsonObject;
    readonly isRegistered: (apiVersion: string, kind: string) => boolean;
}
export interface DecodeTarget {
    readonly definition: ResourceDefinition;
    readonly served: ServedVersion;
    readonly alsoTaken?: readonly string[] | undefined;
    readonly strategy: {
        decoder?(served: ServedVersion): Promise<ObjectDecoder | undefined>;
        conform?(object: ApiObject, served: ServedVersion | undefined, nulls?: "dropped" | "kept"): {
            readonly object: ApiObject;
            readonly unknown: readonly string[];
        };
    };
}
export interface ConformedObject {
    readonly object: ApiObject;
    readonly strictErrors: readonly string[];
}
export declare function decodeObject(target: DecodeTarget, body: RequestBody, validation: FieldValidation): Promise<ApiObject>;
export declare function kindComplaint({ definition }: Pick<DecodeTarget, "definition">, value: JsonObject, { isRegistered }: ObjectDecoder): string | undefined;
export interface ConformOptions {
    readonly decoder?: ObjectDecoder | undefined;
    readonly from?: DecodedFrom;
    readonly nulls?: "dropped" | "kept";
}
export declare function conform(target: DecodeTarget, value: JsonObject, served: ServedVersion | undefined, errorOf: (why: string) => Error, options?: ConformOptions): ConformedObject;
export declare function schemaOf(target: DecodeTarget, value: JsonObject): ServedVersion | undefined;

// input/body.ts
import { type JsonObject } from "@listwatch/core-fifo/base";
export type BodyFormat = "json" | "yaml" | "protobuf";
export declare function unsupportedBody(): Error;
export interface ExpectedKind {
    readonly apiVersion: string;
    readonly kind: string;
}
export interface RequestBodyOptions {
    readonly limit: number;
    onText(text: string): void;
    readProtobuf(bytes: Uint8Array, expected: ExpectedKind): Promise<JsonObject>;
}
export declare class RequestBody {
    #private;
    readonly type: string;
    constructor(request: Request, options: RequestBodyOptions);
    get format(): BodyFormat | undefined;
    text(): Promise<string>;
    bytes(): Promise<Uint8Array>;
    readProtobuf(bytes: Uint8Array, expected: ExpectedKind): Promise<JsonObject>;
}

// input/field-validation.ts
export interface FieldValidation {
    readonly query: URLSearchParams;
    readonly warnings: string[];
}
export declare function reportStrictErrors({ query, warnings }: FieldValidation, errors: readonly string[], errorOf: (why: string) => Error): void;
export declare function warningsOf(error: string): readonly string[];
export declare function invalidPatch(shown: string, why: string): Error;

// admission/request-admission.ts
import { type JsonObject, type Random } from "@listwatch/core-fifo/base";
import type { FoundResource } from "../api/registry.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import type { UserInfo } from "../authentication/user-info.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { type AdmissionOperation } from "./admission-match.ts";
import type { AdmissionPlugin } from "./admission-plugin.ts";
export interface AdmissionContext extends FoundResource {
    readonly plugins: readonly AdmissionPlugin[];
    readonly info: RequestInfo;
    readonly user: UserInfo;
    readonly dryRun: boolean;
    readonly warnings: string[];
    readonly random: Random;
    readonly conform: (object: JsonObject) => ApiObject;
    readonly checkGrants: ((object: ApiObject, old: ApiObject | undefined) => void) | undefined;
}
export interface AdmittedWrite {
    readonly operation: AdmissionOperation;
    readonly object: ApiObject | undefined;
    readonly oldObject: ApiObject | undefined;
    readonly dryRun?: boolean | undefined;
}
export interface AdmissionView {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    show(object: ApiObject): JsonObject;
}
export declare class RequestAdmission {
    #private;
    constructor(context: AdmissionContext, view?: AdmissionView);
    shownAs(view: AdmissionView): RequestAdmission;
    admit(write: AdmittedWrite & {
        readonly object: ApiObject;
    }): ApiObject;
    validate(write: AdmittedWrite): void;
}

// authorization/access-gate.ts
import type { Authenticator } from "../authentication/authenticator.ts";
import type { UserInfo } from "../authentication/user-info.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Authorizer } from "./authorizer.ts";
export declare class AccessGate {
    #private;
    readonly authenticator: Authenticator;
    readonly authorizer: Authorizer;
    constructor(authenticator: Authenticator, authorizer: Authorizer);
    admit(info: RequestInfo): Promise<UserInfo>;
}

// output/resource-views.ts
import { type EventFormat, type WatchEncoder } from "./watch-encoder.ts";
import { Presenter } from "./presenter.ts";
import type { FoundResource } from "../api/registry.ts";
export declare class ResourceViews {
    #private;
    presenter({ definition, served }: FoundResource): Presenter;
    watchEncoder(presenter: Presenter, format: EventFormat): WatchEncoder;
}

// output/watch-encoder.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { Presenter } from "./presenter.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { EventFraming } from "../faults/stream/event-counter.ts";
import type { WatchItem } from "./watch-item.ts";
export interface WatchEncoder {
    readonly framing: EventFraming;
    encode(item: WatchItem, shared: boolean): Uint8Array;
}
export interface EventFormat {
    readonly framing: EventFraming;
    event(type: string, object: JsonObject): Uint8Array;
    stored(type: string, stored: StoredObject, presenter: Presenter): Uint8Array;
}
export declare const jsonEvents: EventFormat;
export declare const protobufEvents: EventFormat;
export declare class ObjectWatchEncoder implements WatchEncoder {
    #private;
    readonly framing: EventFraming;
    constructor(presenter: Presenter, format: EventFormat);
    encode(item: WatchItem, shared: boolean): Uint8Array;
}
export declare class ViewWatchEncoder implements WatchEncoder {
    #private;
    readonly framing: EventFraming;
    constructor(presenter: Presenter, format: EventFormat, view: (object: ApiObject) => JsonObject);
    encode(item: WatchItem): Uint8Array;
}

// output/presenter.ts
import { type StoredObject } from "../storage/stored-object.ts";
import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
export declare class Presenter {
    #private;
    readonly definition: ResourceDefinition;
    readonly served: ServedVersion;
    readonly apiVersion: string;
    constructor(definition: ResourceDefinition, served: ServedVersion, convert?: (object: ApiObject) => ApiObject);
    text(stored: StoredObject): string;
    itemText(stored: StoredObject): string;
    object(stored: StoredObject): ApiObject;
    item(stored: StoredObject): ApiObject;
    withTypeMeta(object: ApiObject): ApiObject;
}

// output/watch-item.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
import type { StoredObject } from "../storage/stored-object.ts";
export type WatchItem = {
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly revision: number;
    readonly stored: StoredObject;
} | {
    readonly type: "BOOKMARK";
    readonly revision: number;
    readonly initialEventsEnd: boolean;
} | {
    readonly type: "ERROR";
    readonly revision: number;
    readonly status: JsonObject;
};

// kinds/define-kind.ts
import type { ApiObject, MetadataRepeats, PrinterColumn, ResourceDefinition, ScalePaths, SelectableField, ServedVersion, StoredAs, Subresource, VersionConversion } from "../api/resource-definition.ts";
import type { Clock } from "@listwatch/core-fifo/base";
import type { ObjectRules } from "../rules/object-rules.ts";
import type { NameRule } from "../validation/names.ts";
import type { ResourceStrategy } from "./strategy.ts";
export interface KindTraits {
    readonly group?: string | undefined;
    readonly version: string;
    readonly kind: string;
    readonly plural?: string | undefined;
    readonly shortNames?: readonly string[] | undefined;
    readonly categories?: readonly string[] | undefined;
    readonly cluster?: boolean | undefined;
    readonly status?: boolean | undefined;
    readonly scale?: ScalePaths | undefined;
    readonly subresources?: readonly Subresource[] | undefined;
    readonly verbs?: readonly string[] | undefined;
    readonly unconditionalUpdate?: boolean | undefined;
    readonly createOnUpdate?: boolean | undefined;
    readonly generation?: boolean | undefined;
    readonly desiredState?: ((object: ApiObject) => unknown) | undefined;
    readonly selectableFields?: readonly (string | SelectableField)[] | undefined;
    readonly columns?: readonly PrinterColumn[] | undefined;
    readonly rowConditions?: ServedVersion["rowConditions"];
    readonly returnsDeletedObject?: boolean | undefined;
    readonly graceful?: boolean | undefined;
    readonly orphansByDefault?: boolean | undefined;
    readonly orphanWarning?: string | undefined;
    readonly deprecation?: string | undefined;
    readonly nameRule?: NameRule | undefined;
    readonly metadataRepeats?: MetadataRepeats | undefined;
    readonly statusMetadataRepeats?: MetadataRepeats | undefined;
    readonly storedAs?: StoredAs | undefined;
    readonly otherVersions?: readonly OtherVersion[] | undefined;
    readonly storageHashVersion?: string | undefined;
    readonly defaults?: ((object: ApiObject) => ApiObject) | undefined;
    readonly dropDisabled?: ((object: ApiObject) => ApiObject) | undefined;
    readonly rules?: ObjectRules | undefined;
    readonly podTemplate?: readonly string[] | undefined;
    readonly strategy?: ((host: KindHost) => ResourceStrategy) | undefined;
}
export interface OtherVersion {
    readonly version: string;
    readonly conversion: VersionConversion;
}
export type PodDeletion = "instant" | "kubelet" | "never";
export type NamespaceDeletion = "instant" | "controller" | "never";
export type Validation = "full" | "off";
export interface KindHost {
    readonly clock: Clock;
    readonly podDeletion: PodDeletion;
    readonly namespaceDeletion: NamespaceDeletion;
    readonly validation: Validation;
    readonly objectsOf: (resource: Pick<ResourceDefinition, "group" | "plural">, namespace?: string) => readonly ApiObject[];
    readonly labelsOf: (resource: Pick<ResourceDefinition, "group" | "plural">, key: string) => Readonly<Record<string, string>>;
    readonly deleteObject: (resource: Pick<ResourceDefinition, "group" | "plural">, key: string, uid: string | undefined) => void;
    readonly terminateNamespace: (name: string) => void;
    readonly customResourceDefinitions: ResourceStrategy;
}
export interface Kind {
    readonly definition: ResourceDefinition;
    strategy(host: KindHost): ResourceStrategy;
}
export declare function defineKind(traits: KindTraits): Kind;

// rules/object-rules.ts
import type { FieldError } from "../api/field-error.ts";
import type { ApiObject } from "../api/resource-definition.ts";
export interface ObjectRules {
    readonly create: (object: ApiObject) => readonly FieldError[];
    readonly update: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
    readonly status?: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
    readonly warnings?: (object: ApiObject, stored: ApiObject | undefined) => readonly string[];
}
export declare function rulesOf(check: (object: ApiObject) => readonly FieldError[], more?: Partial<ObjectRules> & {
    readonly changes?: ObjectRules["update"];
    readonly first?: "check" | "changes";
}): ObjectRules;

// api/field-error.ts
export type FieldErrorReason = "FieldValueRequired" | "FieldValueInvalid" | "FieldValueTypeInvalid" | "FieldValueNotSupported" | "FieldValueForbidden" | "FieldValueDuplicate" | "FieldValueNotFound" | "FieldValueTooLong" | "FieldValueTooMany" | "InternalError";
export interface FieldError {
    readonly reason: FieldErrorReason;
    readonly field: string;
    readonly message: string;
}

// validation/names.ts
export type NameRule = (name: string) => readonly string[];
export declare function checkDnsSubdomain(name: string): readonly string[];
export declare function checkDnsLabel(name: string): readonly string[];
export declare function checkWildcardSubdomain(name: string): readonly string[];
export declare function checkDns1035Label(name: string): readonly string[];
export declare function checkConfigKey(key: string): readonly string[];
export declare function checkPortName(name: string): readonly string[];
export declare function checkPathSegment(name: string): readonly string[];
export declare const checkQualifiedName: NameRule;
export declare function checkLabelValue(value: string): readonly string[];
export declare function maskTrailingDash(prefix: string): string;

// kinds/strategy.ts
import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { FieldError } from "../api/field-error.ts";
import type { ObjectDecoder } from "../input/decode-object.ts";
import type { ConformedObject } from "../schema/conform-object.ts";
import type { ForbiddenNulls } from "../schema/defaults.ts";
import type { StoredObject } from "../storage/stored-object.ts";
export interface Creator {
    readonly username: string;
    readonly uid?: string | undefined;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
export interface SubresourceUpdate {
    take(sent: ApiObject, stored: ApiObject): ApiObject;
    validate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
    refuse?(object: ApiObject, stored: ApiObject): Error | undefined;
}
export interface ResourceStrategy {
    decoder?(served: ServedVersion): Promise<ObjectDecoder | undefined>;
    loadChecks?(served: ServedVersion): Promise<void> | undefined;
    conform?(object: ApiObject, served: ServedVersion | undefined, nulls?: ForbiddenNulls): ConformedObject;
    readonly desiredState?: ((object: ApiObject) => unknown) | undefined;
    prepareForCreate?(object: ApiObject, creator?: Creator): ApiObject;
    prepareForUpdate?(object: ApiObject, stored: ApiObject): ApiObject;
    validateCreate?(object: ApiObject, served: ServedVersion): readonly FieldError[];
    validateUpdate?(object: ApiObject, stored: ApiObject, served: ServedVersion): readonly FieldError[];
    admit?(object: ApiObject, stored: ApiObject | undefined): void;
    warnings?(object: ApiObject, stored: ApiObject | undefined): readonly string[];
    readonly orphansByDefault?: boolean | undefined;
    readonly orphanWarning?: string | undefined;
    readonly keepsStatusOnCreate?: boolean | undefined;
    validateStatus?(object: ApiObject, stored: ApiObject, served: ServedVersion): readonly FieldError[];
    readonly subresourceUpdates?: Readonly<Record<string, SubresourceUpdate>> | undefined;
    refuseCreate?(definition: ResourceDefinition, name: string): Error | undefined;
    refuseDelete?(stored: StoredObject): Error | undefined;
    staysWhenDeleted?(stored: ApiObject): boolean;
    markDeleted?(object: ApiObject): ApiObject;
    gracePeriod?(stored: ApiObject, asked: number | undefined): number;
    written?(version: StoredObject | undefined, previous: StoredObject | undefined): void;
}

// schema/conform-object.ts
import type { ApiObject, ServedVersion } from "../api/resource-definition.ts";
import type { ForbiddenNulls } from "./defaults.ts";
export interface ConformedObject {
    readonly object: ApiObject;
    readonly unknown: readonly string[];
}
export declare function conformToSchema(object: ApiObject, served: ServedVersion | undefined, nulls?: ForbiddenNulls): ConformedObject;
export declare function rereadObject(object: ApiObject, served: ServedVersion): ApiObject;

// schema/defaults.ts
import { type JsonObject } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";
export type ForbiddenNulls = "dropped" | "kept";
export declare function applyDefaults(object: JsonObject, schema: JsonSchema, nulls?: ForbiddenNulls): JsonObject;

// kinds/strategies.ts
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ResourceStrategy } from "./strategy.ts";
export declare class Strategies {
    #private;
    constructor(custom: ResourceStrategy);
    set(resource: string, strategy: ResourceStrategy): void;
    of(definition: ResourceDefinition): ResourceStrategy;
}

// verbs/watch-translator.ts
import type { StorageEvent } from "../storage/event-log.ts";
import type { Storage } from "../storage/storage.ts";
import type { WatchItem } from "../output/watch-item.ts";
import type { ObjectFilter } from "./object-filter.ts";
export declare class WatchTranslator {
    #private;
    constructor(storage: Storage);
    translate(event: StorageEvent, filter: ObjectFilter): WatchItem | undefined;
}

// verbs/object-filter.ts
import type { FoundResource } from "../api/registry.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { type StoredObject } from "../storage/stored-object.ts";
type Address = Pick<RequestInfo, "namespace" | "name" | "query">;
export interface ObjectFilter {
    readonly root: string;
    readonly selective: boolean;
    readonly key?: string | undefined;
    readonly shards?: string | undefined;
    matches(stored: StoredObject): boolean;
}
export declare function createObjectFilter(resource: FoundResource, info: Address, sharded: boolean): ObjectFilter;
export {};

// verbs/write.ts
import type { RequestAdmission } from "../admission/request-admission.ts";
import type { FoundResource } from "../api/registry.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import type { Creator, ResourceStrategy } from "../kinds/strategy.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
export interface WriteTarget {
    readonly storage: Storage;
    readonly store: ResourceStore;
    readonly strategy: ResourceStrategy;
    readonly dryRun: boolean;
}
export interface ResourceWrite extends FoundResource, WriteTarget {
    readonly user: Creator;
    readonly warnings: string[];
    readonly admission: RequestAdmission | undefined;
}
export declare function write({ dryRun, storage, store, strategy }: WriteTarget, object: ApiObject, previous: StoredObject | undefined): StoredObject;
export declare function remove({ dryRun, storage, store, strategy }: WriteTarget, previous: StoredObject): StoredObject;

// server/seeds.ts
import type { ApiObject } from "../api/resource-definition.ts";
import type { ServerCore } from "../verbs/server-core.ts";
export interface Seed {
    readonly place: string;
    readonly object: ApiObject;
}
export declare function storeSeeds(core: ServerCore, seeds: readonly Seed[]): void;

// adapters/node.ts
import type { FetchHandler } from "../api/fetch-handler.ts";
import { type Listener, type ListenOptions } from "./listening.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export declare function listen(server: FetchHandler, options?: ListenOptions): Promise<Listener>;

// adapters/listening.ts
export interface ListenOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly cors?: readonly string[] | undefined;
    readonly tls?: boolean | undefined;
}
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
export declare function listenerUrl(scheme: "http" | "https", host: string, port: number): string;

// adapters/deno.ts
import type { FetchHandler } from "../api/fetch-handler.ts";
import { type Listener, type ListenOptions } from "./listening.ts";
export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export declare function listen(server: FetchHandler, options?: ListenOptions): Promise<Listener>;

// adapters/bun.ts
export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";
export { listen } from "./node.ts";

// adapters/node-command.ts
export declare function runCommand(name: string, args: readonly string[]): Promise<void>;
