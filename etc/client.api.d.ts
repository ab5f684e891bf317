// index.ts
export { observeConnection, type ConnectionTelemetry } from "./http/observe-connection.ts";
export type { ClusterConfig, ExecConfig, OidcConfig, Impersonation, PemSource, UserCredentials, } from "./credentials/cluster-config.ts";
export type { OidcTokenPair, OidcTokenStore } from "./credentials/cluster-config.ts";
export { createConnection, type ConnectionConfig } from "./connection/create-connection.ts";
export { resolveKubeconfig, type KubeconfigFile, type ResolveOptions, } from "./connection/resolve-kubeconfig.ts";
export type { DiscoveredResource, GroupFailure, ResourceTable, } from "./discovery/discovered-resource.ts";
export type { Discovery, TypeReference } from "./discovery/discovery.ts";
export { DecodeError, LazyTextError } from "./errors/decode-errors.ts";
export { ConfigError, CredentialsError, DroppedFieldsError } from "./errors/errors.ts";
export { isNetworkError, NetworkError, type NetworkErrorKind } from "./errors/network-error.ts";
export { isAlreadyExists, isConflict, isNotFound, isStatusError, isTooManyRequests, StatusError, type RefusedRequest, type StatusErrorOptions, } from "./errors/status-error.ts";
export type { Status, StatusCause, StatusReason } from "./errors/status.ts";
export type { Connection, Encoding, FetchFunction } from "./http/connection.ts";
export type { ListProgress } from "./http/progress-limit.ts";
export type { ApiRequest, QueryParameters, UnaryRequest } from "./http/request.ts";
export type { Warning } from "./http/warnings.ts";
export type { AskedCollection, Codec, CodecOptions, Decoder, DecoderSettings, ListDecoder, ListDecoderOptions, ObjectForm, ObjectIdentity, ReuseFunction, WatchDecoder, WatchDecoderOptions, } from "./json/decoder.ts";
export { countDroppedFields } from "./json/dropped-fields.ts";
export { jsonDecoder, type JsonDecoderOptions } from "./json/json-decoder.ts";
export { extractOwned, type ExtractOptions, type OwnedConfiguration, } from "./resource/extract-owned.ts";
export { countLazyReads } from "./json/lazy-reads.ts";
export { InvalidNameError, type PathPart } from "./resource/invalid-name-error.ts";
export type { BookmarkEvent, ListMeta, ListOptions, ObjectEvent, ResourceVersionMatch, WatchErrorEvent, WatchEvent, WatchOptions, } from "./resource/list-watch.ts";
export type { ApplyConfiguration, ApplyElement, DashedName, Draft, DraftMeta, Identity, ImpliedMember, KeyOf, NamedConfiguration, Replacement, StoredMeta, Wire, WireName, Written, } from "./resource/object-forms.ts";
export type { JsonPatch, JsonPatchOperation, MergePatch, MergeValue, Patches, PatchOf, StrategicDirectives, StrategicElement, StrategicPatch, StrategicValue, } from "./resource/patches.ts";
export type { FieldPath, FirstName, IdentityNames, Kept, KeptFields, NamesInPath, PartialObjectMetadata, PickedFields, PickedValue, Projected, ProjectedIdentity, RestOfNames, } from "./resource/projected.ts";
export { defineResource, type Defaulted, type Resource, type ResourceReference, type ResourceTypes, } from "./resource/resource.ts";
export { fnv1a64, shardRange, ShardSelector, type ShardKey } from "./resource/shard-selector.ts";
export { createClient, type Client, type ClientOptions, type NamespacedClient, } from "./verbs/client.ts";
export { Collection, type CollectionOptions, type ListContext, type ListStream, type RequestContext, } from "./verbs/collection.ts";
export type { ObjectList, AnyListOptions, ReadItemsOptions, ReadListOptions, WatchObjectsOptions, } from "./verbs/list-reader.ts";
export type { LogOptions, LogStream } from "./verbs/pod-log.ts";
export type { ApplyOptions, DeleteCollectionOptions, DeleteOptions, FieldValidation, PatchOptions, PatchType, RequestOptions, Selection, UpdateOptions, WriteOptions, } from "./verbs/request-options.ts";
export type { CompletedWrite } from "./verbs/completed-write.ts";
export type { ResourceClient, SubresourceName, SubresourceOf } from "./verbs/resource-client.ts";
export type { IssuedToken, TokenBinding, TokenOptions } from "./verbs/service-account-token.ts";
export type { SubresourceBody, SubresourceClient } from "./verbs/subresource-client.ts";
export { allOf, anyOf, not, type ChangeFilter } from "./waiting/combine.ts";
export { hasCondition, isDeleted, isReady, type Condition } from "./waiting/conditions.ts";
export { hasLoadBalancer, isEstablished, isJobFinished, isPodReady, isPodRunning, } from "./waiting/conditions-of-kinds.ts";
export { ensureDefinition, type EnsureDefinitionOptions } from "./waiting/ensure-definition.ts";
export { isRolledOut } from "./waiting/rollout.ts";
export { waitFor, WaitError, type WaitableInformer, type WaitForOptions, } from "./waiting/wait-for.ts";
export type { HeaderFields, HeadersContext, HeadersSource } from "./http/headers.ts";

// http/observe-connection.ts
import { type Clock, type MetricsSink, type TraceSink } from "@listwatch/core-fifo/base";
import { type Connection } from "./connection.ts";
export interface ConnectionTelemetry {
    readonly metrics?: MetricsSink | undefined;
    readonly traces?: TraceSink | undefined;
    readonly clock?: Clock | undefined;
}
export declare function observeConnection<C extends Connection>(connection: C, telemetry: ConnectionTelemetry): C;
export declare function templateOf(path: string): string;

// http/connection.ts
import { type OptionCheck } from "@listwatch/core-fifo/base";
import type { Codec } from "../json/decoder.ts";
export type FetchFunction = (request: Request) => Promise<Response>;
export type Encoding = "json" | "protobuf" | Codec;
export declare const anEncoding: OptionCheck;
export interface Connection {
    readonly server: string;
    readonly namespace: string | undefined;
    readonly encoding?: Encoding | undefined;
    readonly fetch: FetchFunction;
}
export declare function checkConnection(value: unknown): void;

