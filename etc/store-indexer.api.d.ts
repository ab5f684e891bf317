// index.ts
export { IndexFunctionError, TransactionError } from "./store/errors.ts";
export { ExpirationStore, type ExpirationStoreOptions, type TimestampedEntry, } from "./caches/expiration-store.ts";
export { FieldSelector, type FieldValues } from "./selectors/field-selector.ts";
export { fieldOf, type FieldRequirement } from "./selectors/field-parser.ts";
export { namespaceIndex, type Indexers, type IndexFunction, type IndexResult, type IndexValue, type IndexValues, type NoIndexes, } from "./store/index-function.ts";
export { Indexer, IndexerReader, type IndexerOptions } from "./store/indexer.ts";
export { clientGoStoreBehaviour, KeyedStore, type KeyedStoreOptions, type KeyedTransactionItem, type SlowTransaction, } from "./store/keyed-store.ts";
export type { IndexQuery, StoreReader } from "./store/store-reader.ts";
export { LabelRequirement, type LabelRequirementOptions } from "./selectors/label-requirement.ts";
export type { LabelOperator, Labels } from "./selectors/label-test.ts";
export { labelSelectorOf, type LabelExpression, type LabelSelectorObject, } from "./selectors/label-selector-object.ts";
export { LabelSelector, type FromSetOptions } from "./selectors/label-selector.ts";
export { Lister, type ListableStore, type ListerOptions, NotFoundError, type GroupResource, type NamespacedLister, type SelectionOptions, } from "./listers/lister.ts";
export { MutationCache, type MutationCacheOptions } from "./caches/mutation-cache.ts";
export { InvalidRequirementError, InvalidSelectorError, type InvalidSelectorDetails, } from "./selectors/selector-errors.ts";
export type { Store, TransactionItem } from "./store/store.ts";
export { UndeltaStore, type UndeltaStoreOptions } from "./caches/undelta-store.ts";
export type { ToFind } from "./store/compute-key.ts";
export type { ReplacedContent, StagedReplace } from "./store/store.ts";

// store/errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class IndexFunctionError extends ListwatchError {
    readonly name: string;
    readonly indexName: string;
    readonly key: string;
    constructor(indexName: string, key: string, cause: unknown);
}
export declare class TransactionError extends ListwatchError {
    readonly name: string;
    readonly successfulIndices: readonly number[];
    readonly totalTransactions: number;
    readonly errors: readonly unknown[];
    constructor(successfulIndices: readonly number[], totalTransactions: number, errors: readonly unknown[]);
}

// caches/expiration-store.ts
import { type Clock, type KeyFunction, type Cached } from "@listwatch/core-fifo";
import { type ToFind } from "../store/compute-key.ts";
import type { Store } from "../store/store.ts";
export interface TimestampedEntry<T> {
    readonly object: Cached<T>;
    readonly writtenMs: number;
}
export interface ExpirationStoreOptions<T> {
    readonly ttlMs?: number | undefined;
    readonly isExpired?: ((entry: TimestampedEntry<T>) => boolean) | undefined;
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly clock?: Clock | undefined;
}
export declare class ExpirationStore<T> implements Store<T> {
    #private;
    constructor(options?: ExpirationStoreOptions<T>);
    get lastStoreSyncResourceVersion(): string;
    add(object: T | Cached<T>): void;
    update(object: T | Cached<T>): void;
    delete(object: ToFind<T>): void;
    replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void;
    resync(): void;
    bookmark(resourceVersion: string): void;
    get(object: ToFind<T>): Cached<T> | undefined;
    getByKey(key: string): Cached<T> | undefined;
    list(): Cached<T>[];
    listKeys(): string[];
}

// store/compute-key.ts
import { DeletedFinalStateUnknown, type Cached, type KeyFunction } from "@listwatch/core-fifo";
export type ToFind<T> = T | Cached<T> | DeletedFinalStateUnknown<T | Cached<T>>;
export declare function computeKey<T>(keyFunc: KeyFunction<T>, object: ToFind<T>): string;
export declare function computeKeyToFind<T>(keyFunc: KeyFunction<T>, object: ToFind<T>): string;

