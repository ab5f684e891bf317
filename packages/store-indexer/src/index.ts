/**
 * The object stores behind an informer: by key, by index, by selector.
 *
 * @module
 */
export {
  IndexConflictError,
  IndexFunctionError,
  NestedWriteError,
  NoSuchIndexError,
  TransactionError,
} from "./store/errors.ts";
export { ExpirationStore, type ExpirationStoreOptions } from "./caches/expiration-store.ts";
export { FieldSelector, fieldOf } from "./selectors/field-selector.ts";
export type { FieldRequirement } from "./selectors/field-parser.ts";
export {
  IndexKeyError,
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
  Lister,
  type ListerOptions,
  type NamespacedLister,
  type SelectionOptions,
} from "./listers/lister.ts";
export {
  MutationCache,
  type MutationCacheOptions,
  NoIndexerError,
} from "./caches/mutation-cache.ts";
export { NotFoundError } from "./listers/not-found-error.ts";
export {
  InvalidEscapeError,
  InvalidRequirementError,
  InvalidSelectorError,
  UnescapedCharacterError,
} from "./selectors/selector-errors.ts";
export { clientGoStoreBehaviour } from "./store/store-content.ts";
export type { Store, TransactionItem } from "./store/store.ts";
export { UndeltaStore, type UndeltaStoreOptions } from "./caches/undelta-store.ts";
