/**
 * The object stores behind an informer: by key, by index, by selector.
 *
 * @module
 */
export { IndexFunctionError, TransactionError } from "./store/errors.ts";
export {
  ExpirationStore,
  type ExpirationStoreOptions,
  type TimestampedEntry,
} from "./caches/expiration-store.ts";
export { FieldSelector, type FieldValues } from "./selectors/field-selector.ts";
export { fieldOf, type FieldRequirement } from "./selectors/field-parser.ts";
export {
  namespaceIndex,
  type Indexers,
  type IndexFunction,
  type IndexResult,
  type IndexValue,
  type IndexValues,
  type NoIndexes,
} from "./store/index-function.ts";
export { Indexer, IndexerReader, type IndexerOptions } from "./store/indexer.ts";
export {
  clientGoStoreBehaviour,
  KeyedStore,
  type KeyedStoreOptions,
  type KeyedTransactionItem,
  type SlowTransaction,
} from "./store/keyed-store.ts";
export type { IndexQuery, StoreReader } from "./store/store-reader.ts";
export { LabelRequirement, type LabelRequirementOptions } from "./selectors/label-requirement.ts";
export type { LabelOperator, Labels } from "./selectors/label-test.ts";
export {
  labelSelectorOf,
  type LabelExpression,
  type LabelSelectorObject,
} from "./selectors/label-selector-object.ts";
export { LabelSelector, type FromSetOptions } from "./selectors/label-selector.ts";
export {
  Lister,
  type ListableStore,
  type ListerOptions,
  NotFoundError,
  type GroupResource,
  type NamespacedLister,
  type SelectionOptions,
} from "./listers/lister.ts";
export { MutationCache, type MutationCacheOptions } from "./caches/mutation-cache.ts";
export {
  InvalidRequirementError,
  InvalidSelectorError,
  type InvalidSelectorDetails,
} from "./selectors/selector-errors.ts";
export type { Store, TransactionItem } from "./store/store.ts";
export { UndeltaStore, type UndeltaStoreOptions } from "./caches/undelta-store.ts";
export type { ToFind } from "./store/compute-key.ts";
export type { ReplacedContent, StagedReplace } from "./store/store.ts";