// store/store.ts
import type { Cached } from "@listwatch/core-fifo";
import type { ToFind } from "./compute-key.ts";
export interface Store<T> {
    add(object: T | Cached<T>): void;
    update(object: T | Cached<T>): void;
    delete(object: ToFind<T>): void;
    replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void;
    resync(): void;
    bookmark(resourceVersion: string): void;
    get(object: ToFind<T>): Cached<T> | undefined;
    getByKey(key: string): Cached<T> | undefined;
    list(): Cached<T>[];
    listKeys(): string[];
    readonly lastStoreSyncResourceVersion: string;
}
export type TransactionItem<T> = {
    readonly type: "Add" | "Update";
    readonly object: T | Cached<T>;
} | {
    readonly type: "Delete";
    readonly object: ToFind<T>;
};
export interface StagedReplace<T> {
    put(key: string, object: T | Cached<T>): void;
    has(key: string): boolean;
    readonly size: number;
    commit(resourceVersion: string): ReplacedContent<T>;
}
export interface ReplacedContent<T> {
    get(key: string): Cached<T> | undefined;
    keys(): Iterable<string>;
}

// selectors/field-selector.ts
import { type FieldRequirement } from "./field-parser.ts";
export type FieldValues = Readonly<Record<string, string | undefined>>;
export declare class FieldSelector {
    #private;
    static readonly everything: FieldSelector;
    static readonly nothing: FieldSelector;
    private constructor();
    static parse(text: string): FieldSelector;
    static equal(field: string, value: string): FieldSelector;
    static notEqual(field: string, value: string): FieldSelector;
    static and(...selectors: readonly FieldSelector[]): FieldSelector;
    get isEmpty(): boolean;
    get requirements(): readonly FieldRequirement[];
    matches(fields: FieldValues | ((field: string) => string | undefined)): boolean;
    requiresExactMatch(field: string): string | undefined;
    toString(): string;
}

// selectors/field-parser.ts
export interface FieldRequirement {
    readonly field: string;
    readonly operator: "=" | "!=";
    readonly value: string;
}
export declare function parseTerms(selector: string): FieldRequirement[];
export declare function fieldOf(object: unknown, path: string): string | undefined;
export declare function holds({ operator, value }: FieldRequirement, actual: string | undefined): boolean;
export declare function unescapeFieldValue(value: string): string;

// store/index-function.ts
import { type Cached } from "@listwatch/core-fifo";
export type IndexValue = string | number | boolean;
export type IndexValues = Readonly<Record<string, IndexValue>>;
export type NoIndexes = Record<never, never>;
export type IndexResult<V extends IndexValue = IndexValue> = V | null | undefined | readonly (V | null | undefined)[];
export type IndexFunction<T, V extends IndexValue = IndexValue> = {
    read(object: Cached<T>): IndexResult<V>;
}["read"];
export type Indexers<T, I extends IndexValues> = {
    readonly [N in keyof I]: IndexFunction<T, I[N]>;
} & Readonly<Record<string, (object: T extends never ? Cached<T> : never) => unknown>>;
export declare const namespaceIndex: {
    readonly namespace: (object: unknown) => string;
};
export declare function indexFunctionToKeyFunction<T>(indexFunction: (object: T) => IndexResult<string>): (object: T) => string;
export declare function valuesOf<V extends IndexValue>(result: IndexResult<V>): readonly V[];
export declare function checkIndexResult(result: unknown): void;

