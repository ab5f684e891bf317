import { ListwatchError } from "@listwatch/core-fifo";
import { adviceOf, describeDuration } from "@listwatch/core-fifo/base";
import type { Unsynced } from "@listwatch/shared-informer";

/**
 * A manager has not started, because informers have not synced in time. The message names each with
 * its problem and the next step, such as the missing right. Code `LW_MANAGER_SYNC`.
 */
export class ManagerSyncError extends ListwatchError {
  /** Always `"ManagerSyncError"`, also in minified programs. */
  override readonly name: string = "ManagerSyncError";
  /** The informers that have not synced, each with its reason. */
  readonly unsynced: readonly Unsynced[];

  /** @param limitMs time after which the manager gave up; 0 if an informer has ended before */
  constructor(manager: string, unsynced: readonly Unsynced[], limitMs: number) {
    const within = limitMs === 0 ? "" : ` within ${describeDuration(limitMs)}`;
    const reasons = unsynced.map(describeUnsynced);
    super(
      "LW_MANAGER_SYNC",
      `Cannot start ${manager}: expected its informers to sync${within}, got ${reasons.join("; ")}`,
      { cause: unsynced.find(({ error }) => error !== undefined)?.error },
    );
    this.unsynced = unsynced;
  }
}

function describeUnsynced({ error, name, reason }: Unsynced): string {
  const advice = adviceOf(error);
  return advice === undefined ? `${name}: ${reason}` : `${name}: ${reason}. ${advice}`;
}
