/**
 * The object stores behind an informer: by key, by index, by selector.
 *
 * @module
 */
export type { Transform } from "@listwatch/core-fifo";
export { asDeepReadonly, deepFreeze, type DeepReadonly } from "./deep-readonly.ts";
export {
  IndexConflictError,
  IndexFunctionError,
  NoSuchIndexError,
  TransactionError,
} from "./errors.ts";
export {
  ExpirationStore,
  type ExpirationStoreOptions,
  type TimestampedEntry,
} from "./expiration-store.ts";
export { FieldSelector, fieldOf, type FieldRequirement, type Fields } from "./field-selector.ts";
export { escapeFieldValue, unescapeFieldValue } from "./internal/field-parser.ts";
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
} from "./index-function.ts";
export { Indexer, type IndexerOptions } from "./indexer.ts";
export {
  KeyedStore,
  type IndexQuery,
  type KeyedStoreOptions,
  type KeyedTransactionItem,
  type SlowTransaction,
} from "./keyed-store.ts";
export {
  LabelRequirement,
  type LabelOperator,
  type LabelRequirementOptions,
  type Labels,
} from "./label-requirement.ts";
export { LabelSelector, type FromSetOptions } from "./label-selector.ts";
export {
  listAll,
  listAllByNamespace,
  Lister,
  type ListableStore,
  type ListerOptions,
  NamespacedLister,
  type SelectionOptions,
} from "./lister.ts";
export { MutationCache, type MutationCacheOptions, NoIndexerError } from "./mutation-cache.ts";
export { type GroupResource, NotFoundError } from "./not-found-error.ts";
export {
  InvalidEscapeError,
  InvalidRequirementError,
  InvalidSelectorError,
  UnescapedCharacterError,
  type InvalidSelectorDetails,
} from "./selector-errors.ts";
export type { ReplacedContent, StagedReplace } from "./staged-replace.ts";
export type { Store, TransactionItem } from "./store.ts";
export { UndeltaStore, type UndeltaStoreOptions } from "./undelta-store.ts";