// store/indexer.ts
import { type Cached, type KeyFunction, type Transform } from "@listwatch/core-fifo";
import { type OptionsOf } from "@listwatch/core-fifo/base";
import { type ToFind } from "./compute-key.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import { KeyedStore, type KeyedStoreOptions } from "./keyed-store.ts";
import type { Store, TransactionItem } from "./store.ts";
import { StoreReader } from "./store-reader.ts";
export interface IndexerOptions<T, I extends IndexValues> extends KeyedStoreOptions<T, I> {
    readonly keyFunc?: (KeyFunction<NoInfer<T>> & ((object: T extends never ? T : never) => unknown)) | undefined;
    readonly transform?: Transform<T> | undefined;
}
export declare const indexerTable: OptionsOf<IndexerOptions<never, never>>;
export declare class IndexerReader<T, I extends IndexValues> extends StoreReader<T, I> {
    #private;
    constructor(source: StoreReader<T, I>, computeKeyOf: (object: ToFind<T>) => string);
    get(object: ToFind<T>): Cached<T> | undefined;
}
export declare class Indexer<T, I extends IndexValues = NoIndexes> extends IndexerReader<T, I> implements Store<T> {
    #private;
    readonly reader: IndexerReader<T, I>;
    readonly keyed: KeyedStore<T, I>;
    constructor(options?: IndexerOptions<T, I>);
    add(object: T | Cached<T>): void;
    update(object: T | Cached<T>): void;
    delete(object: ToFind<T>): void;
    replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void;
    transaction(items: readonly TransactionItem<T>[]): void;
    resync(): void;
    bookmark(resourceVersion: string): void;
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Indexer<T, I & J>;
}

// store/keyed-store.ts
import { type Cached, type Clock } from "@listwatch/core-fifo";
import { Preset, type OptionsOf } from "@listwatch/core-fifo/base";
import { type IndexFunctionError } from "./errors.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import type { StagedReplace } from "./store.ts";
import { StoreReader } from "./store-reader.ts";
import type { ToFind } from "./compute-key.ts";
export declare const clientGoStoreBehaviour: Preset<"clientGoStoreBehaviour">;
export interface KeyedStoreOptions<T, I extends IndexValues> {
    readonly indexers?: Indexers<T, I> | undefined;
    readonly freeze?: boolean | undefined;
    readonly onIndexError?: ((error: IndexFunctionError) => void) | undefined;
    readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
    readonly onSlowTransaction?: ((transaction: SlowTransaction) => void) | undefined;
    readonly clock?: Clock | undefined;
}
export declare const keyedStoreTable: OptionsOf<KeyedStoreOptions<never, never>>;
export interface SlowTransaction {
    readonly items: number;
    readonly durationMs: number;
}
export type KeyedTransactionItem<T> = {
    readonly type: "Add" | "Update";
    readonly key: string;
    readonly object: T | Cached<T>;
} | {
    readonly type: "Delete";
    readonly key: string;
    readonly object: ToFind<T>;
};
export declare class KeyedStore<T, I extends IndexValues = NoIndexes> extends StoreReader<T, I> {
    #private;
    readonly reader: StoreReader<T, I>;
    constructor(options?: KeyedStoreOptions<T, I>);
    add(key: string, object: T | Cached<T>): Cached<T> | undefined;
    update(key: string, object: T | Cached<T>): Cached<T> | undefined;
    delete(key: string): Cached<T> | undefined;
    deleteWithObject(key: string, object: ToFind<T>): Cached<T> | undefined;
    replace(objects: ReadonlyMap<string, T | Cached<T>>, resourceVersion: string): void;
    stageReplace(): StagedReplace<T>;
    transaction(items: readonly KeyedTransactionItem<T>[]): void;
    bookmark(resourceVersion: string): void;
    addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): KeyedStore<T, I & J>;
}

// store/store-reader.ts
import type { Cached } from "@listwatch/core-fifo";
import type { IndexFunctionError } from "./errors.ts";
import type { Indexers, IndexValues } from "./index-function.ts";
import type { StoreContent } from "./store-content.ts";
export type IndexQuery<I extends IndexValues> = {
    readonly [N in keyof I]?: I[N];
};
export declare class StoreReader<T, I extends IndexValues> {
    #private;
    constructor(source: StoreContent<T> | StoreReader<T, I>);
    get size(): number;
    get lastStoreSyncResourceVersion(): string;
    getByKey(key: string): Cached<T> | undefined;
    has(key: string): boolean;
    list(): Cached<T>[];
    listKeys(): string[];
    byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[];
    byIndexes(query: IndexQuery<I>): Cached<T>[];
    index(name: keyof I & string, object: T | Cached<T>): Cached<T>[];
    indexKeys<N extends keyof I & string>(name: N, value: I[N]): string[];
    listIndexFuncValues<N extends keyof I & string>(name: N): I[N][];
    listNamespace(namespace: string): Cached<T>[] | undefined;
    listIndexErrors(): IndexFunctionError[];
    get unindexedCount(): number;
    getIndexers(): Indexers<T, I>;
}

