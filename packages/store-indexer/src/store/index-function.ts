import { checkSynchronous, describeValue, metadataOf } from "@listwatch/core-fifo/base";
import { ListwatchError, NoMetadataError, type Cached } from "@listwatch/core-fifo";

/** What an index can be looked up by. */
export type IndexValue = string | number | boolean;

/**
 * The names of a store's indexes with the type of their values, such as `{ node: string; ready:
 * boolean }`.
 */
export type IndexValues = Readonly<Record<string, IndexValue>>;

/** The {@link IndexValues} of a store without indexes. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- it has no names, that is the point
export type NoIndexes = Record<never, never>;

/**
 * What an {@link IndexFunction} gives: one value, several, or none. `undefined` and `null` count as
 * no value.
 */
export type IndexResult<V extends IndexValue = IndexValue> =
  | V
  | null
  | undefined
  | readonly (V | null | undefined)[];

/**
 * Maps an object to the values it is found under. Must be pure and leave the object as it is; a
 * write to the store is refused. When it throws while an object is written, or gives anything but
 * an {@link IndexResult}, the write fails and changes nothing, unless the store has an
 * `onIndexError`: then the object is stored and is absent from this index.
 */
export type IndexFunction<T, V extends IndexValue = IndexValue> = {
  // The type of a method, so that functions over `T` fit, which many programs have; an object
  // without a declared type is read-only.
  read(object: Cached<T>): IndexResult<V>;
}["read"];

/** The index functions of a store by name; their values make up `I`. */
export type Indexers<T, I extends IndexValues> = {
  readonly [N in keyof I]: IndexFunction<T, I[N]>;
} & Readonly<
  // Lets a compiler infer `T` from a parameter type, as in `{ node: (pod: Pod) =>
  // pod.spec.nodeName }`: from a type mapped over `I` it infers `I` only. The parameter itself is
  // `never`, so that it refuses no function and leaves those without a type to the mapped type.
  Record<string, (object: T extends never ? Cached<T> : never) => unknown>
>;

/**
 * Index function of the conventional index `namespace`; `""` for cluster-scoped objects.
 *
 * @throws {NoMetadataError} if the object has no metadata
 */
function metaNamespaceIndexFunction(object: unknown): string {
  const metadata = metadataOf(object);
  if (metadata !== undefined) return metadata.namespace ?? "";
  throw new NoMetadataError(
    `Cannot index by namespace: expected an object with metadata, got ${describeValue(object)}`,
  );
}

/**
 * The conventional index by namespace, to spread into `indexers`; namespaced listers use it. Its
 * function is client-go's `MetaNamespaceIndexFunc`, which throws a {@link NoMetadataError} for an
 * object without metadata.
 */
export const namespaceIndex: { readonly namespace: (object: unknown) => string } = {
  namespace: metaNamespaceIndexFunction,
};

/**
 * An index function that serves as key function gave no value, or more than one. Code
 * `LW_INDEX_KEY_COUNT`.
 */
export class IndexKeyError extends ListwatchError {
  override readonly name: string = "IndexKeyError";
  /** How many values there were. */
  readonly count: number;

  constructor(count: number) {
    super(
      "LW_INDEX_KEY_COUNT",
      `Cannot use an index value as key: expected one value, got ${count}`,
    );
    this.count = count;
  }
}

/**
 * Makes a key function of an index function whose values are unique.
 *
 * @throws {IndexKeyError} (the key function) if there is not exactly one value
 */
export function indexFunctionToKeyFunction<T>(
  indexFunction: (object: T) => IndexResult<string>,
): (object: T) => string {
  return (object) => {
    const values = valuesOf(indexFunction(object));
    const [key] = values;
    if (key === undefined || values.length > 1) throw new IndexKeyError(values.length);
    return key;
  };
}

/**
 * The values of an index function's result as a list, in their order.
 *
 * @throws {TypeError} if it is no result of an index function
 */
export function valuesOf<V extends IndexValue>(result: IndexResult<V>): readonly V[] {
  checkIndexResult(result);
  if (result === undefined || result === null) return [];
  if (typeof result !== "object") return [result];
  return result.filter((value) => value !== undefined && value !== null);
}

/**
 * Takes anything, because programs without types write index functions too.
 *
 * @throws {TypeError} if it is no result of an index function
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

// Comparisons, not a set of names, because this is in every write.
function isNoneOrValue(value: unknown): boolean {
  return (
    typeof value === "string" ||
    value === undefined ||
    value === null ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}
