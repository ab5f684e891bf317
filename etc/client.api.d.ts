// index.ts
export { createConnection, type ConnectionConfig } from "./connection/create-connection.ts";
export { CredentialsError } from "./errors/credentials-error.ts";
export { DecodeError, NotAListError } from "./errors/decode-errors.ts";
export { isNetworkError, NetworkError, networkErrorFrom } from "./errors/network-error.ts";
export { isAlreadyExists, isConflict, isExpired, isNotFound, isStatusError, isTooLargeResourceVersion, isTooManyRequests, retryAfterMs, StatusError, } from "./errors/status-error.ts";
export { isStatus, type Status, type StatusReason } from "./errors/status.ts";
export type { Connection, FetchFunction } from "./http/connection.ts";
export type { Decoder, ReuseFunction } from "./json/decoder.ts";
export { jsonDecoder } from "./json/json-decoder.ts";
export type { ListMeta, ListOptions, WatchEvent, WatchOptions } from "./resource/list-watch.ts";
export type { ApplyConfiguration, Draft, Wire } from "./resource/object-forms.ts";
export { defineResource, type Resource, type ResourceReference } from "./resource/resource.ts";
export { createClient, type Client, type ClientOptions } from "./verbs/client.ts";
export { Collection, type CollectionOptions, type ListContext, type RequestContext, } from "./verbs/collection.ts";
export type { DeleteOptions, PatchOptions, ResourceClient } from "./verbs/resource-client.ts";

// connection/create-connection.ts
import { type Connection, type FetchFunction } from "../http/connection.ts";
import { type HeadersSource } from "../http/headers.ts";
export interface ConnectionConfig {
    readonly server: string;
    readonly namespace?: string | undefined;
    readonly fetch?: FetchFunction | undefined;
    readonly headers?: HeadersSource | undefined;
}
export declare function createConnection(config: ConnectionConfig): Connection;

// http/connection.ts
export type FetchFunction = (request: Request) => Promise<Response>;
export interface Connection {
    readonly server: string;
    readonly namespace: string | undefined;
    readonly fetch: FetchFunction;
}
export declare function checkServer(server: unknown): string;

// http/headers.ts
import type { FetchFunction } from "./connection.ts";
export interface HeadersContext {
    readonly refresh: boolean;
}
export type HeaderFields = Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
export type HeadersSource = HeaderFields | ((context: HeadersContext) => HeaderFields | Promise<HeaderFields>);
export declare function addHeaders(fetch: FetchFunction, source: HeadersSource): FetchFunction;

// errors/credentials-error.ts
import { ListwatchError } from "@listwatch/core-fifo/base";
export declare class CredentialsError extends ListwatchError {
    readonly name: string;
    constructor(attempted: string, options: {
        readonly cause: unknown;
    });
}

// errors/decode-errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class DecodeError extends ListwatchError {
    readonly name: string;
    readonly offset: number;
    readonly start: string;
    constructor(expected: string, offset: number, text: string, options?: ErrorOptions);
}
export declare class NotAListError extends ListwatchError {
    readonly name: string;
    constructor(got: string);
}

// errors/network-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
export type NetworkErrorKind = "connection-refused" | "connection-reset" | "eof" | "unexpected-eof" | "timeout" | "unknown";
export declare class NetworkError extends ListwatchError {
    readonly name: string;
    readonly kind: NetworkErrorKind;
    constructor(kind: NetworkErrorKind, message: string, options?: ErrorOptions);
}
export declare function isNetworkError(error: unknown, ...kinds: readonly NetworkErrorKind[]): boolean;
export declare function networkErrorFrom(error: unknown, attempted: string): NetworkError;

// errors/status-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
import { type Status, type StatusReason } from "./status.ts";
export interface StatusErrorOptions extends ErrorOptions {
    readonly retryAfterMs?: number | undefined;
}
export declare class StatusError extends ListwatchError {
    readonly name: string;
    readonly status: Status;
    readonly retryAfterMs: number | undefined;
    constructor(status: Status, options?: StatusErrorOptions);
    get httpCode(): number;
    get reason(): string;
}
export declare function isStatusError(error: unknown): error is StatusError;
export declare function isStatusError(error: unknown, ...reasons: readonly StatusReason[]): boolean;
export declare function isNotFound(error: unknown): boolean;
export declare function isAlreadyExists(error: unknown): boolean;
export declare function isConflict(error: unknown): boolean;
export declare function isExpired(error: unknown): boolean;
export declare function isTooManyRequests(error: unknown): boolean;
export declare function isTooLargeResourceVersion(error: unknown): boolean;
export declare function retryAfterMs(error: unknown): number | undefined;

