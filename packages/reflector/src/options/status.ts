/** The operation that failed. */
export type ReflectorOperation =
  /** Listing. */
  | "list"
  /** Passing a list to the store. */
  | "replace"
  /** Opening a watch, or a watch-list. */
  | "openWatch"
  /** Reading an open watch. */
  | "watch"
  /** Passing one event to the store. */
  | "store"
  /** A periodic resync. */
  | "resync"
  /** Comparing the store, or its resourceVersion, with the newest state of the server. */
  | "check"
  /** Calling `onTrace`. */
  | "trace"
  /** Setting a metric; only the first failure of each is reported. */
  | "metrics";

/** The next step of a reflector after a failure. */
export type ReflectorRecovery =
  /** A delay, then a new list. */
  | "relist"
  /** The same watch request again, at once or after a delay. */
  | "reopen"
  /** An ordinary list at once, instead of a watch-list. */
  | "list"
  /** The same list at once with resourceVersion "". */
  | "newest"
  /** The event is skipped, or the failure has no consequence. */
  | "skip";

/** Details of a failure for {@link ReflectorOptions.onError}. */
export interface ReflectorErrorContext {
  /** Name of the reflector. */
  readonly reflector: string;
  /** Operation that failed. */
  readonly operation: ReflectorOperation;
  /** Next step of the reflector. `onError` can replace it by an end of the run. */
  readonly recovery: ReflectorRecovery;
  /** Number of failures in a row, including this one. */
  readonly attempts: number;
}

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

/** A list was read and handed to the store. */
export interface ListTrace {
  /** Always `"list"`. */
  readonly kind: "list";
  /** Name of the reflector. */
  readonly reflector: string;
  /** Number of items of the list. */
  readonly items: number;
  /** State of the list. */
  readonly resourceVersion: string;
  /** From the request to the last item, in milliseconds. */
  readonly listMs: number;
  /** In the store's replace, in milliseconds. */
  readonly replaceMs: number;
  /** Whether the server split the list into pages. */
  readonly paginated: boolean;
  /** Whether it was streamed as watch events. */
  readonly streamed: boolean;
  /** Whether it took longer than 10 s altogether, which client-go logs. */
  readonly slow: boolean;
}

/** The end of a streamed initial list has not come; repeated every 10 s. */
export interface InitialEventsTrace {
  /** Always `"waitingForInitialEvents"`. */
  readonly kind: "waitingForInitialEvents";
  /** Name of the reflector. */
  readonly reflector: string;
  /** Since the request, in milliseconds. */
  readonly sinceMs: number;
  /** Since the last event, in milliseconds; `undefined` when none came. */
  readonly sinceLastEventMs: number | undefined;
  /** Number of events that have arrived. */
  readonly events: number;
}

/** A watch has ended. */
export interface WatchTrace {
  /** Always `"watchEnded"`. */
  readonly kind: "watchEnded";
  /** Name of the reflector. */
  readonly reflector: string;
  /** `undefined` when the server just closed it. */
  readonly cause: unknown;
  /** From the request, in milliseconds. */
  readonly durationMs: number;
  /** Number of events of the watch, bookmarks included. */
  readonly events: number;
  /** State that the store has been brought to. */
  readonly resourceVersion: string;
}

/** The collection will be listed again after a delay. */
export interface RelistTrace {
  /** Always `"relist"`. */
  readonly kind: "relist";
  /** Name of the reflector. */
  readonly reflector: string;
  /** Reason for the relist. */
  readonly cause: unknown;
  /** Delay before the list, in milliseconds. */
  readonly delayMs: number;
}

/** Something happened that is worth a log line. */
export type ReflectorTrace = ListTrace | InitialEventsTrace | WatchTrace | RelistTrace;
