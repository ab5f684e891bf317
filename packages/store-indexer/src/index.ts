/**
 * The object stores behind an informer: by key, by index, by selector.
 *
 * @module
 */
export type { Transform } from "@listwatch/core-fifo";
export { deepFreeze } from "./store/deep-freeze.ts";
export {
  IndexConflictError,
  IndexFunctionError,
  NoSuchIndexError,
  TransactionError,
} from "./store/errors.ts";
export {
  ExpirationStore,
  type ExpirationStoreOptions,
  type TimestampedEntry,
} from "./caches/expiration-store.ts";
export { FieldSelector, fieldOf, type Fields } from "./selectors/field-selector.ts";
export {
  escapeFieldValue,
  type FieldRequirement,
  unescapeFieldValue,
} from "./selectors/field-parser.ts";
export {
  IndexKeyError,
  indexFunctionToKeyFunction,
  metaNamespaceIndexFunction,
  namespaceIndex,
  type IndexedType,
  type Indexers,
  type IndexFunction,
  type IndexResult,
  type IndexValue,
  type IndexValues,
  type NoIndexes,
} from "./store/index-function.ts";
export { Indexer, type IndexerOptions, type IndexerReader } from "./store/indexer.ts";
export {
  KeyedStore,
  type KeyedStoreOptions,
  type KeyedTransactionItem,
  type SlowTransaction,
  type StoreWriter,
} from "./store/keyed-store.ts";
export type { IndexQuery, StoreReader } from "./store/store-reader.ts";
export {
  LabelRequirement,
  type LabelOperator,
  type LabelRequirementOptions,
  type Labels,
} from "./selectors/label-requirement.ts";
export { LabelSelector, type FromSetOptions } from "./selectors/label-selector.ts";
export {
  listAll,
  listAllByNamespace,
  Lister,
  type ListableStore,
  type ListerOptions,
  NamespacedLister,
  type SelectionOptions,
} from "./listers/lister.ts";
export {
  MutationCache,
  type MutationCacheOptions,
  NoIndexerError,
} from "./caches/mutation-cache.ts";
export { type GroupResource, NotFoundError } from "./listers/not-found-error.ts";
export {
  InvalidEscapeError,
  InvalidRequirementError,
  InvalidSelectorError,
  UnescapedCharacterError,
  type InvalidSelectorDetails,
} from "./selectors/selector-errors.ts";
export type { ReplacedContent, StagedReplace } from "./store/staged-replace.ts";
export type { Store, TransactionItem } from "./store/store.ts";
export { UndeltaStore, type UndeltaStoreOptions } from "./caches/undelta-store.ts";
