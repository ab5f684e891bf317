/**
 * The object stores behind an informer: by key, by index, by selector.
 *
 * @module
 */
export { IndexFunctionError, TransactionError } from "./store/errors.ts";
export { ExpirationStore, type ExpirationStoreOptions } from "./caches/expiration-store.ts";
export { FieldSelector, fieldOf } from "./selectors/field-selector.ts";
export { escapeFieldValue } from "@listwatch/core-fifo/base";
export { type FieldRequirement, unescapeFieldValue } from "./selectors/field-parser.ts";
export {
  indexFunctionToKeyFunction,
  metaNamespaceIndexFunction,
  namespaceIndex,
  type Indexers,
  type IndexFunction,
  type IndexValues,
  type NoIndexes,
} from "./store/index-function.ts";
export { Indexer, type IndexerOptions, type IndexerReader } from "./store/indexer.ts";
export { KeyedStore, type KeyedStoreOptions } from "./store/keyed-store.ts";
export type { StoreReader } from "./store/store-reader.ts";
export { LabelRequirement } from "./selectors/label-requirement.ts";
export { LabelSelector } from "./selectors/label-selector.ts";
export {
  listAll,
  listAllByNamespace,
  Lister,
  type ListerOptions,
  NamespacedLister,
  NotFoundError,
  type SelectionOptions,
} from "./listers/lister.ts";
export { MutationCache, type MutationCacheOptions } from "./caches/mutation-cache.ts";
export { InvalidRequirementError, InvalidSelectorError } from "./selectors/selector-errors.ts";
export { clientGoStoreBehaviour } from "./store/store-content.ts";
export type { Store, TransactionItem } from "./store/store.ts";
export { UndeltaStore, type UndeltaStoreOptions } from "./caches/undelta-store.ts";
