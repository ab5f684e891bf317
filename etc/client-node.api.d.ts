// index.ts
export type { Wire } from "@listwatch/client";
export { RefusedError } from "./informer/refused-error.ts";
export type { DropInInformer } from "./informer/drop-in-informer.ts";
export type { DropInOptions } from "./informer/drop-in-options.ts";
export { makeInformer } from "./informer/make-informer.ts";
export { ADD, CHANGE, CONNECT, DELETE, ERROR, UPDATE, type ErrorCallback, type Informer, type KubernetesListObject, type ListPromise, type ListWatch, type ObjectCache, type ObjectCallback, type ObjectVerb, type UntypedObject, } from "./informer/verbs.ts";
export { connectKubeConfig, type ConnectKubeConfigOptions, } from "./kubeconfig/connect-kube-config.ts";
export type { KubeConfigLike } from "./kubeconfig/kube-config-like.ts";
export { toWire } from "./wire/to-wire.ts";
export type { Models } from "./wire/revive.ts";

// informer/refused-error.ts
import { StatusError } from "@listwatch/client";
export declare class RefusedError extends Error {
    readonly name: string;
    readonly code: number;
    readonly statusCode: number;
    readonly body: string;
    constructor(cause: StatusError);
}
export declare function errorOfList(error: unknown, nowMs: number): unknown;
export declare function errorForProgram(error: unknown): unknown;

