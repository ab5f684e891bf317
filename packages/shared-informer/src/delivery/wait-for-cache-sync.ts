import { untilAborted } from "@listwatch/core-fifo/base";
import { NotSyncedError, type Unsynced, type UnsyncedReason } from "./not-synced-error.ts";

/** What can be waited for: an informer, a view, a registration of a handler. */
export interface Syncable {
  readonly name: string;
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` turns true; rejects when that can no longer happen. */
  readonly synced: Promise<void>;
  /** Returns why it has not synced, for the reader of an error. */
  explainUnsynced?(): UnsyncedReason;
}

/** Options of waits. */
export interface WaitOptions {
  /** Ends the wait; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when all of the given informers, views and handlers have synced. Reacts at once, without
 * polling; what has synced already counts also after an abort.
 *
 * @throws {NotSyncedError} on abort, or when one of them ends before it has synced; it names all
 *   that are missing, with what keeps each from syncing
 */
export async function waitForCacheSync(
  syncables: readonly Syncable[],
  { signal }: WaitOptions = {},
): Promise<void> {
  const missing = syncables.filter(({ hasSynced }) => !hasSynced);
  if (missing.length === 0) return;
  try {
    await untilAborted(Promise.all(missing.map(({ synced }) => synced)), signal);
  } catch (cause) {
    const unsynced = missing.filter(({ hasSynced }) => !hasSynced).map(explain);
    throw new NotSyncedError(unsynced.toSorted(byName), { cause });
  }
}

function explain(syncable: Syncable): Unsynced {
  const { name } = syncable;
  return { name, ...(syncable.explainUnsynced?.() ?? { reason: "not synced" }) };
}

function byName(left: Unsynced, right: Unsynced): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