// errors/status.ts
export interface StatusCause {
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly field?: string | undefined;
}
export interface Status {
    readonly kind?: string | undefined;
    readonly apiVersion?: string | undefined;
    readonly metadata?: {
        readonly continue?: string | undefined;
    } | undefined;
    readonly status?: string | undefined;
    readonly message?: string | undefined;
    readonly reason?: string | undefined;
    readonly details?: {
        readonly name?: string | undefined;
        readonly kind?: string | undefined;
        readonly causes?: readonly StatusCause[] | undefined;
        readonly retryAfterSeconds?: number | undefined;
    } | undefined;
    readonly code?: number | undefined;
}
declare const codeOfReason: {
    readonly BadRequest: 400;
    readonly Unauthorized: 401;
    readonly Forbidden: 403;
    readonly NotFound: 404;
    readonly MethodNotAllowed: 405;
    readonly NotAcceptable: 406;
    readonly Conflict: 409;
    readonly AlreadyExists: undefined;
    readonly Gone: 410;
    readonly Expired: undefined;
    readonly RequestEntityTooLarge: 413;
    readonly UnsupportedMediaType: 415;
    readonly Invalid: 422;
    readonly TooManyRequests: 429;
    readonly InternalError: 500;
    readonly StoreReadError: undefined;
    readonly ServerTimeout: undefined;
    readonly ServiceUnavailable: 503;
    readonly Timeout: 504;
};
export type StatusReason = keyof typeof codeOfReason;
export declare function isStatus(value: unknown): value is Status;
export declare function hasReason(status: Status, reason: StatusReason): boolean;
export declare function reasonOfCode(code: number): StatusReason | "";
export {};

// json/decoder.ts
import type { ListMeta, WatchEvent } from "../resource/list-watch.ts";
export interface ObjectIdentity {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
}
export type ReuseFunction<T> = (identity: ObjectIdentity) => T | undefined;
export interface ListDecoderOptions<T> {
    readonly reuse?: ReuseFunction<T> | undefined;
}
export interface ListDecoder<T> {
    readonly apiVersion: string | undefined;
    readonly kind: string | undefined;
    readonly metadata: ListMeta | undefined;
    write(chunk: Uint8Array, into: T[]): void;
    end(into: T[]): void;
}
export interface WatchDecoder<T> {
    write(chunk: Uint8Array, into: WatchEvent<T>[]): void;
    end(into: WatchEvent<T>[]): void;
}
export interface Decoder {
    readonly mediaType: string;
    list<T>(options?: ListDecoderOptions<T>): ListDecoder<T>;
    watch<T>(): WatchDecoder<T>;
}

// resource/list-watch.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
export type ResourceVersionMatch = "NotOlderThan" | "Exact";
export interface ListOptions {
    readonly resourceVersion?: string | undefined;
    readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
    readonly limit?: number | undefined;
    readonly continue?: string | undefined;
}
export interface WatchOptions {
    readonly resourceVersion?: string | undefined;
    readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
    readonly allowWatchBookmarks?: boolean | undefined;
    readonly sendInitialEvents?: boolean | undefined;
    readonly timeoutSeconds?: number | undefined;
}
export interface ListMeta {
    readonly resourceVersion?: string | undefined;
    readonly continue?: string | undefined;
    readonly remainingItemCount?: number | undefined;
    readonly shardInfo?: {
        readonly selector?: string | undefined;
    } | undefined;
}
export interface ObjectEvent<T> {
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly object: T;
}
export interface BookmarkEvent {
    readonly type: "BOOKMARK";
    readonly object: KubernetesObject;
}
export interface ErrorEvent {
    readonly type: "ERROR";
    readonly object: unknown;
}
export type WatchEvent<T> = ObjectEvent<T> | BookmarkEvent | ErrorEvent;

// json/json-decoder.ts
import type { Decoder } from "./decoder.ts";
export interface JsonDecoderOptions {
    readonly stripManagedFields?: boolean | undefined;
}
export declare function jsonDecoder(options?: JsonDecoderOptions): Decoder;

// resource/object-forms.ts
type Leaf = string | number | boolean | bigint | symbol | null | undefined | ((...args: never[]) => unknown);
type ReadonlyForm<T> = T extends Leaf ? T : T extends readonly (infer E)[] ? readonly ReadonlyForm<E>[] : T extends object ? {
    readonly [K in keyof T]: ReadonlyForm<T[K]>;
} : T;
type ImpliedMember = "apiVersion" | "kind" | "status";
export type Draft<T> = {
    readonly [K in keyof T as K extends ImpliedMember ? never : K]: ReadonlyForm<T[K]>;
} & {
    readonly [K in keyof T as K extends ImpliedMember ? K : never]?: ReadonlyForm<T[K]> | undefined;
};
export type ApplyConfiguration<T> = T extends Leaf ? T : T extends readonly (infer E)[] ? readonly ApplyElement<E>[] : T extends object ? {
    readonly [K in keyof T]?: ApplyConfiguration<T[K]> | undefined;
} : T;
type ApplyElement<E> = E extends Leaf ? E : E extends object ? {
    readonly [K in keyof E]: ApplyConfiguration<E[K]>;
} : E;
export type Wire<T> = T extends Date ? string : T extends Leaf ? T : T extends readonly (infer E)[] ? Wire<E>[] : T extends object ? {
    [K in keyof T as K extends `_${infer Name}` ? Name : K]: Wire<T[K]>;
} : T;
export {};

