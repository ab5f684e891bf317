import type { FailureReports, ReflectorFailure } from "./failure-reports.ts";
import type { Progress } from "./progress.ts";
import type { State } from "./state.ts";

/**
 * What a reflector is doing: not running yet; reading a list; reading a streamed initial list;
 * connecting to or following the changes; waiting before the next attempt; not running any more.
 */
export type ReflectorPhase =
  | "idle"
  | "listing"
  | "streamingList"
  | "watching"
  | "waiting"
  | "stopped";

/** How a reflector is. All times are milliseconds since 1970. */
export interface ReflectorStatus {
  readonly name: string;
  readonly phase: ReflectorPhase;
  /** Whether the store ever received a whole list. */
  readonly synced: boolean;
  /** The state that the store has been brought to; `""` before the first list. */
  readonly resourceVersion: string;
  readonly lastListMs: number | undefined;
  readonly lastEventMs: number | undefined;
  readonly lastBookmarkMs: number | undefined;
  /** End of the wait in progress. */
  readonly waitingUntilMs: number | undefined;
  /** Failures since it last worked; 0 when all is well. */
  readonly attempts: number;
  /** Since when it has been failing; `undefined` when all is well. */
  readonly failingSinceMs: number | undefined;
  readonly lastFailure: ReflectorFailure | undefined;
}

/** What a state looks like from outside. */
export function statusOf<T>(
  name: string,
  state: State<T>,
  { progress, reports }: { readonly progress: Progress; readonly reports: FailureReports },
): ReflectorStatus {
  // A watch that has been open for a second shows that what failed before is over.
  const isWorking =
    (state.kind === "watching" || state.kind === "streamingList") &&
    state.connection?.hasWorked === true;
  return {
    name,
    phase: state.kind,
    synced: progress.synced,
    resourceVersion: progress.resourceVersion,
    lastListMs: progress.lastListMs,
    lastEventMs: progress.lastEventMs,
    lastBookmarkMs: progress.lastBookmarkMs,
    waitingUntilMs: state.kind === "waiting" ? state.untilMs : undefined,
    attempts: isWorking ? 0 : reports.attempts,
    failingSinceMs: isWorking ? undefined : reports.failingSinceMs,
    lastFailure: reports.lastFailure,
  };
}