// informer/drop-in-informer.ts
import { type Wire } from "@listwatch/client";
import { Informer as SharedInformer, type InformerStatus, type NamespaceIndex } from "@listwatch/shared-informer";
import type { KubeConfigLike } from "../kubeconfig/kube-config-like.ts";
import { type DropInOptions } from "./drop-in-options.ts";
import { CONNECT, ERROR, type CHANGE, type ErrorCallback, type ListPromise, type ListWatch, type ObjectCallback, type ObjectVerb } from "./verbs.ts";
export interface DropInParts<T> {
    readonly config: KubeConfigLike;
    readonly path: string;
    readonly list: ListPromise<T>;
    readonly labelSelector: string | undefined;
    readonly options: DropInOptions;
}
export declare class DropInInformer<T> implements ListWatch<T>, AsyncDisposable {
    #private;
    constructor(parts: DropInParts<T>);
    get informer(): SharedInformer<Wire<T>, NamespaceIndex>;
    get hasSynced(): boolean;
    status(): InformerStatus;
    on(verb: ObjectVerb | CHANGE, callback: ObjectCallback<T>): void;
    on(verb: ERROR | CONNECT, callback: ErrorCallback): void;
    off(verb: ObjectVerb | CHANGE, callback: ObjectCallback<T>): void;
    off(verb: ERROR | CONNECT, callback: ErrorCallback): void;
    get(name: string, namespace?: string): T | undefined;
    list(namespace?: string): readonly T[];
    latestResourceVersion(): string;
    start(): Promise<void>;
    stop(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// kubeconfig/kube-config-like.ts
export interface KubeConfigLike {
    exportConfig(): string;
    getCurrentContext(): string | undefined;
    loadFromOptions(options: object): void;
    applyToHTTPSOptions(options: object): Promise<void>;
}

// informer/drop-in-options.ts
import type { Connection } from "@listwatch/client";
import type { Clock, KubernetesObject, Log } from "@listwatch/core-fifo";
import type { ReflectorSourceOptions, ReflectorSourceTelemetry } from "@listwatch/shared-informer";
import { type ConnectKubeConfigOptions } from "../kubeconfig/connect-kube-config.ts";
import type { Models } from "../wire/revive.ts";
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface DropInOptions {
    readonly list?: "function" | "path" | undefined;
    readonly fieldSelector?: string | undefined;
    readonly revive?: Models | undefined;
    readonly connection?: Connection | undefined;
    readonly connect?: ConnectKubeConfigOptions | undefined;
    readonly name?: string | undefined;
    readonly watch?: ReflectorSourceOptions<KubernetesObject>["watch"];
    readonly retry?: ReflectorSourceOptions<KubernetesObject>["retry"];
    readonly telemetry?: Omit<ReflectorSourceTelemetry, "log"> | undefined;
    readonly log?: Log | undefined;
    readonly clock?: Clock | undefined;
}
export declare const dropInTable: OptionsOf<DropInOptions>;

// kubeconfig/connect-kube-config.ts
import { type ClusterConnection, type ClusterConnectionOptions } from "@listwatch/client/node";
import { type OptionsOf } from "@listwatch/core-fifo/base";
import type { KubeConfigLike } from "./kube-config-like.ts";
export interface ConnectKubeConfigOptions extends ClusterConnectionOptions {
    readonly context?: string | undefined;
}
export declare const connectTable: OptionsOf<ConnectKubeConfigOptions>;
export declare function connectKubeConfig(config: KubeConfigLike, options?: ConnectKubeConfigOptions): ClusterConnection;

// wire/revive.ts
import type { KubernetesObject } from "@listwatch/core-fifo";
export type Models = Readonly<Record<string, unknown>>;
export declare function revive(object: KubernetesObject, models: Models): KubernetesObject;

// informer/verbs.ts
declare const add = "add";
type add = typeof add;
declare const update = "update";
type update = typeof update;
declare const change = "change";
type change = typeof change;
declare const remove = "delete";
type remove = typeof remove;
declare const connect = "connect";
type connect = typeof connect;
declare const error = "error";
type error = typeof error;
export { add as ADD, change as CHANGE, connect as CONNECT, error as ERROR, remove as DELETE, update as UPDATE, };
export type ObjectVerb = add | update | remove;
export interface UntypedObject {
    apiVersion?: string;
    kind?: string;
    metadata?: {
        annotations?: {
            [key: string]: string;
        };
        creationTimestamp?: Date;
        deletionGracePeriodSeconds?: number;
        deletionTimestamp?: Date;
        finalizers?: string[];
        generateName?: string;
        generation?: number;
        labels?: {
            [key: string]: string;
        };
        name?: string;
        namespace?: string;
        ownerReferences?: {
            apiVersion: string;
            blockOwnerDeletion?: boolean;
            controller?: boolean;
            kind: string;
            name: string;
            uid: string;
        }[];
        resourceVersion?: string;
        selfLink?: string;
        uid?: string;
    };
}
export type ObjectCallback<T> = (object: T) => void;
export type ErrorCallback = (error?: any) => void;
export interface KubernetesListObject<T> {
    readonly apiVersion?: string | undefined;
    readonly kind?: string | undefined;
    readonly metadata?: object | undefined;
    readonly items: T[];
}
export type ListPromise<T> = () => Promise<KubernetesListObject<T>>;
export interface ObjectCache<T> {
    get(name: string, namespace?: string): T | undefined;
    list(namespace?: string): readonly T[];
}
export interface Informer<T> {
    on(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
    on(verb: error | connect, callback: ErrorCallback): void;
    off(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
    off(verb: error | connect, callback: ErrorCallback): void;
    start(): Promise<void>;
    stop(): Promise<void>;
}
export interface ListWatch<T> extends Informer<T>, ObjectCache<T> {
    latestResourceVersion(): string;
}

// informer/make-informer.ts
import type { KubeConfigLike } from "../kubeconfig/kube-config-like.ts";
import { DropInInformer } from "./drop-in-informer.ts";
import type { DropInOptions } from "./drop-in-options.ts";
import type { ListPromise, UntypedObject } from "./verbs.ts";
export declare function makeInformer<T = UntypedObject>(kubeconfig: KubeConfigLike, path: string, listPromiseFn: ListPromise<T>, labelSelector?: string, options?: DropInOptions): DropInInformer<T>;

// wire/to-wire.ts
import type { Wire } from "@listwatch/client";
import { type JsonObject } from "@listwatch/core-fifo/base";
export declare function toWire<T>(value: T): Wire<T>;
export declare function itemToWire(item: unknown, { apiVersion, kind }: ListType): JsonObject;
export interface ListType {
    readonly apiVersion?: string | undefined;
    readonly kind?: string | undefined;
}