// store/store-content.ts
import { type Cached, type Preset } from "@listwatch/core-fifo";
import type { Entry } from "./entry.ts";
import type { IndexFunctionError } from "./errors.ts";
import { IndexFailures } from "./index-failures.ts";
import { type IndexFunction, type IndexValue } from "./index-function.ts";
import { IndexSet } from "./index-set.ts";
import type { StagedReplace } from "./store.ts";
export interface StoreContentOptions {
    readonly freeze?: boolean | undefined;
    readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
    readonly onIndexError?: ((error: IndexFunctionError) => void) | undefined;
}
export declare class StoreContent<T> {
    #private;
    constructor(options: StoreContentOptions);
    get entries(): ReadonlyMap<string, Entry<T>>;
    get indexes(): IndexSet<T>;
    get resourceVersion(): string;
    get failures(): IndexFailures;
    put(key: string, object: T | Cached<T>, followed?: unknown): Cached<T> | undefined;
    transact(write: () => void): void;
    delete(key: string): Cached<T> | undefined;
    replace(objects: ReadonlyMap<string, T | Cached<T>>, resourceVersion: string): void;
    stageReplace(): StagedReplace<T>;
    addIndexers(indexers: Readonly<Record<string, IndexFunction<T>>>): void;
    query(name: string, object: T | Cached<T>): readonly IndexValue[];
    bookmark(resourceVersion: string): void;
    follow(object: unknown): void;
}

// store/entry.ts
import type { Cached } from "@listwatch/core-fifo";
import type { IndexFunction, IndexValue } from "./index-function.ts";
export declare class Link<T> {
    bucket: Bucket<T> | undefined;
    position: number;
    next: Link<T> | undefined;
}
export declare class Entry<T> extends Link<T> {
    readonly key: string;
    object: Cached<T>;
    constructor(key: string, object: Cached<T>);
    linkIn(bucket: Bucket<T>): Link<T> | undefined;
    firstLink(): Link<T> | undefined;
}
export declare function append<T>(entry: Entry<T>, tail: Link<T> | undefined, bucket: Bucket<T>, position: number, isLong: boolean): Link<T>;
export declare class Bucket<T> {
    readonly table: IndexTable<T>;
    readonly value: IndexValue;
    readonly entries: Entry<T>[];
    constructor(table: IndexTable<T>, value: IndexValue);
    removeAt(position: number): void;
    objects(): Cached<T>[];
}
export declare class IndexTable<T> {
    readonly name: string;
    readonly indexFunction: IndexFunction<T>;
    readonly buckets: Map<IndexValue, Bucket<T>>;
    constructor(name: string, indexFunction: IndexFunction<T>);
    bucketFor(value: IndexValue): Bucket<T>;
}
export declare function unwrap<T>(entries: Entry<T>[]): Cached<T>[];

// store/index-failures.ts
import type { IndexFunctionError } from "./errors.ts";
type Errors = readonly IndexFunctionError[];
export declare class IndexFailures {
    #private;
    get isEmpty(): boolean;
    get size(): number;
    list(): IndexFunctionError[];
    add(error: IndexFunctionError): boolean;
    set(key: string, errors: Errors): boolean;
    update(key: string, failed: Errors): Errors;
    keepFrom(former: IndexFailures): Errors;
}
export {};

