import type { IndexFunctionError } from "./errors.ts";

type Errors = readonly IndexFunctionError[];

const none: Errors = [];

/**
 * Objects whose errors are kept: enough to see what they have in common. An error takes some
 * kilobytes, and a function that fails for one object often fails for all of them.
 */
const maxObjects = 1000;

/**
 * The objects that are absent from an index because its function failed for them, by key. The error
 * of an object and an index is the first one, until the function works for the object again. Of
 * objects beyond the first 1000 only the keys are kept.
 */
export class IndexFailures {
  readonly #byKey = new Map<string, Errors>();
  /** The keys of those beyond. */
  readonly #others = new Set<string>();

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#byKey.size + this.#others.size;
  }

  /** The errors that are kept, in the order in which the objects failed. */
  list(): IndexFunctionError[] {
    return [...this.#byKey.values()].flat();
  }

  /** Adds what failed for an object in an index that is new; returns whether it is kept. */
  add(error: IndexFunctionError): boolean {
    return this.set(error.key, [...this.#get(error.key), error]);
  }

  /**
   * Sets what failed for an object; nothing means that it is in all indexes. Returns whether the
   * errors are kept.
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

  /** {@link IndexFailures.set} that keeps the first errors; returns those that are new. */
  update(key: string, failed: Errors): Errors {
    return this.#keep(key, failed, this.#get(key));
  }

  /** Keeps the first errors of what failed in `former` already; returns those that are new. */
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
