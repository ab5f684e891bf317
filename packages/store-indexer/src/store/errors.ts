import { ListwatchError } from "@listwatch/core-fifo";
import { describeError } from "@listwatch/core-fifo/base";

/** The store has no index of this name. Code `LW_NO_SUCH_INDEX`. */
export class NoSuchIndexError extends ListwatchError {
  override readonly name: string = "NoSuchIndexError";
  /** The unknown name. */
  readonly indexName: string;

  constructor(indexName: string, known: Iterable<string>) {
    super(
      "LW_NO_SUCH_INDEX",
      `Cannot read the index ${JSON.stringify(indexName)}: expected one of ${JSON.stringify([...known])}`,
    );
    this.indexName = indexName;
  }
}

/** Indexes were added under existing names; none was added. Code `LW_INDEX_CONFLICT`. */
export class IndexConflictError extends ListwatchError {
  override readonly name: string = "IndexConflictError";
  /** The existing names. */
  readonly indexNames: readonly string[];

  constructor(indexNames: readonly string[]) {
    super(
      "LW_INDEX_CONFLICT",
      `Cannot add indexes: expected new names, got existing ${JSON.stringify(indexNames)}`,
    );
    this.indexNames = indexNames;
  }
}

/**
 * An index function threw during a write or returned an invalid value; see `cause`. The write
 * changed nothing. In a store with `onIndexError` the write is done, and the object is absent from
 * this index. Code `LW_INDEX_FUNCTION`.
 */
export class IndexFunctionError extends ListwatchError {
  override readonly name: string = "IndexFunctionError";
  readonly indexName: string;
  /** Key of the written object. */
  readonly key: string;

  constructor(indexName: string, key: string, cause: unknown) {
    super(
      "LW_INDEX_FUNCTION",
      `Cannot compute the index ${JSON.stringify(indexName)} of ${JSON.stringify(key)}: ` +
        describeError(cause),
      { cause },
    );
    this.indexName = indexName;
    this.key = key;
  }
}

/** An index function wrote to the store that called it. Nothing has changed. Code `LW_NESTED_WRITE`. */
export class NestedWriteError extends ListwatchError {
  override readonly name: string = "NestedWriteError";

  constructor() {
    super(
      "LW_NESTED_WRITE",
      "Cannot write to the store: expected the index function that is running only to read its object",
    );
  }
}

/**
 * Some items of a transaction failed; all others were applied, in order. The first failure is the
 * `cause`. Code `LW_TRANSACTION`.
 */
export class TransactionError extends ListwatchError {
  override readonly name: string = "TransactionError";
  /** Positions of the applied items, ascending. */
  readonly successfulIndices: readonly number[];
  /** Number of items in the transaction. */
  readonly totalTransactions: number;
  /** Errors of the failed items, in their order. */
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
