import type { ReflectorOperation } from "./options.ts";

/**
 * Phase of a reflector: not started; reading a list; reading a streamed initial list; opening or
 * reading a watch; waiting before the next attempt; ended.
 */
export type ReflectorPhase =
  | "idle"
  | "listing"
  | "streamingList"
  | "watching"
  | "waiting"
  | "stopped";

/** The last failure of a reflector. */
export interface ReflectorFailure {
  /** Error as it was passed to `onError`. */
  readonly error: unknown;
  /** Operation that failed. */
  readonly operation: ReflectorOperation;
  /** Time of the failure, in milliseconds since 1970. */
  readonly atMs: number;
}

/** How a reflector is. All times are milliseconds since 1970. */
export interface ReflectorStatus {
  /** Name of the reflector. */
  readonly name: string;
  /** Current phase of the reflector. */
  readonly phase: ReflectorPhase;
  /** Whether the store ever received a whole list. */
  readonly synced: boolean;
  /** The state that the store has been brought to; `""` before the first list. */
  readonly resourceVersion: string;
  /** Time at which the store last received a whole list; `undefined` before the first one. */
  readonly lastListMs: number | undefined;
  /** Time of the last event of a watch, bookmarks included; `undefined` before the first one. */
  readonly lastEventMs: number | undefined;
  /** Time of the last bookmark; `undefined` before the first one. */
  readonly lastBookmarkMs: number | undefined;
  /**
   * When the server last accepted a watch, or ended one at the requested time. A streamed list is a
   * watch from its end on.
   */
  readonly lastWatchMs: number | undefined;
  /** Time until which the open watch may be silent. */
  readonly silentUntilMs: number | undefined;
  /** End of the wait in progress; `undefined` if the reflector does not wait. */
  readonly waitingUntilMs: number | undefined;
  /** Failures since it last worked; 0 when all is well. */
  readonly attempts: number;
  /** Since when it has been failing; `undefined` when all is well. */
  readonly failingSinceMs: number | undefined;
  /** Last failure, even if it is over; `undefined` if there was none. */
  readonly lastFailure: ReflectorFailure | undefined;
}
