import {
  checkSynchronous,
  createNoMetadataError,
  describeValue,
  metadataOf,
} from "@listwatch/core-fifo/base";
import { ListwatchError, type Cached } from "@listwatch/core-fifo";

/** Value that an index can be looked up by. */
export type IndexValue = string | number | boolean;

/**
 * Names of a store's indexes with the types of their values, such as `{ node: string; ready:
 * boolean }`.
 */
export type IndexValues = Readonly<Record<string, IndexValue>>;

/** The {@link IndexValues} of a store without indexes. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- it has no names, that is the point
export type NoIndexes = Record<never, never>;

/**
 * Result of an {@link IndexFunction}: one value, several, or none. `undefined` and `null` count as
 * none.
 */
export type IndexResult<V extends IndexValue = IndexValue> =
  | V
  | null
  | undefined
  | readonly (V | null | undefined)[];

/**
 * Maps an object to its values in an index. It must be pure and not change the object; writes to
 * the store are refused. If it throws during a write, or returns anything but an
 * {@link IndexResult}, the write fails and changes nothing. With the option `onIndexError` the
 * object is stored and absent from this index.
 */
export type IndexFunction<T, V extends IndexValue = IndexValue> = {
  // The type of a method, so that functions over `T` are accepted, as many programs have them.
  // Parameters without a type are read-only.
  read(object: Cached<T>): IndexResult<V>;
}["read"];

/** Index functions of a store by name. Their values make up `I`. */
export type Indexers<T, I extends IndexValues> = {
  readonly [N in keyof I]: IndexFunction<T, I[N]>;
} & Readonly<
  // Lets the compiler infer `T` from a parameter type, as in `{ node: (pod: Pod) =>
  // pod.spec.nodeName }`. From a type mapped over `I` it infers `I` only. The parameter is `never`,
  // so that every function is accepted and the mapped type gives parameters without a type theirs.
  Record<string, (object: T extends never ? Cached<T> : never) => unknown>
>;

/**
 * Index function of the conventional index `namespace`. Returns `""` for cluster-scoped objects.
 *
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if the object has no metadata
 */
function metaNamespaceIndexFunction(object: unknown): string {
  const metadata = metadataOf(object);
  if (metadata !== undefined) return metadata.namespace ?? "";
  throw createNoMetadataError(
    `Cannot index by namespace: expected an object with metadata, got ${describeValue(object)}`,
  );
}

/**
 * The conventional index by namespace, to spread into `indexers`. Namespaced listers use it. Its
 * function is client-go's `MetaNamespaceIndexFunc`: it throws an error with the code
 * `LW_NO_METADATA` for an object without metadata.
 */
export const namespaceIndex: {
  /** Returns the namespace of an object; `""` for cluster-scoped objects. */
  readonly namespace: (object: unknown) => string;
} = {
  namespace: metaNamespaceIndexFunction,
};

/**
 * Creates a key function from an index function with unique values.
 *
 * @throws {ListwatchError} with the code `LW_INDEX_KEY_COUNT`, from the key function, if there is
 *   not exactly one value
 */
export function indexFunctionToKeyFunction<T>(
  indexFunction: (object: T) => IndexResult<string>,
): (object: T) => string {
  return (object) => {
    const values = valuesOf(indexFunction(object));
    const [key] = values;
    if (key !== undefined && values.length === 1) return key;
    throw new ListwatchError(
      "LW_INDEX_KEY_COUNT",
      `Cannot use an index value as key: expected one value, got ${values.length}`,
    );
  };
}

/**
 * Returns the result of an index function as a list, in its order.
 *
 * @throws {TypeError} if it is not a valid result
 */
export function valuesOf<V extends IndexValue>(result: IndexResult<V>): readonly V[] {
  checkIndexResult(result);
  if (result === undefined || result === null) return [];
  if (typeof result !== "object") return [result];
  return result.filter((value) => value !== undefined && value !== null);
}

/**
 * Accepts any value, because index functions may come from programs without types.
 *
 * @throws {TypeError} if it is not a valid result of an index function
 */
export function checkIndexResult(result: unknown): void {
  if (isNoneOrValue(result)) return;
  if (Array.isArray(result)) {
    const values: readonly unknown[] = result;
    if (values.every(isNoneOrValue)) return;
  }
  checkSynchronous(result, "values of an index");
  throw new TypeError(
    "expected a string, a number, a boolean, an array of them, or undefined, " +
      `got ${describeValue(result)}`,
  );
}

// Comparisons instead of a set, because every write runs this.
function isNoneOrValue(value: unknown): boolean {
  return (
    typeof value === "string" ||
    value === undefined ||
    value === null ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}
