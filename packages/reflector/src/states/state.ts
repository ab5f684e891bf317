import { areCredentialsRefused, isUnreachable } from "../services/errors.ts";
import type { WatchConnection } from "../session/watch-connection.ts";
import type { WatchSession } from "../session/watch-session.ts";

/**
 * Current state of a reflector, with the data of this state only.
 *
 * ```
 *            ┌───────────── waiting ◀─────────────┐
 *            ▼                                    │ expired, refused, failed
 *   streamingList ──bookmark──▶ watching ─────────┤
 *      │ refused             ▲   │ closed, broken │
 *      ▼                     │   └─▶ watching     │
 *   listing ──last page──────┘                    │
 *      └──────────────────────────────────────────┘
 * ```
 */
export type State<T> = Idle | Listing | StreamingList<T> | Watching<T> | Waiting<T> | Stopped;

/** Nothing has been requested yet. */
export interface Idle {
  readonly kind: "idle";
}

/** Reads a list. */
export interface Listing {
  readonly kind: "listing";
  /** The server has just refused to stream the list, or ignored the request. */
  readonly isStreamRefused: boolean;
}

/** Reads an initial list as a stream of events. */
export interface StreamingList<T> {
  readonly kind: "streamingList";
  readonly session: WatchSession;
  /** Streams in a row that ended before the list was complete, or whose opening was postponed. */
  readonly cuts: number;
  /** `undefined` until the server has accepted the request. */
  readonly connection: WatchConnection<T> | undefined;
}

/** Follows the changes. */
export interface Watching<T> {
  readonly kind: "watching";
  readonly session: WatchSession;
  /** Connections in a row on which not a byte came; one before them that ended early counts. */
  readonly silences: number;
  /** Openings in a row that broke, or were postponed, before the server had accepted the watch. */
  readonly brokenOpenings: number;
  /** Since when no opening has found a server. */
  readonly downSinceMs: number | undefined;
  /** `undefined` until the server has accepted the request. */
  readonly connection: WatchConnection<T> | undefined;
}

/** Waits before the next request. */
export interface Waiting<T> {
  readonly kind: "waiting";
  /** Reason for the wait; a Retry-After in it makes the delay longer. */
  readonly cause: unknown;
  /** No server was reached, or with refused credentials, which makes the delay shorter. */
  readonly isUnreached: boolean;
  /** `undefined` until the delay begins. */
  readonly delay: { readonly ms: number; readonly untilMs: number } | undefined;
  /** The next state; idle means a new list. */
  readonly then: Idle | StreamingList<T> | Watching<T>;
}

/** The run has ended. The next one goes on from here. */
export interface Stopped {
  readonly kind: "stopped";
}
/** A delay, and then a certain state; short if the server took no credentials. */
export function waitFor<T>(cause: unknown, then: Waiting<T>["then"]): Waiting<T> {
  return {
    kind: "waiting",
    cause,
    isUnreached: areCredentialsRefused(cause),
    delay: undefined,
    then,
  };
}

/** The same after a request that got no answer; short if that is because no server was reached. */
export function waitForAnswer<T>(cause: unknown, then: Waiting<T>["then"]): Waiting<T> {
  const wait = waitFor(cause, then);
  return { ...wait, isUnreached: wait.isUnreached || isUnreachable(cause) };
}

/** A delay, and then a new list. */
export function relist<T>(cause: unknown): Waiting<T> {
  return waitFor(cause, { kind: "idle" });
}

/** Closes what a state holds open. */
function release<T>(state: State<T>): void {
  switch (state.kind) {
    case "streamingList":
    case "watching":
      state.connection?.close();
      state.session.close();
      break;
    case "waiting":
      release(state.then);
      break;
    case "idle":
    case "listing":
    case "stopped":
  }
}

/** Ends a state, whatever it was doing. */
export function stop<T>(state: State<T>): Stopped {
  release(state);
  return { kind: "stopped" };
}

/** Follows the changes from a list on, over the connection of a streamed one. */
export function beginWatching<T>(
  session: WatchSession,
  connection?: WatchConnection<T>,
): Watching<T> {
  session.startResync();
  return {
    kind: "watching",
    session,
    silences: 0,
    brokenOpenings: 0,
    downSinceMs: undefined,
    connection,
  };
}
