/** A list was read and handed to the store. */
export interface ListTrace {
  readonly kind: "list";
  readonly reflector: string;
  readonly items: number;
  readonly resourceVersion: string;
  /** From the request to the last item, in milliseconds. */
  readonly listMs: number;
  /** In the store's replace, in milliseconds. */
  readonly replaceMs: number;
  readonly paginated: boolean;
  /** Whether it was streamed as watch events. */
  readonly streamed: boolean;
  /** Whether it took longer than 10 s altogether, which client-go logs. */
  readonly slow: boolean;
}

/** The end of a streamed initial list has not come; repeated every 10 s. */
export interface InitialEventsTrace {
  readonly kind: "waitingForInitialEvents";
  readonly reflector: string;
  /** Since the request, in milliseconds. */
  readonly sinceMs: number;
  /** Since the last event, in milliseconds; `undefined` when none came. */
  readonly sinceLastEventMs: number | undefined;
  readonly events: number;
}

/** A watch has ended. */
export interface WatchTrace {
  readonly kind: "watchEnded";
  readonly reflector: string;
  /** `undefined` when the server just closed it. */
  readonly cause: unknown;
  /** From the request, in milliseconds. */
  readonly durationMs: number;
  readonly events: number;
  readonly resourceVersion: string;
}

/** The collection will be listed again after a delay. */
export interface RelistTrace {
  readonly kind: "relist";
  readonly reflector: string;
  /** Reason for the relist. */
  readonly cause: unknown;
  readonly delayMs: number;
}

/** Something happened that is worth a log line. */
export type ReflectorTrace = ListTrace | InitialEventsTrace | WatchTrace | RelistTrace;
