// index.ts
export type { StreamedInformer } from "./log/collection-log.ts";
export type { Grant } from "./access/grant.ts";
export { reviewAccess, type AccessUser, type ReviewAccessOptions, } from "./access/subject-access.ts";
export { eventStreamSource, type EventStreamSource, type EventStreamSourceOptions, type StreamRequestInit, } from "./page/event-stream-source.ts";
export { StreamError } from "./page/stream-error.ts";
export type { EventStreamOptions, ObjectOf, StreamedInformers, } from "./server/event-stream-options.ts";
export { toEventStream, type EventStreamHandler, type EventStreamStatus, } from "./server/to-event-stream.ts";

// log/collection-log.ts
import type { Cached } from "@listwatch/core-fifo";
import type { AddListenerOptions, InformerEvent, Listener, ProblemReason, SourceStatus } from "@listwatch/shared-informer";
export interface StreamedInformer {
    addListener(listener: never, options?: AddListenerOptions): void;
    removeListener(listener: never): Promise<void>;
    status(): SourceStatus;
}
export interface Change {
    readonly log: CollectionLog;
    readonly key: string;
    readonly old: Cached<object> | undefined;
    readonly object: Cached<object> | undefined;
    readonly frames: Map<unknown, string>;
}
interface CollectionLogParts {
    readonly name: string;
    readonly informer: StreamedInformer;
    readonly maxEntries: number;
    readonly count: () => number;
    readonly onChange: (change: Change) => void;
    readonly onSynced: () => void;
    readonly onEnd: () => void;
}
export declare class CollectionLog implements Listener<object> {
    #private;
    readonly name: string;
    readonly backlog: number;
    readonly objects: Map<string, Cached<object>>;
    constructor(parts: CollectionLogParts);
    get isSynced(): boolean;
    get isEnded(): boolean;
    get problem(): ProblemReason | undefined;
    follow(): void;
    leave(): Promise<void>;
    since(change: number): Map<string, (Cached<object> | undefined)[]> | undefined;
    push(event: InformerEvent<object>): void;
    sourceSynced(): void;
    start(): void;
    stop(): Promise<void>;
}
export {};

// access/grant.ts
export type Grant = boolean | {
    readonly namespaces: readonly string[];
};
export type CheckedGrant = true | ReadonlySet<string>;
export declare function checkGrant(grant: unknown): CheckedGrant | undefined;
export declare function isGranted(grant: CheckedGrant, object: unknown): boolean;
export declare function describeGrant(grant: CheckedGrant): string;

// access/subject-access.ts
import type { Client, Resource } from "@listwatch/client";
import { type Clock } from "@listwatch/core-fifo/base";
import type { Grant } from "./grant.ts";
export interface AccessUser {
    readonly user: string | null | undefined;
    readonly groups?: readonly string[] | undefined;
}
export interface ReviewAccessOptions {
    readonly client: Client;
    readonly resources: Readonly<Record<string, Resource<object>>>;
    readonly userOf: (request: Request) => AccessUser | Promise<AccessUser | undefined> | undefined;
    readonly namespaces?: (() => Iterable<string>) | undefined;
    readonly keepMs?: number | undefined;
    readonly clock?: Clock | undefined;
}
export declare function reviewAccess(options: ReviewAccessOptions): (request: Request, collection: string) => Promise<Grant>;

// page/event-stream-source.ts
import { type Clock, type Random } from "@listwatch/core-fifo";
import type { InformerSource } from "@listwatch/shared-informer";
export interface EventStreamSourceOptions {
    readonly fetch?: ((url: string, init: StreamRequestInit) => Promise<Response>) | undefined;
    readonly headers?: (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>) | undefined;
    readonly silenceMs?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export interface StreamRequestInit {
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly cache: "no-store";
}
export interface EventStreamSource {
    collection<T extends object>(name: string): InformerSource<T>;
}
export declare function eventStreamSource(url: string | URL, options?: EventStreamSourceOptions): EventStreamSource;

// page/stream-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
import type { ProblemReason } from "@listwatch/shared-informer";
export declare class StreamError extends ListwatchError {
    readonly name: string;
    readonly reason: ProblemReason;
    readonly httpCode: number;
    constructor(message: string, reason: ProblemReason, httpCode?: number, options?: ErrorOptions);
    get failureKind(): string;
}
export declare function reasonOfStatus(status: number): ProblemReason;

// server/event-stream-options.ts
import type { FieldPath } from "@listwatch/client";
import { type Cached, type Clock, type Log, type OptionsOf } from "@listwatch/core-fifo/base";
import type { Listener } from "@listwatch/shared-informer";
import type { Grant } from "../access/grant.ts";
import type { StreamedInformer } from "../log/collection-log.ts";
export type StreamedInformers = Readonly<Record<string, StreamedInformer>>;
export type ObjectOf<N> = N extends {
    addListener(listener: Listener<infer T>): void;
} ? T : never;
export interface EventStreamOptions<C extends StreamedInformers> {
    readonly authorize: (request: Request, collection: keyof C & string) => Grant | Promise<Grant>;
    readonly filter?: {
        readonly [Name in keyof C]?: ((object: Cached<ObjectOf<C[Name]>>, request: Request) => boolean) | undefined;
    } | undefined;
    readonly fields?: ((request: Request, collection: keyof C & string) => readonly FieldPath[] | undefined) | undefined;
    readonly identify?: ((request: Request) => string) | undefined;
    readonly authorizeMs?: number | undefined;
    readonly authorizeLimitMs?: number | undefined;
    readonly heartbeatMs?: number | undefined;
    readonly maxLog?: number | undefined;
    readonly bufferBytes?: number | undefined;
    readonly maxStreams?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly log?: Log | undefined;
}
export declare const eventStreamTable: OptionsOf<EventStreamOptions<StreamedInformers>>;
export declare function checkFilters(filters: object, informers: object): void;

// server/to-event-stream.ts
import { type EventStreamOptions, type StreamedInformers } from "./event-stream-options.ts";
export interface EventStreamStatus {
    readonly streams: number;
    readonly slowStreams: number;
    readonly waitingObjects: number;
}
export interface EventStreamHandler extends AsyncDisposable {
    (request: Request): Promise<Response>;
    readonly fetch: (request: Request) => Promise<Response>;
    status(): EventStreamStatus;
}
export declare function toEventStream<C extends StreamedInformers>(informers: C, options: EventStreamOptions<C>): EventStreamHandler;