// json/decoder.ts
import type { FieldPath } from "../resource/projected.ts";
import type { ListMeta, WatchEvent } from "../resource/list-watch.ts";
export interface ObjectIdentity {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
}
export type ReuseFunction<T> = (identity: ObjectIdentity) => T | undefined;
export interface WatchDecoderOptions<T> {
    readonly reuse?: ReuseFunction<T> | undefined;
    readonly contentType?: string | undefined;
}
export interface ListDecoderOptions<T> {
    readonly reuse?: ReuseFunction<T> | undefined;
    readonly contentType?: string | undefined;
}
export interface DecoderSettings {
    readonly stripManagedFields: boolean;
    readonly maxObjectBytes: number;
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
export interface ObjectForm {
    readonly fields?: readonly FieldPath[] | undefined;
    readonly lazy?: boolean | undefined;
    readonly managedFields?: boolean | undefined;
}
export interface AskedCollection {
    readonly apiVersion: string;
    readonly resource: string;
    readonly metadataOnly: boolean;
}
export interface Decoder {
    readonly mediaType: string;
    readonly acceptedTypes?: ((collection: AskedCollection) => readonly string[]) | undefined;
    list<T>(options?: ListDecoderOptions<T>): ListDecoder<T>;
    watch<T>(options?: WatchDecoderOptions<T>): WatchDecoder<T>;
    readonly inForm?: ((form: ObjectForm) => Promise<Decoder>) | undefined;
    readonly settings?: DecoderSettings | undefined;
    readonly readStatus?: ((body: Uint8Array) => object | undefined) | undefined;
}
export interface CodecOptions {
    readonly json: Decoder;
    readonly settings: DecoderSettings;
    readonly fields?: readonly FieldPath[] | undefined;
    readonly onDroppedFields?: ((kind: string) => void) | undefined;
}
export interface Codec {
    readonly createDecoder: (options: CodecOptions) => Decoder;
}

// resource/projected.ts
import { type Incomplete, type KubernetesObject, type ObjectMeta } from "@listwatch/core-fifo/base";
export type FieldPath = string | readonly string[];
export declare function namesOfFields(fields: unknown): readonly (readonly string[])[];
export type NamesInPath<Path> = Path extends readonly string[] ? Path : Path extends `${infer Name}.${infer Rest}` ? readonly [Name, ...NamesInPath<Rest>] : readonly [Path];
export type RestOfNames<Names, Name> = Names extends readonly [infer First, ...infer Rest] ? Name extends First ? Rest : never : never;
export type FirstName<Names> = Names extends readonly [infer First, ...unknown[]] ? First : never;
export type PickedValue<V, Names> = true extends (Names extends readonly [] ? true : never) ? V : V extends readonly unknown[] ? undefined : V extends object ? PickedFields<V, Names> : V extends undefined ? V : undefined;
export type PickedFields<T, Names> = string extends keyof T ? {
    readonly [Name in FirstName<Names> & string]?: PickedValue<T[keyof T], RestOfNames<Names, Name>>;
} : {
    [Name in keyof T as Name extends FirstName<Names> ? Name : never]: PickedValue<T[Name], RestOfNames<Names, Name>>;
};
export interface ProjectedIdentity {
    readonly apiVersion?: string | undefined;
    readonly kind?: string | undefined;
    readonly metadata?: Pick<ObjectMeta, "name" | "namespace" | "uid" | "resourceVersion"> | undefined;
}
export type IdentityNames = readonly ["apiVersion" | "kind"] | readonly ["metadata", "name" | "namespace" | "uid" | "resourceVersion"];
export type Projected<T, Path extends FieldPath> = PickedFields<T, IdentityNames | NamesInPath<Path>> & ProjectedIdentity & Incomplete;
export type PartialObjectMetadata<T = KubernetesObject> = Pick<T, keyof T & "metadata"> & Pick<KubernetesObject, "apiVersion" | "kind"> & Incomplete;
export type Kept<T, Fields, MetadataOnly = undefined> = [MetadataOnly] extends [true] ? KeptFields<PartialObjectMetadata<T>, Fields> : KeptFields<T, Fields>;
export type KeptFields<T, Fields> = Fields extends readonly FieldPath[] ? Projected<T, Fields[number]> : T;

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
export interface WatchErrorEvent {
    readonly type: "ERROR";
    readonly object: unknown;
}
export type WatchEvent<T> = ObjectEvent<T> | BookmarkEvent | WatchErrorEvent;

// credentials/cluster-config.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
export type PemSource = {
    readonly text: string;
} | {
    readonly file: string;
};
export interface ExecConfig {
    readonly apiVersion: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly interactiveMode?: "Never" | "IfAvailable" | "Always" | undefined;
    readonly installHint: string | undefined;
    readonly cluster: Readonly<Record<string, unknown>> | undefined;
    readonly clusterCaFile?: string | undefined;
}
export interface OidcConfig {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret?: string | undefined;
    readonly ca?: PemSource | undefined;
    readonly idToken?: string | undefined;
    readonly refreshToken?: string | undefined;
    readonly store?: OidcTokenStore | undefined;
}
export interface Impersonation {
    readonly user: string;
    readonly groups: readonly string[];
    readonly uid: string | undefined;
    readonly extra: Readonly<Record<string, readonly string[]>>;
}
export interface UserCredentials {
    readonly cert?: PemSource | undefined;
    readonly key?: PemSource | undefined;
    readonly passphrase?: string | undefined;
    readonly token?: string | undefined;
    readonly tokenFile?: string | undefined;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly exec?: ExecConfig | undefined;
    readonly oidc?: OidcConfig | undefined;
    readonly impersonate?: Impersonation | undefined;
}
export interface ClusterConfig {
    readonly origin: string;
    readonly server: string;
    readonly namespace?: string | undefined;
    readonly ca?: PemSource | undefined;
    readonly serverName?: string | undefined;
    readonly insecureSkipVerify?: boolean | undefined;
    readonly proxy?: string | undefined;
    readonly compression?: boolean | undefined;
    readonly user: UserCredentials;
}
export interface OidcTokenPair {
    readonly idToken: string | undefined;
    readonly refreshToken: string | undefined;
}
export interface OidcTokenStore {
    read(): Promise<OidcTokenPair>;
    write(tokens: OidcTokenPair): Promise<void>;
    exclusively<T>(renewal: () => Promise<T>): Promise<T>;
}
export declare const clusterConfigTable: OptionsOf<ClusterConfig>;
export declare const requiredConfig: readonly string[];
export declare const clusterConnectionTable: OptionsOf<Record<"clock" | "execTimeoutMs" | "http2" | "log" | "metrics" | "namespace" | "onExecStderr" | "program" | "refreshTokens" | "sendCredentialsOverHttp", unknown>>;

// connection/create-connection.ts
import { type Connection, type Encoding, type FetchFunction } from "../http/connection.ts";
import { type HeadersSource } from "../http/headers.ts";
export interface ConnectionConfig {
    readonly server: string;
    readonly namespace?: string | undefined;
    readonly encoding?: Encoding | undefined;
    readonly fetch?: FetchFunction | undefined;
    readonly headers?: HeadersSource | undefined;
}
export declare function createConnection(config: ConnectionConfig): Connection;

// http/headers.ts
import type { FetchFunction } from "./connection.ts";
export interface HeadersContext {
    readonly refresh: boolean;
    readonly refused?: Headers | undefined;
}
export type HeaderFields = Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
export type HeadersSource = HeaderFields | ((context: HeadersContext) => HeaderFields | Promise<HeaderFields>);
export declare function checkHeaders(source: unknown): void;
export interface AddHeadersOptions {
    readonly stateOf?: () => unknown;
}
export declare function addHeaders(fetch: FetchFunction, source: HeadersSource, { stateOf }?: AddHeadersOptions): FetchFunction;
export declare function sentFieldsOf(request: Request): readonly (readonly [string, string])[];
export declare function isAfterRenewal(response: Response): boolean;

// connection/resolve-kubeconfig.ts
import type { ClusterConfig } from "../credentials/cluster-config.ts";
export interface KubeconfigFile {
    readonly path: string;
    readonly document: unknown;
}
export interface ResolveOptions {
    readonly context?: string | undefined;
}
export declare function resolveKubeconfig(files: readonly KubeconfigFile[], options?: ResolveOptions): ClusterConfig;
interface ResolvedContext {
    readonly config: ClusterConfig;
    readonly user: {
        readonly file: string;
        readonly name: string;
    } | undefined;
}
export declare function resolveContext(files: readonly KubeconfigFile[], options: ResolveOptions): ResolvedContext;
export {};

// discovery/discovered-resource.ts
import type { Resource } from "../resource/resource.ts";
export interface DiscoveredResource extends Resource {
    readonly shortNames: readonly string[];
    readonly singularName: string;
    readonly categories: readonly string[];
    readonly verbs: readonly string[];
    readonly subresources: readonly string[];
}
export interface ResourceTable {
    readonly resources: readonly DiscoveredResource[];
    readonly stale: readonly string[];
    readonly failures: readonly GroupFailure[];
}
export interface GroupFailure {
    readonly groupVersion: string;
    readonly error: unknown;
}
export declare function readAggregated(document: unknown): Omit<ResourceTable, "failures">;
export declare function readResourceList(document: unknown): readonly DiscoveredResource[];
export declare function readGroupList(document: unknown): readonly string[];
export declare function splitGroupVersion(groupVersion: string): {
    readonly group: string;
    readonly version: string;
};

// resource/resource.ts
import type { KubernetesObject, Scope } from "@listwatch/core-fifo/object";
declare const types: unique symbol;
export interface ResourceTypes<T, Sub> {
    readonly object: T;
    readonly subresources: Sub;
}
declare const defaulted: unique symbol;
export interface Defaulted {
    readonly [defaulted]?: never;
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
export declare function defineResource<T, S extends Scope = "Namespaced", Sub = unknown>(resource: Omit<Resource<T, S, Sub>, symbol>): Resource<T, S, Sub>;
export {};

// discovery/discovery.ts
import { type Clock } from "@listwatch/core-fifo/base";
import type { Requester } from "../http/request.ts";
import { type DiscoveredResource, type ResourceTable } from "./discovered-resource.ts";
export interface TypeReference {
    readonly apiVersion: string;
    readonly kind: string;
}
export declare class Discovery {
    #private;
    constructor(requester: Requester, clock: Clock);
    resources(): Promise<ResourceTable>;
    forKind({ apiVersion, kind }: TypeReference): Promise<DiscoveredResource | undefined>;
    forResource(name: string): Promise<DiscoveredResource | undefined>;
    preferredVersion(group: string): Promise<string | undefined>;
    invalidate(): void;
}

// http/request.ts
import { type Clock, type Random, type OptionsOf } from "@listwatch/core-fifo/base";
import { type Connection } from "./connection.ts";
import { type StatusReader } from "./error-response.ts";
import { Secrets } from "./secrets.ts";
import { type Warning } from "./warnings.ts";
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
export interface UnaryRequest extends ApiRequest {
    readonly timeoutMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly maxAnswerBytes?: number | undefined;
}
export declare const unaryTable: OptionsOf<UnaryRequest>;
export interface RequesterOptions {
    readonly clock: Clock;
    readonly random?: Random | undefined;
    readonly timeoutMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly maxAnswerBytes?: number | undefined;
    readonly onWarning?: ((warning: Warning) => void) | undefined;
    readonly toText?: ((body: unknown, attempted: string) => string) | undefined;
    readonly readStatus?: StatusReader | undefined;
}
export declare const defaultTimeoutMs = 30000;
export declare const defaultRetries = 5;
export declare class Requester {
    #private;
    readonly server: string;
    readonly secrets: Secrets;
    constructor(connection: Connection, options: RequesterOptions);
    send(request: ApiRequest): Promise<Response>;
    sendForJson<T>(request: UnaryRequest): Promise<T>;
}

// http/error-response.ts
import { StatusError, type RefusedRequest } from "../errors/status-error.ts";
import type { Secrets } from "./secrets.ts";
interface ErrorContext {
    readonly nowMs: number;
    readonly refused: RefusedRequest;
    readonly secrets: Secrets;
    readonly signal?: AbortSignal | undefined;
    readonly readStatus?: StatusReader | undefined;
}
export type StatusReader = (body: Uint8Array) => unknown;
export declare function readStatusError(response: Response, attempted: string, { nowMs, refused, secrets, signal, readStatus }: ErrorContext): Promise<StatusError>;
export {};

// errors/status-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
import { type Status, type StatusCause, type StatusReason } from "./status.ts";
export interface RefusedRequest {
    readonly method?: string | undefined;
    readonly path?: string | undefined;
}
export interface StatusErrorOptions extends ErrorOptions, RefusedRequest {
    readonly retryAfterMs?: number | undefined;
    readonly note?: string | undefined;
}
export declare class StatusError extends ListwatchError {
    readonly name: string;
    readonly status: Status;
    readonly retryAfterMs: number | undefined;
    readonly method: string | undefined;
    readonly path: string | undefined;
    constructor(status: Status, options?: StatusErrorOptions);
    get httpCode(): number;
    get reason(): string;
    get failureKind(): string;
    get advice(): string | undefined;
    get causes(): readonly StatusCause[];
}
export declare function isStatusError(error: unknown): error is StatusError;
export declare function isStatusError(error: unknown, ...reasons: readonly StatusReason[]): boolean;
export declare function isNotFound(error: unknown): boolean;
export declare function isAlreadyExists(error: unknown): boolean;
export declare function isConflict(error: unknown): boolean;
export declare function isExpired(error: unknown): boolean;
export declare function isTooManyRequests(error: unknown): boolean;
export declare function isTooLargeResourceVersion(error: unknown): boolean;

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
export type StatusReason = "BadRequest" | "Unauthorized" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "NotAcceptable" | "Conflict" | "AlreadyExists" | "Gone" | "Expired" | "RequestEntityTooLarge" | "UnsupportedMediaType" | "Invalid" | "TooManyRequests" | "InternalError" | "StoreReadError" | "ServerTimeout" | "ServiceUnavailable" | "Timeout";
export declare function isStatus(value: unknown): value is Status;
export declare function checkStatus(status: unknown): Status;
export declare function hasReason(status: Status, reason: StatusReason): boolean;
export declare function isStorageStarting({ message }: Pick<Status, "message">): boolean;
export declare function reasonOfCode(code: number): StatusReason | "";

// http/secrets.ts
export declare class Secrets {
    #private;
    learn(fields: Iterable<readonly [string, string]>): void;
    hideIn<T>(value: T): T;
}

// http/warnings.ts
import type { Clock, Log } from "@listwatch/core-fifo/base";
export interface Warning {
    readonly text: string;
    readonly method: string;
    readonly path: string;
}
export declare function parseWarnings(header: string): readonly string[];
export declare function logWarnings(log: Log, clock: Clock): (warning: Warning) => void;

// errors/decode-errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare const htmlAdvice: string;
export declare class DecodeError extends ListwatchError {
    #private;
    readonly name: string;
    readonly offset: number;
    readonly start: string;
    constructor(expected: string, offset: number, text: string, options?: ErrorOptions);
    get failureKind(): string;
    get advice(): string;
}
export declare class LazyTextError extends ListwatchError {
    readonly name: string;
    readonly member: string;
    readonly key: string;
    constructor(member: string, key: string, text: string, options?: ErrorOptions & {
        readonly expected?: string;
    });
}
export declare function createNotAListError(got: string): ListwatchError;

// errors/errors.ts
import { ListwatchError } from "@listwatch/core-fifo/base";
export declare class ConfigError extends ListwatchError {
    readonly name: string;
    constructor(message: string, options?: ErrorOptions);
}
export declare class CredentialsError extends ListwatchError {
    readonly name: string;
    constructor(attempted: string, { cause, }: {
        readonly cause: unknown;
    });
}
export declare class DroppedFieldsError extends ListwatchError {
    readonly name: string;
    readonly key: string;
    constructor(key: string, got: string);
}

// errors/network-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
export type NetworkErrorKind = "connection-refused" | "connection-reset" | "eof" | "unexpected-eof" | "timeout" | "untrusted-certificate" | "unknown";
export declare class NetworkError extends ListwatchError {
    #private;
    readonly name: string;
    readonly kind: NetworkErrorKind;
    constructor(kind: NetworkErrorKind, message: string, options?: ErrorOptions);
    get failureKind(): string;
    get advice(): string;
}
export declare function isNetworkError(error: unknown, ...kinds: readonly NetworkErrorKind[]): boolean;
export declare function networkErrorFrom(error: unknown, attempted: string): NetworkError;
export declare function isNetworkFailure(error: unknown): boolean;

// http/progress-limit.ts
import { type Clock } from "@listwatch/core-fifo/base";
export interface ListProgress {
    readonly bytes?: number | undefined;
    readonly withinMs?: number | undefined;
}
export declare class ProgressLimit {
    #private;
    constructor(clock: Clock, attempted: string, parent: AbortSignal, progress?: ListProgress);
    get signal(): AbortSignal;
    opened<R>(answer: Promise<R>): Promise<R>;
    beginWait(): void;
    endWait(bytes: number): void;
    end(): void;
}

// json/dropped-fields.ts
export type IncompleteForm = "projected" | "protobuf";
export declare function startOf(form: IncompleteForm): readonly string[];
export declare function noteProjected(apiVersion: string): void;
export declare function countDroppedFields(): ReadonlyMap<string, number>;
export declare function noteDroppedFields(kind: string, metadata: object): boolean;
export declare function describeIncomplete(object: {
    readonly apiVersion?: unknown;
    readonly kind?: unknown;
}): string | undefined;

// json/json-decoder.ts
import type { Decoder } from "./decoder.ts";
export interface JsonDecoderOptions {
    readonly stripManagedFields?: boolean | undefined;
    readonly maxObjectBytes?: number | undefined;
}
export declare function jsonDecoder(options?: JsonDecoderOptions): Decoder;

// resource/extract-owned.ts
import type { Cached } from "@listwatch/core-fifo";
import type { ApplyConfiguration, Identity } from "./object-forms.ts";
export interface ExtractOptions {
    readonly subresource?: string | undefined;
}
export type OwnedConfiguration<T> = ApplyConfiguration<T> & {
    readonly metadata: Identity;
};
export declare function extractOwned<T extends object>(object: T | Cached<T>, manager: string, options?: ExtractOptions): OwnedConfiguration<T> | undefined;

// resource/object-forms.ts
import type { DeepReadonly, Key, KubernetesObject, Leaf } from "@listwatch/core-fifo";
import type { Defaulted } from "./resource.ts";
export type ImpliedMember<T> = "apiVersion" | "kind" | "status" | (T extends {
    readonly spec: infer Spec;
} ? object extends Spec ? "spec" : keyof Defaulted extends keyof Spec ? "spec" : never : never);
export type StoredMeta = "name" | "namespace" | "uid" | "resourceVersion" | "creationTimestamp";
export type DraftMeta<M> = M extends object ? {
    readonly [K in keyof M as K extends StoredMeta ? never : K]: DeepReadonly<M[K]>;
} & {
    readonly [K in keyof M as K extends StoredMeta ? K : never]?: M[K] | undefined;
} & {
    readonly generateName?: string | undefined;
} : M;
export type Draft<T> = {
    readonly [K in keyof T as K extends ImpliedMember<T> ? never : K]: K extends "metadata" ? DraftMeta<T[K]> : DeepReadonly<T[K]>;
} & {
    readonly [K in keyof T as K extends ImpliedMember<T> ? K : never]?: DeepReadonly<T[K]> | undefined;
};
export type Replacement<T> = {
    readonly [K in keyof T]: K extends "metadata" ? DraftMeta<T[K]> : DeepReadonly<T[K]>;
};
export type ApplyConfiguration<T> = T extends Leaf ? T : T extends readonly (infer E)[] ? readonly ApplyElement<E>[] : T extends object ? {
    readonly [K in keyof T]?: ApplyConfiguration<T[K]> | undefined;
} : T;
export type Written<T, Form> = Form | ([Exclude<keyof T, keyof KubernetesObject>] extends [never] ? Form & {
    readonly [member: string]: unknown;
} : Form);
declare const identified: unique symbol;
export interface Identity {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly [identified]: true;
}
export type NamedConfiguration<T, K extends string = KeyOf<T>> = ApplyConfiguration<T> & {
    readonly metadata: Identity | (string extends K ? {
        readonly name: string;
        readonly namespace?: string | undefined;
    } : {
        readonly name: string;
        readonly namespace: string;
    });
};
export type KeyOf<T> = T extends {
    readonly metadata: {
        readonly namespace: string;
    };
} ? Key<"Namespaced"> : string;
export type ApplyElement<E> = E extends Leaf ? E : E extends object ? {
    readonly [K in keyof E]: ApplyConfiguration<E[K]>;
} : E;
export type WireName<Name> = Name extends `x_kubernetes_${infer Rest}` ? `x-kubernetes-${DashedName<Rest>}` : Name extends `_${infer Word}` ? Word : Name;
export type DashedName<Name extends string> = Name extends `${infer Start}_${infer Rest}` ? `${Start}-${DashedName<Rest>}` : Name;
export type Wire<T> = T extends Date ? string : T extends Leaf ? T : T extends readonly (infer E)[] ? Wire<E>[] : T extends object ? {
    [K in keyof T as WireName<K>]: Wire<T[K]> | (object extends Pick<T, K> ? undefined : never);
} : T;
export {};

// json/lazy-reads.ts
export declare function countLazyReads(): number;
export declare function noteLazyRead(): void;

// resource/invalid-name-error.ts
import { ListwatchError } from "@listwatch/core-fifo/base";
export type PathPart = "group" | "version" | "resource" | "namespace" | "name" | "subresource";
export declare class InvalidNameError extends ListwatchError {
    readonly name: string;
    readonly part: PathPart;
    readonly value: unknown;
    constructor(part: PathPart, value: unknown, expected?: string);
}

// resource/patches.ts
import type { KubernetesObject, Leaf } from "@listwatch/core-fifo";
import type { ApplyConfiguration, ApplyElement } from "./object-forms.ts";
export type MergePatch<T> = {
    readonly [K in keyof T]?: MergeValue<T[K]> | undefined;
};
export type MergeValue<T> = T extends Leaf ? T | null : T extends readonly (infer E)[] ? readonly ApplyElement<E>[] | null : T extends object ? MergePatch<T> | null : T;
export interface StrategicDirectives {
    readonly $patch?: "replace" | "merge" | "delete" | undefined;
    readonly $retainKeys?: readonly string[] | undefined;
    readonly [order: `$setElementOrder/${string}`]: readonly unknown[];
    readonly [removed: `$deleteFromPrimitiveList/${string}`]: readonly unknown[];
}
export type StrategicPatch<T> = StrategicDirectives & {
    readonly [K in keyof T]?: StrategicValue<T[K]> | undefined;
};
export type StrategicValue<T> = T extends Leaf ? T | null : T extends readonly (infer E)[] ? readonly StrategicElement<E>[] | null : T extends object ? StrategicPatch<T> | null : T;
export type StrategicElement<E> = E extends Leaf ? E : StrategicPatch<E>;
export type JsonPatchOperation = {
    readonly op: "add" | "replace" | "test";
    readonly path: string;
    readonly value: unknown;
} | {
    readonly op: "remove";
    readonly path: string;
} | {
    readonly op: "move" | "copy";
    readonly from: string;
    readonly path: string;
};
export type JsonPatch = readonly JsonPatchOperation[];
export interface Patches<T> {
    readonly merge: MergePatch<T>;
    readonly json: JsonPatch;
    readonly strategic: StrategicPatch<T>;
    readonly apply: ApplyConfiguration<T>;
}
export type PatchOf<T, Type extends keyof Patches<T>> = KubernetesObject extends T ? Type extends "json" ? JsonPatch : object : Patches<T>[Type];

// resource/shard-selector.ts
export type ShardKey = "namespace" | "uid";
export declare function fnv1a64(text: string): bigint;
export declare function highHash(text: string): number;
export declare function shardRange(key: ShardKey, index: number, count: number): string;
export declare class ShardSelector {
    #private;
    private constructor();
    static parse(text: string): ShardSelector;
    matches(object: unknown): boolean;
}

// verbs/client.ts
import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import { type Clock, type Random } from "@listwatch/core-fifo/base";
import { Discovery } from "../discovery/discovery.ts";
import type { Connection } from "../http/connection.ts";
import { type UnaryRequest } from "../http/request.ts";
import { type Warning } from "../http/warnings.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { WriteObserver } from "./completed-write.ts";
import { type FieldValidation } from "./request-options.ts";
import { ResourceClient } from "./resource-client.ts";
export interface ClientOptions {
    readonly fieldManager?: string | undefined;
    readonly fieldValidation?: FieldValidation | undefined;
    readonly dryRun?: boolean | undefined;
    readonly onWarning?: ((warning: Warning) => void) | undefined;
    readonly timeoutMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly maxAnswerBytes?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly random?: Random | undefined;
}
export interface Client {
    resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown>(resource: ResourceReference<T, S, Sub>): ResourceClient<T, S, Sub>;
    in(namespace: string): NamespacedClient;
    readonly discovery: Discovery;
    readonly clock?: Clock | undefined;
    request(request: UnaryRequest): Promise<unknown>;
}
export interface NamespacedClient {
    readonly namespace: string;
    resource<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown>(resource: ResourceReference<T, S, Sub> & ([S] extends ["Cluster"] ? never : unknown)): ResourceClient<T, S, Sub, string>;
}
export declare function createClient(connection: Connection, options?: ClientOptions): Client;
export declare function isOwnClient(client: object): boolean;
export declare function observeWrites(client: Client, onWrite: WriteObserver): Client;
export declare function reconnectClient(client: Client, connect: (connection: Connection) => Connection): Client;

// verbs/completed-write.ts
import type { ObjectName } from "@listwatch/core-fifo";
import type { ResourceReference } from "../resource/resource.ts";
export interface CompletedWrite {
    readonly verb: "create" | "delete" | "patch" | "update";
    readonly resource: ResourceReference<unknown>;
    readonly subresource?: string | undefined;
    readonly object: ObjectName;
    readonly precondition?: string | undefined;
    readonly uid?: string | undefined;
    readonly began?: number | undefined;
    readonly ended?: number | undefined;
    readonly answer: unknown;
}
export type WriteObserver = (write: CompletedWrite) => void;

// verbs/request-options.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface RequestOptions {
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
    readonly retries?: number | undefined;
}
export declare const requestTable: OptionsOf<RequestOptions>;
export type FieldValidation = "Strict" | "Warn" | "Ignore";
export interface WriteOptions extends RequestOptions {
    readonly dryRun?: boolean | undefined;
    readonly fieldManager?: string | undefined;
    readonly fieldValidation?: FieldValidation | undefined;
}
export declare const writeTable: OptionsOf<WriteOptions>;
export interface UpdateOptions extends WriteOptions {
    readonly allowDroppedFields?: boolean | undefined;
}
export declare const updateTable: OptionsOf<UpdateOptions>;
export type PatchType = "merge" | "json" | "strategic" | "apply";
export interface PatchOptions<Type extends PatchType = PatchType> extends WriteOptions {
    readonly type?: Type | undefined;
    readonly force?: boolean | undefined;
}
export declare const patchTable: OptionsOf<PatchOptions>;
export interface ApplyOptions extends WriteOptions {
    readonly subresource?: string | undefined;
    readonly force?: boolean | undefined;
}
export declare const applyTable: OptionsOf<ApplyOptions>;
export interface DeleteOptions extends RequestOptions {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
    readonly gracePeriodSeconds?: number | undefined;
    readonly dryRun?: boolean | undefined;
}
export declare const deleteTable: OptionsOf<DeleteOptions>;
export interface Selection {
    readonly namespace?: string | undefined;
    readonly labelSelector?: string | undefined;
    readonly fieldSelector?: string | undefined;
}
export declare const selectionTable: OptionsOf<Selection>;
export interface DeleteCollectionOptions extends Selection, Omit<DeleteOptions, "uid"> {
    readonly all?: boolean | undefined;
}
export declare const deleteCollectionTable: OptionsOf<DeleteCollectionOptions>;
export declare function writeQuery(options: WriteOptions): Readonly<Record<string, string | undefined>>;
export declare function attemptsOf({ signal, timeoutMs, retries }: RequestOptions): RequestOptions;
export declare function deleteBody(options: Omit<DeleteOptions, keyof RequestOptions>): object;

// verbs/resource-client.ts
import type { Cached, Key, KubernetesObject, ObjectName, Scope } from "@listwatch/core-fifo";
import { type Clock, type Complete } from "@listwatch/core-fifo/base";
import type { WatchEvent } from "../resource/list-watch.ts";
import type { Draft, NamedConfiguration, Replacement, Written } from "../resource/object-forms.ts";
import type { PatchOf } from "../resource/patches.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { Status } from "../errors/status.ts";
import { type ObjectList, type ReadItemsOptions, type ReadListOptions, type WatchObjectsOptions } from "./list-reader.ts";
import { type ResourceClientContext } from "./object-writer.ts";
import { type LogOptions, type LogStream } from "./pod-log.ts";
import { type ApplyOptions, type DeleteCollectionOptions, type DeleteOptions, type PatchOptions, type PatchType, type RequestOptions, type UpdateOptions, type WriteOptions } from "./request-options.ts";
import { type IssuedToken, type TokenOptions } from "./service-account-token.ts";
import { SubresourceClient } from "./subresource-client.ts";
export type SubresourceName<Sub> = unknown extends Sub ? string : keyof Sub & string;
export type SubresourceOf<Sub, Name> = Name extends keyof Sub ? Sub[Name] : KubernetesObject;
export declare class ResourceClient<T extends KubernetesObject = KubernetesObject, S extends Scope = Scope, Sub = unknown, K extends string = Key<S>> {
    #private;
    readonly resource: ResourceReference<T, S, Sub>;
    readonly clock: Clock;
    constructor(context: ResourceClientContext, resource: ResourceReference<T, S, Sub>, namespace?: string);
    in(namespace: [S] extends ["Cluster"] ? never : string): ResourceClient<T, S, Sub, string>;
    objectName(key: K): ObjectName;
    get(key: K, options?: RequestOptions): Promise<T>;
    list(options?: ReadListOptions): Promise<ObjectList<T>>;
    items(options?: ReadItemsOptions): AsyncIterable<T>;
    watch(options?: WatchObjectsOptions): AsyncIterable<WatchEvent<T>>;
    create(object: Written<T, Draft<T> & Complete>, options?: WriteOptions): Promise<T>;
    update(object: Written<T, (T | Cached<T> | Replacement<T>) & Complete>, options?: UpdateOptions): Promise<T>;
    updateStatus(object: (T | Cached<T> | Replacement<T>) & Complete, options?: UpdateOptions): Promise<T>;
    patch<Type extends PatchType = "merge">(key: K, patch: PatchOf<T, Type>, options?: PatchOptions<Type>): Promise<T>;
    patchStatus<Type extends PatchType = "merge">(key: K, patch: PatchOf<T, Type>, options?: PatchOptions<Type>): Promise<T>;
    apply(object: Written<T, NamedConfiguration<T, K>>, options?: ApplyOptions): Promise<T>;
    delete(key: K, options?: DeleteOptions): Promise<T | Status>;
    deleteCollection(options: DeleteCollectionOptions): Promise<void>;
    subresource<const Name extends SubresourceName<Sub>>(name: Name): SubresourceClient<SubresourceOf<Sub, Name>, K>;
    scale(key: K, replicas: number, options?: WriteOptions): Promise<void>;
    evict(key: K, options?: DeleteOptions): Promise<void>;
    bind(key: K, node: string, options?: WriteOptions): Promise<void>;
    token(key: K, options?: TokenOptions): Promise<IssuedToken>;
    log(key: K, options?: LogOptions): Promise<LogStream>;
}

// verbs/list-reader.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
import { type Clock, type Random, type OptionsOf } from "@listwatch/core-fifo/base";
import type { Connection } from "../http/connection.ts";
import type { Requester } from "../http/request.ts";
import type { Warning } from "../http/warnings.ts";
import type { WatchEvent } from "../resource/list-watch.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { NamespaceScope } from "./namespace-scope.ts";
import { type Selection } from "./request-options.ts";
export interface AnyListOptions extends Selection {
    readonly pageSize?: number | undefined;
    readonly resourceVersion?: string | undefined;
    readonly retries?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export interface ReadListOptions extends AnyListOptions {
    readonly timeoutMs?: number | undefined;
    readonly totalTimeoutMs?: number | undefined;
}
export interface ReadItemsOptions extends AnyListOptions {
    readonly onRestart?: ((error: unknown) => void) | undefined;
}
export declare const readListTable: OptionsOf<ReadListOptions>;
export declare const readItemsTable: OptionsOf<ReadItemsOptions>;
export interface ObjectList<T> {
    readonly items: T[];
    readonly resourceVersion: string;
}
export interface WatchObjectsOptions extends Selection {
    readonly resourceVersion?: string | undefined;
    readonly timeoutSeconds?: number | undefined;
    readonly idleMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare const watchTable: OptionsOf<WatchObjectsOptions>;
export interface ListReaderContext {
    readonly connection: Connection;
    readonly requester: Requester;
    readonly onWarning: (warning: Warning) => void;
    readonly clock: Clock;
    readonly random: Random;
    readonly retries: number;
    readonly timeoutMs: number;
}
export declare class ListReader<T extends KubernetesObject> {
    #private;
    constructor(context: ListReaderContext, resource: ResourceReference<T>, scope: NamespaceScope);
    list(options: ReadListOptions): Promise<ObjectList<T>>;
    items(options: ReadItemsOptions): AsyncGenerator<T, void, undefined>;
    watch(options: WatchObjectsOptions): AsyncGenerator<WatchEvent<T>, void, undefined>;
}

// verbs/namespace-scope.ts
import { type ObjectName } from "@listwatch/core-fifo";
import type { ResourceReference } from "../resource/resource.ts";
export declare class NamespaceScope {
    #private;
    readonly namespace: string | undefined;
    constructor(resource: ResourceReference<unknown>, namespace?: string);
    nameOf(key: unknown): ObjectName;
    nameOfObject(object: unknown): ObjectName;
    namespaceOfDraft(object: unknown): string;
    narrow(given: string | undefined): string;
}

// verbs/object-writer.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { Status } from "../errors/status.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { WriteObserver } from "./completed-write.ts";
import type { ListReaderContext } from "./list-reader.ts";
import type { NamespaceScope } from "./namespace-scope.ts";
import { type ApplyOptions, type DeleteOptions, type UpdateOptions, type WriteOptions } from "./request-options.ts";
import type { SubresourcePatchOptions } from "./subresource-client.ts";
export interface ResourceClientContext extends ListReaderContext {
    readonly writes: Required<Pick<WriteOptions, "dryRun" | "fieldValidation">> & Pick<WriteOptions, "fieldManager">;
    readonly onWrite?: WriteObserver | undefined;
}
export declare class ObjectWriter<T extends KubernetesObject, K extends string> {
    #private;
    constructor(context: ResourceClientContext, resource: ResourceReference, scope: NamespaceScope);
    create(object: object, options: WriteOptions): Promise<T>;
    update(object: object, options: UpdateOptions, subresource?: string): Promise<T>;
    patch<R>(key: K, patch: unknown, options: SubresourcePatchOptions): Promise<R>;
    apply(object: object, options: ApplyOptions): Promise<T>;
    writeSubresource<R>(method: "POST" | "PUT", key: K, subresource: string, body: unknown, options: UpdateOptions): Promise<R>;
    delete(key: K, options: DeleteOptions): Promise<T | Status>;
}

// verbs/subresource-client.ts
import type { Cached, KubernetesObject } from "@listwatch/core-fifo";
import { type Complete } from "@listwatch/core-fifo/base";
import type { Draft, Replacement } from "../resource/object-forms.ts";
import type { PatchOf } from "../resource/patches.ts";
import { type PatchOptions, type PatchType, type RequestOptions, type UpdateOptions, type WriteOptions } from "./request-options.ts";
export interface SubresourcePatchOptions extends PatchOptions {
    readonly subresource?: string | undefined;
}
export interface SubresourceRequests<T, K> {
    read(key: K, name: string, options: RequestOptions): Promise<T>;
    write(method: "POST" | "PUT", key: K, name: string, body: unknown, options: UpdateOptions): Promise<T>;
    patch(key: K, patch: unknown, options: SubresourcePatchOptions): Promise<T>;
}
export type SubresourceBody<T> = KubernetesObject extends T ? unknown : Draft<T>;
export declare class SubresourceClient<T, K> {
    #private;
    constructor(requests: SubresourceRequests<T, K>, name: string);
    get(key: K, options?: RequestOptions): Promise<T>;
    create(key: K, body: SubresourceBody<T>, options?: WriteOptions): Promise<T>;
    update(key: K, body: (T | Cached<T> | Replacement<T>) & Complete, options?: UpdateOptions): Promise<T>;
    patch<Type extends PatchType = "merge">(key: K, patch: PatchOf<T, Type>, options?: PatchOptions<Type>): Promise<T>;
}

// verbs/pod-log.ts
import { type Clock, type Random, type OptionsOf } from "@listwatch/core-fifo/base";
import type { Requester } from "../http/request.ts";
export interface LogOptions {
    readonly container?: string | undefined;
    readonly follow?: boolean | undefined;
    readonly tailLines?: number | undefined;
    readonly sinceSeconds?: number | undefined;
    readonly timestamps?: boolean | undefined;
    readonly previous?: boolean | undefined;
    readonly idleMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export declare const logTable: OptionsOf<LogOptions>;
export interface LogContext {
    readonly requester: Requester;
    readonly clock: Clock;
    readonly random: Random;
    readonly retries: number;
}
export declare function openLog(context: LogContext, path: string, { signal: outer, idleMs, retries, ...query }: LogOptions): Promise<LogStream>;
export declare class LogStream {
    readonly bytes: ReadableStream<Uint8Array>;
    constructor(bytes: ReadableStream<Uint8Array>);
    text(): Promise<string>;
    lines(): AsyncGenerator<string, void, undefined>;
}

// verbs/service-account-token.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
import { type WriteOptions } from "./request-options.ts";
export interface TokenOptions extends WriteOptions {
    readonly audiences?: readonly string[] | undefined;
    readonly expirationSeconds?: number | undefined;
    readonly boundObjectRef?: TokenBinding | undefined;
}
export interface TokenBinding {
    readonly apiVersion?: string | undefined;
    readonly kind: "Pod" | "Secret" | "Node";
    readonly name: string;
    readonly uid?: string | undefined;
}
export declare const tokenTable: OptionsOf<TokenOptions>;
export interface IssuedToken {
    readonly token: string;
    readonly expirationTimestamp: string;
}
export declare function tokenRequest(options: TokenOptions): object;
export declare function readToken(answer: unknown): IssuedToken;

// verbs/collection.ts
import { type Clock, type OptionsOf } from "@listwatch/core-fifo/base";
import { type KubernetesObject } from "@listwatch/core-fifo";
import { type Connection, type Encoding } from "../http/connection.ts";
import { type ListProgress } from "../http/progress-limit.ts";
import type { Warning } from "../http/warnings.ts";
import type { Decoder, ReuseFunction } from "../json/decoder.ts";
import type { ListMeta, ListOptions, WatchEvent, WatchOptions } from "../resource/list-watch.ts";
import type { FieldPath } from "../resource/projected.ts";
import type { ResourceReference } from "../resource/resource.ts";
export interface CollectionOptions<T = KubernetesObject> {
    readonly connection: Connection;
    readonly resource: ResourceReference<T>;
    readonly namespace?: string | undefined;
    readonly labelSelector?: string | undefined;
    readonly fieldSelector?: string | undefined;
    readonly shardSelector?: string | undefined;
    readonly metadataOnly?: boolean | undefined;
    readonly listProgress?: ListProgress | undefined;
    readonly onWarning?: ((warning: Warning) => void) | undefined;
    readonly decoder?: Decoder | undefined;
    readonly fields?: readonly FieldPath[] | undefined;
    readonly lazy?: boolean | undefined;
    readonly managedFields?: boolean | undefined;
    readonly encoding?: Encoding | undefined;
    readonly clock?: Clock | undefined;
}
export declare const collectionsTable: OptionsOf<Omit<CollectionOptions, "fields" | "metadataOnly" | "resource">>;
export declare const listTable: OptionsOf<ListOptions>;
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
    watch(options: WatchOptions, context: ListContext<T>): Promise<AsyncIterable<readonly WatchEvent<T>[]>>;
}

// waiting/combine.ts
import type { Cached } from "@listwatch/core-fifo";
import { type Condition } from "./conditions.ts";
export interface ChangeFilter<T> {
    add?(object: Cached<T>): boolean;
    update?(old: Cached<T>, object: Cached<T>): boolean;
    delete?(deleted: {
        readonly stale: false;
        readonly key: string;
        readonly object: Cached<T>;
    } | {
        readonly stale: true;
        readonly key: string;
        readonly object?: Cached<T> | undefined;
    }): boolean;
}
export declare function allOf<T>(...predicates: readonly ChangeFilter<NoInfer<T>>[]): Required<ChangeFilter<T>>;
export declare function allOf<T>(...conditions: readonly Condition<NoInfer<T>>[]): Condition<T>;
export declare function allOf<T>(...conditions: readonly Condition<T>[]): Condition<T>;
export declare function anyOf<T>(...predicates: readonly ChangeFilter<NoInfer<T>>[]): Required<ChangeFilter<T>>;
export declare function anyOf<T>(...conditions: readonly Condition<NoInfer<T>>[]): Condition<T>;
export declare function anyOf<T>(...conditions: readonly Condition<T>[]): Condition<T>;
export declare function not<T>(predicate: ChangeFilter<NoInfer<T>>): Required<ChangeFilter<T>>;
export declare function not<T>(condition: Condition<T>): Condition<T>;

// waiting/conditions.ts
export interface Condition<T = unknown> {
    (object: T | undefined): boolean;
    readonly description?: string | undefined;
    readonly failure?: ((object: T | undefined) => string | undefined) | undefined;
}
export declare function describe<T = unknown>(description: string, condition: (object: T | undefined) => boolean, failure?: (object: T | undefined) => string | undefined): Condition<T>;
export declare function holds<T>(condition: Condition<T>, object: T | undefined): boolean;
export declare function hasCondition(type: string, status?: string): Condition;
export declare const isReady: Condition;
export declare const isDeleted: Condition;
export declare function conditionsOf(object: unknown): readonly Readonly<Record<string, unknown>>[];
export declare function describeState(object: unknown): string;

// waiting/conditions-of-kinds.ts
import { type Condition } from "./conditions.ts";
export declare const isPodRunning: Condition;
export declare const isPodReady: Condition;
export declare const isJobFinished: Condition;
export declare const hasLoadBalancer: Condition;
export declare const isEstablished: Condition;

// waiting/ensure-definition.ts
import type { Client } from "../verbs/client.ts";
import { type WaitForOptions } from "./wait-for.ts";
export interface EnsureDefinitionOptions extends WaitForOptions {
    readonly fieldManager?: string | undefined;
}
export declare function ensureDefinition(client: Client, definition: object, options?: EnsureDefinitionOptions): Promise<void>;

// waiting/wait-for.ts
import type { Cached, KubernetesObject, Scope } from "@listwatch/core-fifo";
import { ListwatchError, type Clock, type OptionsOf } from "@listwatch/core-fifo/base";
import { ResourceClient } from "../verbs/resource-client.ts";
import { type Condition } from "./conditions.ts";
export interface WaitableInformer<T> {
    readonly hasSynced?: boolean | undefined;
    readonly synced: Promise<void>;
    explainUnsynced?(): {
        readonly reason: string;
    };
    readonly store: {
        getByKey(key: string): Cached<T> | undefined;
    };
    events(options: {
        readonly signal: AbortSignal;
    }): AsyncIterable<{
        readonly type: string;
        readonly key: string;
        readonly object?: Cached<T> | undefined;
    }>;
}
export interface WaitForOptions {
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
    readonly clock?: Clock | undefined;
}
export declare const waitForTable: OptionsOf<WaitForOptions>;
export declare class WaitError extends ListwatchError {
    readonly name: string;
    readonly key: string;
    readonly lastSeen: unknown;
    constructor(message: string, key: string, lastSeen: unknown, options?: ErrorOptions);
}
export declare function waitFor<T extends KubernetesObject, S extends Scope, K extends string>(source: ResourceClient<T, S, unknown, K>, key: NoInfer<K>, condition: Condition<T>, options?: WaitForOptions): Promise<T | undefined>;
export declare function waitFor<T>(source: WaitableInformer<T>, key: string, condition: Condition<Cached<T>>, options?: WaitForOptions): Promise<Cached<T> | undefined>;

// waiting/rollout.ts
import { type Condition } from "./conditions.ts";
export declare const isRolledOut: Condition;

// base.ts
export type { OptionsOf } from "@listwatch/core-fifo/base";
export { clusterConnectionTable } from "./credentials/cluster-config.ts";
export { createNotAListError } from "./errors/decode-errors.ts";
export { translateError } from "./errors/foreign-error.ts";
export { networkErrorFrom } from "./errors/network-error.ts";
export { parseRetryAfter } from "./errors/retry-after.ts";
export { isExpired, isTooLargeResourceVersion } from "./errors/status-error.ts";
export { isStatus, isStorageStarting } from "./errors/status.ts";
export { checkConnection } from "./http/connection.ts";
export { checkPathSegment, checkResource } from "./resource/paths.ts";
export { highHash } from "./resource/shard-selector.ts";
export { collectionsTable, listTable } from "./verbs/collection.ts";
export type { WriteObserver } from "./verbs/completed-write.ts";
export { isOwnClient, observeWrites, reconnectClient } from "./verbs/client.ts";
export { FieldTree, type WantedField } from "./json/field-tree.ts";

// errors/foreign-error.ts
export declare function translateError(error: unknown, attempted: string, nowMs: number): unknown;

// errors/retry-after.ts
import type { Status } from "./status.ts";
export declare function parseRetryAfter(header: string | null, nowMs: number): number | undefined;
export declare function retryAfterOf({ details }: Status): number | undefined;

// resource/paths.ts
import type { ObjectName } from "@listwatch/core-fifo";
import { type PathPart } from "./invalid-name-error.ts";
import type { ResourceReference } from "./resource.ts";
export declare function collectionPath({ group, version, resource }: ResourceReference<unknown>, namespace?: string): string;
export declare function groupVersionPath(groupVersion: string): string;
export declare function creationPath(reference: ResourceReference<unknown>, namespace: string): string;
export declare function objectPath(reference: ResourceReference<unknown>, { namespace, name }: ObjectName, subresource?: string): string;
export declare function apiVersionOf({ group, version }: ResourceReference<unknown>): string;
export declare function checkResource(value: unknown): void;
export declare function checkPathSegment(part: PathPart, value: unknown): string;

// json/field-tree.ts
import { type FieldPath } from "../resource/projected.ts";
export declare const kindSlot = 0;
export declare const apiVersionSlot = 1;
export interface WantedField {
    readonly name: string;
    readonly bytes: Uint8Array;
    readonly key: Uint8Array;
    readonly slot: number;
    readonly fields: readonly WantedField[] | undefined;
}
export declare class FieldTree {
    readonly fields: readonly WantedField[];
    readonly slots: number;
    readonly keysLength: number;
    readonly depth: number;
    constructor(paths: readonly FieldPath[]);
    pick(object: object): object;
}
export declare function pickFields(object: object, fields: readonly WantedField[]): Record<string, unknown>;

// connection/node.ts
export { createClusterConnection, type ClusterConnection, type ClusterConnectionOptions, } from "./node-cluster-connection.ts";
export { inClusterConfig, isInCluster, type InClusterOptions } from "./node-in-cluster.ts";
export { kubeconfigPaths, loadKubeconfig, type LoadKubeconfigOptions } from "./node-kubeconfig.ts";
export { nodeTransport, type Transport, type TransportOptions, } from "../transport/node-transport.ts";
export type { TlsOptions, TlsSource } from "../transport/tls-options.ts";

// connection/node-cluster-connection.ts
import { type Clock, type Log, type MetricsSink } from "@listwatch/core-fifo/base";
import type { Connection } from "../http/connection.ts";
import { type ClusterConfig } from "../credentials/cluster-config.ts";
export interface ClusterConnectionOptions {
    readonly namespace?: string | undefined;
    readonly program?: string | undefined;
    readonly execTimeoutMs?: number | undefined;
    readonly onExecStderr?: ((text: string) => void) | undefined;
    readonly refreshTokens?: "write" | "warn" | undefined;
    readonly sendCredentialsOverHttp?: boolean | undefined;
    readonly http2?: boolean | undefined;
    readonly metrics?: MetricsSink | undefined;
    readonly log?: Log | undefined;
    readonly clock?: Clock | undefined;
}
export interface ClusterConnection extends Connection, AsyncDisposable {
}
export declare function createClusterConnection(config: ClusterConfig, options?: ClusterConnectionOptions): ClusterConnection;

// connection/node-in-cluster.ts
import type { ClusterConfig } from "../credentials/cluster-config.ts";
export interface InClusterOptions {
    readonly folder?: string | undefined;
    readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
export declare function isInCluster(environment?: Readonly<Record<string, string | undefined>>): boolean;
export declare function inClusterConfig(options?: InClusterOptions): Promise<ClusterConfig>;

// connection/node-kubeconfig.ts
import type { ClusterConfig } from "../credentials/cluster-config.ts";
import { type ResolveOptions } from "./resolve-kubeconfig.ts";
export interface LoadKubeconfigOptions extends ResolveOptions {
    readonly paths?: readonly string[] | undefined;
    readonly parse?: ((text: string) => unknown) | undefined;
}
export declare function kubeconfigPaths(environment?: Readonly<Record<string, string | undefined>>): readonly string[];
export declare function loadKubeconfig(options?: LoadKubeconfigOptions): Promise<ClusterConfig>;

// transport/node-transport.ts
import { type Clock } from "@listwatch/core-fifo/base";
import type { FetchFunction } from "../http/connection.ts";
import { type TlsSource } from "./tls-options.ts";
export interface TransportOptions {
    readonly tls?: TlsSource | undefined;
    readonly proxy?: string | null | undefined;
    readonly socketPath?: string | undefined;
    readonly compression?: boolean | undefined;
    readonly idleMs?: number | undefined;
    readonly program?: string | undefined;
    readonly http2?: boolean | undefined;
    readonly clock?: Clock | undefined;
}
export interface Transport extends FetchFunction, AsyncDisposable {
}
export declare function nodeTransport(options?: TransportOptions): Transport;

// transport/tls-options.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface TlsOptions {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
    readonly passphrase?: string | undefined;
    readonly serverName?: string | undefined;
    readonly insecureSkipVerify?: boolean | undefined;
}
export declare const tlsTable: OptionsOf<TlsOptions>;
export type TlsSource = TlsOptions | (() => TlsOptions | Promise<TlsOptions>);
export declare function isEqualTls(a: TlsOptions, b: TlsOptions): boolean;
export declare function certificatesIn(pem: string): readonly string[];

// protobuf/protobuf-codec.ts
import type { Codec } from "../json/decoder.ts";
export declare const protobuf: Codec;
