import type { IndexFunctionError } from "./errors.ts";

type Errors = readonly IndexFunctionError[];

const none: Errors = [];

/**
 * Maximum number of objects with stored errors, enough to see a pattern. An error takes some
 * kilobytes, and a function that fails for one object often fails for all.
 */
const maxObjects = 1000;

/**
 * Objects that are absent from an index because its function failed, by key. The first error of an
 * object and index is kept until the function works for this object again. Beyond 1000 objects only
 * keys are kept.
 */
export class IndexFailures {
  readonly #byKey = new Map<string, Errors>();
  /** Keys of the objects beyond 1000. */
  readonly #others = new Set<string>();

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Number of objects that are absent from an index. */
  get size(): number {
    return this.#byKey.size + this.#others.size;
  }

  /** Returns the stored errors, in the order in which the objects failed. */
  list(): IndexFunctionError[] {
    return [...this.#byKey.values()].flat();
  }

  /** Adds the error of an object in a new index. Returns whether it is stored. */
  add(error: IndexFunctionError): boolean {
    return this.set(error.key, [...this.#get(error.key), error]);
  }

  /**
   * Sets the errors of an object. An empty list means that it is in all indexes. Returns whether
   * the errors are stored.
   */
  set(key: string, errors: Errors): boolean {
    this.#others.delete(key);
    if (errors.length === 0) {
      this.#byKey.delete(key);
      return false;
    }
    const isKept = this.#byKey.has(key) || this.#byKey.size < maxObjects;
    if (isKept) this.#byKey.set(key, errors);
    else this.#others.add(key);
    return isKept;
  }

  /** Same as {@link IndexFailures.set}, but keeps the first errors. Returns the new ones. */
  update(key: string, failed: Errors): Errors {
    return this.#keep(key, failed, this.#get(key));
  }

  /** Keeps the first errors of objects that also failed in `former`. Returns the new errors. */
  keepFrom(former: IndexFailures): Errors {
    return [...this.#byKey].flatMap(([key, failed]) => this.#keep(key, failed, former.#get(key)));
  }

  #keep(key: string, failed: Errors, known: Errors): Errors {
    const firstOf = ({ indexName }: IndexFunctionError): IndexFunctionError | undefined =>
      known.find((error) => error.indexName === indexName);
    const isKept = this.set(
      key,
      failed.map((error) => firstOf(error) ?? error),
    );
    return isKept ? failed.filter((error) => firstOf(error) === undefined) : none;
  }

  #get(key: string): Errors {
    return this.#byKey.get(key) ?? none;
  }
}
