import { areCredentialsRefused, isUnreachable } from "../services/failure-kinds.ts";
import type { HistoryState } from "../services/history.ts";
import type { WatchConnection } from "../session/watch-connection.ts";
import type { WatchSession } from "../session/watch-session.ts";

/** Knowledge of a reflector for its next list. Passed on from state to state. */
export interface Memory {
  /** The last resourceVersion is too old or too new for the server: only the newest state will do. */
  readonly isNewestNeeded: boolean;
  /** A list from the server's cache arrived in pages: the server has no cache. */
  readonly serverPaginates: boolean;
  /** Until then no streamed list is requested, because the server has refused one. */
  readonly watchListRefusedUntilMs: number;
  readonly history: HistoryState;
  /** The last resourceVersion of which a watch expired. */
  readonly expiredAt: string | undefined;
}

/** Nothing has been requested yet. */
export interface Idle {
  readonly kind: "idle";
  readonly memory: Memory;
}

/** Reads a list. */
export interface Listing {
  readonly kind: "listing";
  readonly memory: Memory;
  /** The server has just refused to stream the list, or ignored the request. */
  readonly isStreamRefused: boolean;
}

/** Reads an initial list as a stream of events. */
export interface StreamingList<T> {
  readonly kind: "streamingList";
  readonly memory: Memory;
  readonly session: WatchSession;
  /** Streams in a row that ended before the list was complete, or whose opening was postponed. */
  readonly cuts: number;
  /** `undefined` until the server has accepted the request. */
  readonly connection: WatchConnection<T> | undefined;
}

/** Follows the changes. */
export interface Watching<T> {
  readonly kind: "watching";
  readonly memory: Memory;
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
  readonly memory: Memory;
}

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

/** Before the first list. */
export const emptyMemory: Memory = {
  isNewestNeeded: false,
  serverPaginates: false,
  history: "same",
  watchListRefusedUntilMs: -Infinity,
  expiredAt: undefined,
};

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

/** Memory after the server may have switched to another history. */
export function doubt(memory: Memory, history: "doubted" | "other"): Memory {
  return { ...memory, isNewestNeeded: true, history };
}

/** Memory after a list has arrived. */
export function settle(memory: Memory): Memory {
  return { ...memory, isNewestNeeded: false, history: "same" };
}

/** A delay, and then a new list. */
export function relist<T>(cause: unknown, memory: Memory): Waiting<T> {
  return waitFor(cause, { kind: "idle", memory });
}

export function memoryOf<T>(state: State<T>): Memory {
  return state.kind === "waiting" ? state.then.memory : state.memory;
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
  return { kind: "stopped", memory: memoryOf(state) };
}
