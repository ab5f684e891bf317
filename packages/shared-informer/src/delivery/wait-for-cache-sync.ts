import { ListwatchError } from "@listwatch/core-fifo";
import { untilAborted, signalIn } from "@listwatch/core-fifo/base";

/** Explains why something has not synced. */
export interface UnsyncedReason {
  /**
   * The current action or problem and its duration, such as `403 Forbidden: … (7 attempts in 41
   * s)`.
   */
  readonly reason: string;
  /** The error that prevents it from syncing, if any. */
  readonly error?: unknown;
}

/** An informer, view or handler that has not synced. */
export interface Unsynced extends UnsyncedReason {
  /** Name of the informer, the view or the handler. */
  readonly name: string;
}

/**
 * A wait for caches or handlers ended before all of them were synced. The message contains the
 * current action or problem of each, with its duration. The `cause` is the error that prevents the
 * first of them from syncing, otherwise the reason why the wait ended; never the time limit of the
 * wait. Code `LW_NOT_SYNCED`.
 */
export class NotSyncedError extends ListwatchError {
  /** Always `"NotSyncedError"`, also in minified programs. */
  override readonly name: string = "NotSyncedError";
  /** Sorted names of the informers that have not synced. */
  readonly names: readonly string[];
  /** The same informers, each with its reason. */
  readonly unsynced: readonly Unsynced[];

  /** @param unsynced sorted by name */
  constructor(unsynced: readonly Unsynced[], options?: ErrorOptions) {
    const reasons = unsynced.map(({ name, reason }) => `${name}: ${reason}`);
    super("LW_NOT_SYNCED", `Cannot sync ${reasons.join("; ")}`, {
      cause: causeOf(unsynced, options?.cause),
    });
    this.names = unsynced.map(({ name }) => name);
    this.unsynced = unsynced;
  }
}

function causeOf(unsynced: readonly Unsynced[], end: unknown): unknown {
  const known = unsynced.find(({ error }) => error !== undefined);
  if (known !== undefined) return known.error;
  return isTimeLimit(end) ? undefined : end;
}

/** Whether a signal was aborted by `AbortSignal.timeout`. */
function isTimeLimit(reason: unknown): boolean {
  return (
    typeof reason === "object" &&
    reason !== null &&
    "name" in reason &&
    reason.name === "TimeoutError"
  );
}

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

/** Creates the error for an action that needs a running informer. */
export function createInformerStoppedError(action: string): ListwatchError {
  const message = `Cannot ${action}: the informer has stopped`;
  return new ListwatchError("LW_INFORMER_STOPPED", message);
}
