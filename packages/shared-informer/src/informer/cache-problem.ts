import { TransactionError } from "@listwatch/store-indexer";
import type { Unindexed } from "../cache/informer-cache.ts";
import type { InformerProblem } from "./informer-status.ts";

/** Enough keys to see a common pattern. */
const maxKeys = 10;

/** Describes the changes that could not be applied, until a list repairs them. */
export function problemOfLoss(
  loss: { readonly error: unknown; readonly sinceMs: number } | undefined,
): InformerProblem | undefined {
  if (loss === undefined) return undefined;
  const { error, sinceMs } = loss;
  const attempts = error instanceof TransactionError ? error.errors.length : 1;
  return { reason: "unusableObject", error, attempts, sinceMs, retryMs: undefined };
}

/** Describes the objects that are absent from an index, by the key of the first one. */
export function problemOfIndexes({
  count,
  errors,
  sinceMs,
}: Unindexed): InformerProblem | undefined {
  if (count === 0) return undefined;
  const [error = new Error(`Cannot compute an index of ${count} objects`)] = errors;
  const keys = [...new Set(errors.map(({ key }) => key))].slice(0, maxKeys);
  return { reason: "indexFunction", error, attempts: count, sinceMs, retryMs: undefined, keys };
}
