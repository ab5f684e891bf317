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
