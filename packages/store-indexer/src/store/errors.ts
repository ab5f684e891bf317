import { ListwatchError } from "@listwatch/core-fifo";
import { describeError } from "@listwatch/core-fifo/base";

const indexAdvice =
  "Let the index function return no values for what it cannot index; the object is found by key, " +
  "and is missing in this index";

/**
 * An index function threw while an object was written, or gave no value that an index can have; the
 * `cause` says what. The write changed nothing; in a store with `onIndexError` it was done, and the
 * object is absent from this index. Code `LW_INDEX_FUNCTION`.
 */
export class IndexFunctionError extends ListwatchError {
  override readonly name: string = "IndexFunctionError";
  readonly indexName: string;
  /** The key of the object that was written. */
  readonly key: string;

  constructor(indexName: string, key: string, cause: unknown) {
    super(
      "LW_INDEX_FUNCTION",
      `Cannot compute the index ${JSON.stringify(indexName)} of ${JSON.stringify(key)}: ` +
        describeError(cause),
      { cause, advice: indexAdvice },
    );
    this.indexName = indexName;
    this.key = key;
  }
}

/**
 * Some items of a transaction could not be applied; all others were, in order. The first failure is
 * the `cause`. Code `LW_TRANSACTION`.
 */
export class TransactionError extends ListwatchError {
  override readonly name: string = "TransactionError";
  /** Positions of the items that were applied, ascending. */
  readonly successfulIndices: readonly number[];
  /** How many items the transaction had. */
  readonly totalTransactions: number;
  /** Why the others failed, in their order. */
  readonly errors: readonly unknown[];

  constructor(
    successfulIndices: readonly number[],
    totalTransactions: number,
    errors: readonly unknown[],
  ) {
    const reasons = errors.map(describeError);
    super(
      "LW_TRANSACTION",
      `Cannot apply ${errors.length} of ${totalTransactions} items of a transaction: ${reasons.join("; ")}`,
      { cause: errors[0] },
    );
    this.successfulIndices = successfulIndices;
    this.totalTransactions = totalTransactions;
    this.errors = errors;
  }
}
