import { ListwatchError } from "@listwatch/core-fifo";
import { describeError } from "@listwatch/core-fifo/base";

const indexAdvice =
  "Let the index function return no values for what it cannot index; the object is found by key, " +
  "and is missing in this index";

/**
 * An index function threw during a write or returned an invalid value; see `cause`. The write
 * changed nothing. In a store with `onIndexError` the write is done, and the object is absent from
 * this index. Code `LW_INDEX_FUNCTION`.
 */
export class IndexFunctionError extends ListwatchError {
  /** Always `"IndexFunctionError"`, also in minified programs. */
  override readonly name: string = "IndexFunctionError";
  /** Name of the index whose function failed. */
  readonly indexName: string;
  /** Key of the written object. */
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
 * Some items of a transaction failed; all others were applied, in order. The first failure is the
 * `cause`. Code `LW_TRANSACTION`.
 */
export class TransactionError extends ListwatchError {
  /** Always `"TransactionError"`, also in minified programs. */
  override readonly name: string = "TransactionError";
  /** Positions of the applied items, ascending. */
  readonly successfulIndices: readonly number[];
  /** Number of items in the transaction. */
  readonly totalTransactions: number;
  /** Errors of the failed items, in their order. */
  readonly errors: readonly unknown[];

  /** @param successfulIndices positions of the applied items, ascending */
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
