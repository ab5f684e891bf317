// index.ts
export { checkedServer } from "./connection/server-address.ts";
export { DecodeError, NotAListError } from "./errors/decode-errors.ts";
export { isNetworkError, NetworkError, networkErrorFrom, type NetworkErrorKind, } from "./errors/network-error.ts";
export { isAlreadyExists, isConflict, isExpired, isNotFound, isStatusError, isTooLargeResourceVersion, isTooManyRequests, retryAfterMs, StatusError, type StatusErrorOptions, } from "./errors/status-error.ts";
export { isStatus, type Status, type StatusCause, type StatusReason } from "./errors/status.ts";
export { readBatches } from "./http/body.ts";
export { statusErrorFrom } from "./http/error-response.ts";
export type { Decoder, ListDecoder, ListDecoderOptions, ObjectIdentity, ReuseFunction, WatchDecoder, } from "./json/decoder.ts";
export { jsonDecoder, type JsonDecoderOptions } from "./json/json-decoder.ts";
export type { BookmarkEvent, ErrorEvent, ListMeta, ListOptions, ObjectEvent, ResourceVersionMatch, WatchEvent, WatchOptions, } from "./resource/list-watch.ts";
export { defineResource, type Resource, type ResourceReference, type ResourceTypes, } from "./resource/resource.ts";

// connection/server-address.ts
export declare function checkedServer(server: unknown): string;

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

// http/body.ts
import { type Clock } from "@listwatch/core-fifo/base";
export interface PieceDecoder<Item> {
    write(chunk: Uint8Array, into: Item[]): void;
    end(into: Item[]): void;
}
export interface ReadOptions {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly attempted: string;
}
export declare function readBatches<Item>(body: ReadableStream<Uint8Array>, decoder: PieceDecoder<Item>, options: ReadOptions): AsyncIterable<readonly Item[]>;

// http/error-response.ts
import { StatusError } from "../errors/status-error.ts";
export declare function statusErrorFrom(response: Response, attempted: string, now: number): Promise<StatusError>;

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
    readonly resourceVersion?: string;
    readonly resourceVersionMatch?: ResourceVersionMatch;
    readonly limit?: number;
    readonly continue?: string;
}
export interface WatchOptions {
    readonly resourceVersion?: string;
    readonly resourceVersionMatch?: ResourceVersionMatch;
    readonly allowWatchBookmarks?: boolean;
    readonly sendInitialEvents?: boolean;
    readonly timeoutSeconds?: number;
}
export interface ListMeta {
    readonly resourceVersion?: string | undefined;
    readonly continue?: string | undefined;
    readonly remainingItemCount?: number | undefined;
    readonly shardInfo?: {
        readonly selector?: string;
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
    readonly stripManagedFields?: boolean;
}
export declare function jsonDecoder(options?: JsonDecoderOptions): Decoder;

// resource/resource.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
export type Scope = "Namespaced" | "Cluster";
declare const types: unique symbol;
export interface ResourceTypes<T, Sub> {
    readonly object: T;
    readonly subresources: Sub;
}
export interface ResourceReference<T = KubernetesObject, S extends Scope = Scope, Sub = unknown> {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
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
