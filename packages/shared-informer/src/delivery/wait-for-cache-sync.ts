import { untilAborted, signalIn } from "@listwatch/core-fifo/base";
import { NotSyncedError, type Unsynced, type UnsyncedReason } from "./not-synced-error.ts";

/** Something that syncs: an informer, a view, a registration of a handler. */
export interface Syncable {
  /** Name in the error of a failed wait. */
  readonly name: string;
  /**
   * Whether the whole collection has arrived; for a handler, has been delivered. Never becomes
   * false again.
   */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` becomes true. Rejects when that is no longer possible. */
  readonly synced: Promise<void>;
  /** Returns why it has not synced, for an error message. */
  explainUnsynced?(): UnsyncedReason;
}

/** Options of waits. */
export interface WaitOptions {
  /** Ends the wait. The promise rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when all given informers, views and handlers have synced. Reacts at once, without
 * polling. Those that have synced count even after an abort.
 *
 * @param syncables informers, views and registrations of handlers
 * @throws {NotSyncedError} on abort, or if one of them ends before it has synced; it names all
 *   missing ones with their reasons
 */
export async function waitForCacheSync(
  syncables: readonly Syncable[],
  options?: WaitOptions,
): Promise<void> {
  const signal = signalIn(options);
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