// store/index-set.ts
import { type Cached } from "@listwatch/core-fifo";
import { IndexFunctionError } from "./errors.ts";
import { type IndexFunction, type IndexResult } from "./index-function.ts";
import { Entry, IndexTable } from "./entry.ts";
export type IndexResults = readonly IndexResult[];
export type NoteFailure = ((error: IndexFunctionError) => void) | undefined;
export declare class IndexSet<T> {
    #private;
    get size(): number;
    has(name: string): boolean;
    find(name: string): IndexTable<T> | undefined;
    listFunctions(): Generator<[string, IndexFunction<T>], undefined>;
    get(name: string): IndexTable<T>;
    add(indexers: Iterable<[string, IndexFunction<T>]>, entries: ReadonlyMap<string, Entry<T>>, note: NoteFailure): void;
    emptyCopy(): IndexSet<T>;
    missingIn(other: IndexSet<T>): [string, IndexFunction<T>][];
    evaluate(key: string, object: Cached<T>, note: NoteFailure, results: IndexResult[], at: number): void;
    put(entries: Map<string, Entry<T>>, key: string, object: Cached<T>, results: IndexResults, at: number): Cached<T> | undefined;
    remove(entry: Entry<T>): void;
}

// selectors/label-requirement.ts
import { type LabelOperator, type Labels } from "./label-test.ts";
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface LabelRequirementOptions {
    readonly validate?: boolean | undefined;
}
export declare const validationTable: OptionsOf<LabelRequirementOptions>;
export declare class LabelRequirement {
    #private;
    readonly key: string;
    readonly operator: LabelOperator;
    readonly values: readonly string[];
    constructor(key: string, operator: LabelOperator, values?: readonly string[], options?: LabelRequirementOptions);
    matches(labels: Labels | undefined): boolean;
    toString(): string;
}

// selectors/label-test.ts
export type Labels = Readonly<Record<string, string>>;
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | "gt" | "lt";
export type LabelTest = (value: string | undefined) => boolean;
export declare function labelOf(labels: Labels | undefined, key: string): string | undefined;
export declare function createLabelTest(key: string, operator: LabelOperator, values: readonly string[], validate: boolean): LabelTest;

// selectors/label-selector-object.ts
import type { Labels } from "./label-test.ts";
export interface LabelExpression {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[] | undefined;
}
export interface LabelSelectorObject {
    readonly matchLabels?: Labels | undefined;
    readonly matchExpressions?: readonly LabelExpression[] | undefined;
}
export declare function labelSelectorOf(selector: LabelSelectorObject | null | undefined): string;

// selectors/label-selector.ts
import { LabelRequirement } from "./label-requirement.ts";
import type { Labels } from "./label-test.ts";
export interface FromSetOptions {
    readonly validate?: boolean | undefined;
}
export declare class LabelSelector {
    #private;
    static readonly everything: LabelSelector;
    static readonly nothing: LabelSelector;
    private constructor();
    static parse(text: string): LabelSelector;
    static of(...requirements: readonly LabelRequirement[]): LabelSelector;
    static fromSet(labels: Labels, options?: FromSetOptions): LabelSelector;
    get isEmpty(): boolean;
    get isSelectable(): boolean;
    get requirements(): readonly LabelRequirement[];
    matches(labels: Labels | undefined): boolean;
    with(...requirements: readonly LabelRequirement[]): LabelSelector;
    requiresExactMatch(key: string): string | undefined;
    toString(): string;
}

// listers/lister.ts
import { ListwatchError, type Cached, type Key, type Scope } from "@listwatch/core-fifo";
import type { FieldSelector } from "../selectors/field-selector.ts";
import type { LabelSelector } from "../selectors/label-selector.ts";
export interface GroupResource {
    readonly group: string;
    readonly resource: string;
}
export declare class NotFoundError extends ListwatchError implements GroupResource {
    readonly name: string;
    readonly group: string;
    readonly resource: string;
    readonly objectName: string;
    constructor({ group, resource }: GroupResource, objectName: string);
}
export interface ListableStore<T> {
    list(): Cached<T>[];
    getByKey(key: string): Cached<T> | undefined;
    listNamespace(namespace: string): Cached<T>[] | undefined;
}
export interface SelectionOptions {
    readonly labelSelector?: string | LabelSelector | undefined;
    readonly fieldSelector?: string | FieldSelector | undefined;
}
export declare function listAll<T>(store: ListableStore<T>, options?: SelectionOptions): Cached<T>[];
export declare function listAllByNamespace<T>(store: ListableStore<T>, namespace: string, options?: SelectionOptions): Cached<T>[];
export interface ListerOptions<S extends Scope = Scope> {
    readonly resource: string;
    readonly group?: string | undefined;
    readonly kind?: string | undefined;
    readonly scope?: S | undefined;
}
export declare class Lister<T, S extends Scope = Scope> {
    #private;
    constructor(store: ListableStore<T>, { group, resource }: ListerOptions<S>);
    list(options?: SelectionOptions): Cached<T>[];
    get(key: Key<S>): Cached<T>;
    find(key: Key<S>): Cached<T> | undefined;
    namespace(namespace: string): NamespacedLister<T>;
}
export declare class NamespacedLister<T> {
    #private;
    constructor(store: ListableStore<T>, resource: GroupResource, namespace: string);
    list(options?: SelectionOptions): Cached<T>[];
    get(name: string): Cached<T>;
    find(name: string): Cached<T> | undefined;
}