// resource/resource.ts
import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
declare const types: unique symbol;
export interface ResourceTypes<T, Sub> {
    readonly object: T;
    readonly subresources: Sub;
}
export interface ResourceReference<T = KubernetesObject, S extends Scope = Scope, Sub = unknown> {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly kind?: string | undefined;
    readonly scope?: S | undefined;
    readonly [types]?: ResourceTypes<T, Sub> | undefined;
}
export interface Resource<T = KubernetesObject, S extends Scope = Scope, Sub = unknown> extends ResourceReference<T, S, Sub> {
    readonly kind: string;
    readonly scope: S;
    readonly shortNames?: readonly string[] | undefined;
    readonly subresources?: readonly string[] | undefined;
}
export declare function defineResource<T, S extends Scope = "Namespaced", Sub = unknown>(resource: Omit<Resource<T, S, Sub>, typeof types>): Resource<T, S, Sub>;
export {};

// verbs/client.ts
import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import { type Clock } from "@listwatch/core-fifo/base";
import type { Connection } from "../http/connection.ts";
import type { ResourceReference } from "../resource/resource.ts";
import { ResourceClient } from "./resource-client.ts";
export interface ClientOptions {
    readonly fieldManager?: string | undefined;
    readonly clock?: Clock | undefined;
}
export interface Client {
    resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope>(resource: ResourceReference<T, S>): ResourceClient<T, S>;
}
export declare function createClient(connection: Connection, options?: ClientOptions): Client;

// verbs/resource-client.ts
import { type Cached, type Key, type KubernetesObject, type Scope } from "@listwatch/core-fifo";
import type { Requester } from "../http/request.ts";
import type { Draft } from "../resource/object-forms.ts";
import type { ResourceReference } from "../resource/resource.ts";
export interface RequestOptions {
    readonly signal?: AbortSignal | undefined;
}
export type PatchType = "merge" | "json" | "strategic" | "apply";
export interface PatchOptions extends RequestOptions {
    readonly type?: PatchType | undefined;
    readonly subresource?: "status" | "scale" | undefined;
    readonly force?: boolean | undefined;
}
export interface DeleteOptions extends RequestOptions {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
}
export declare class ResourceClient<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope> {
    #private;
    readonly resource: ResourceReference<T, S>;
    constructor(requester: Requester, resource: ResourceReference<T, S>, fieldManager: string | undefined);
    get(key: Key<S>, { signal }?: RequestOptions): Promise<T>;
    create(object: Draft<T>, { signal }?: RequestOptions): Promise<T>;
    update(object: T | Cached<T>, { signal }?: RequestOptions): Promise<T>;
    updateStatus(object: T | Cached<T>, { signal }?: RequestOptions): Promise<T>;
    patch(key: Key<S>, patch: unknown, options?: PatchOptions): Promise<T>;
    patchStatus(key: Key<S>, patch: unknown, options?: PatchOptions): Promise<T>;
    delete(key: Key<S>, options?: DeleteOptions): Promise<void>;
}

// http/request.ts
import { type Clock } from "@listwatch/core-fifo/base";
import { type Connection } from "./connection.ts";
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;
export interface ApiRequest {
    readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    readonly path: string;
    readonly query?: QueryParameters | undefined;
    readonly accept?: string | undefined;
    readonly body?: unknown;
    readonly contentType?: string | undefined;
    readonly attempted?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare class Requester {
    #private;
    readonly server: string;
    constructor(connection: Connection, clock: Clock);
    send(request: ApiRequest): Promise<Response>;
    sendForJson<T>(request: ApiRequest): Promise<T>;
}

// verbs/collection.ts
import { type Clock } from "@listwatch/core-fifo/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { Connection } from "../http/connection.ts";
import type { Decoder, ReuseFunction } from "../json/decoder.ts";
import type { ListMeta, ListOptions, WatchEvent, WatchOptions } from "../resource/list-watch.ts";
import type { ResourceReference } from "../resource/resource.ts";
export interface CollectionOptions<T = KubernetesObject> {
    readonly connection: Connection;
    readonly resource: ResourceReference<T>;
    readonly namespace?: string | undefined;
    readonly labelSelector?: string | undefined;
    readonly fieldSelector?: string | undefined;
    readonly shardSelector?: string | undefined;
    readonly metadataOnly?: boolean | undefined;
    readonly decoder?: Decoder | undefined;
    readonly clock?: Clock | undefined;
}
export interface RequestContext {
    readonly signal: AbortSignal;
}
export interface ListContext<T> extends RequestContext {
    readonly reuse?: ReuseFunction<T> | undefined;
}
export interface ListStream<T> {
    readonly apiVersion: string | undefined;
    readonly kind: string | undefined;
    readonly metadata: ListMeta | undefined;
    readonly items: AsyncIterable<readonly T[]>;
}
export declare class Collection<T = KubernetesObject> {
    #private;
    constructor(options: CollectionOptions<T>);
    list(options: ListOptions, context: ListContext<T>): Promise<ListStream<T>>;
    watch(options: WatchOptions, context: RequestContext): Promise<AsyncIterable<readonly WatchEvent<T>[]>>;
}
