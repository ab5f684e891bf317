import { ListwatchError } from "@listwatch/core-fifo";

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