// caches/mutation-cache.ts
import { type Clock, type KeyFunction, type Preset, type Cached } from "@listwatch/core-fifo";
import { type IndexValues, type NoIndexes } from "../store/index-function.ts";
import type { IndexerReader } from "../store/indexer.ts";
import { type ToFind } from "../store/compute-key.ts";
import type { Store } from "../store/store.ts";
export interface MutationCacheOptions<T, I extends IndexValues> {
    readonly indexer?: IndexerReader<T, I> | undefined;
    readonly ttlMs?: number | undefined;
    readonly maxEntries?: number | undefined;
    readonly includeAdds?: boolean | undefined;
    readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
    readonly keyFunc?: KeyFunction<T> | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
}
export declare class MutationCache<T, I extends IndexValues = NoIndexes> {
    #private;
    constructor(store: Pick<Store<T>, "getByKey">, options?: MutationCacheOptions<T, I>);
    getByKey(key: string): Cached<T> | undefined;
    byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[];
    mutation(object: T | Cached<T>): void;
    onAddOrUpdate(object: T | Cached<T>): void;
    onDelete(object: ToFind<T>): void;
}

// selectors/selector-errors.ts
import { ListwatchError } from "@listwatch/core-fifo";
export interface InvalidSelectorDetails extends ErrorOptions {
    readonly code?: InvalidSelectorError["code"] | undefined;
    readonly selector: string;
    readonly position: number;
    readonly problem: string;
}
export declare class InvalidSelectorError extends ListwatchError {
    readonly name: string;
    readonly code: "LW_INVALID_ESCAPE" | "LW_INVALID_SELECTOR" | "LW_UNESCAPED_CHARACTER";
    readonly selector: string;
    readonly position: number;
    constructor(details: InvalidSelectorDetails);
}
export declare class InvalidRequirementError extends ListwatchError {
    readonly name: string;
    readonly part: "key" | "operator" | "values" | "value";
    readonly problem: string;
    readonly value: string | undefined;
    constructor(part: "key" | "operator" | "values" | "value", problem: string, value?: string);
}

// caches/undelta-store.ts
import type { Cached } from "@listwatch/core-fifo";
import { type IndexerOptions } from "../store/indexer.ts";
import type { NoIndexes } from "../store/index-function.ts";
import type { Store } from "../store/store.ts";
import type { ToFind } from "../store/compute-key.ts";
export interface UndeltaStoreOptions<T> extends Omit<IndexerOptions<T, NoIndexes>, "indexers"> {
    readonly push: (objects: Cached<T>[]) => void;
}
export declare class UndeltaStore<T> implements Store<T> {
    #private;
    constructor(options: UndeltaStoreOptions<T>);
    get lastStoreSyncResourceVersion(): string;
    add(object: T | Cached<T>): void;
    update(object: T | Cached<T>): void;
    delete(object: ToFind<T>): void;
    replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void;
    resync(): void;
    bookmark(resourceVersion: string): void;
    get(object: ToFind<T>): Cached<T> | undefined;
    getByKey(key: string): Cached<T> | undefined;
    list(): Cached<T>[];
    listKeys(): string[];
}
