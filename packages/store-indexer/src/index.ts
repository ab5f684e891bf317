/**
 * The object stores behind an informer: by key, by index, by selector.
 *
 * @module
 */
export { asDeepReadonly, deepFreeze, type DeepReadonly } from "./deep-readonly.ts";
export {
  IndexConflictError,
  IndexFunctionError,
  NoSuchIndexError,
  TransactionError,
} from "./errors.ts";
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
export { Indexer, type IndexerOptions, type Transform } from "./indexer.ts";
export {
  KeyedStore,
  type IndexQuery,
  type KeyedStoreOptions,
  type KeyedTransactionItem,
} from "./keyed-store.ts";
export type { Store, TransactionItem } from "./store.ts";
