import type { Clock, Random } from "@listwatch/core-fifo";
import type { BackoffOptions } from "./backoff.ts";
import type { ListerWatcher } from "./lister-watcher.ts";
import type { ReflectorMetrics } from "./metrics.ts";
import type { ReflectorStore } from "./reflector-store.ts";
import type { ReflectorTrace } from "./trace.ts";

/** What was being done when something failed. */
export type ReflectorOperation =
  /** Listing. */
  | "list"
  /** Handing a list to the store. */
  | "replace"
  /** Opening a watch, or a watch-list. */
  | "openWatch"
  /** Reading an open watch. */
  | "watch"
  /** Handing one event to the store. */
  | "store"
  /** A periodic resync. */
  | "resync"
  /** Comparing the store with a fresh list. */
  | "check"
  /** Calling `onTrace`. */
  | "trace";

/** How a reflector goes on after a failure. */
export type ReflectorRecovery =
  /** A delay, then a new list. */
  | "relist"
  /** The same watch request again, at once or after a delay. */
  | "reopen"
  /** At once a list, in place of a watch-list. */
  | "list"
  /** At once the same list with resourceVersion "". */
  | "newest"
  /** The event, or the failure, is passed over. */
  | "skip";

/** What {@link ReflectorOptions.onError} is told besides the error. */
export interface ReflectorErrorContext {
  /** Name of the reflector. */
  readonly reflector: string;
  readonly operation: ReflectorOperation;
  readonly recovery: ReflectorRecovery;
  /** Failures in a row, this one included. */
  readonly attempts: number;
}

/** Decides what a reflector does next: as announced, or nothing any more. */
export type ReflectorDecision = "retry" | "stop";

/** The type that objects of a collection must have (REF-2). */
export interface ExpectedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Options of a {@link Reflector}. */
export interface ReflectorOptions<T> {
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  /**
   * Used in messages, traces and metrics.
   * @default "reflector"
   */
  readonly name?: string | undefined;
  /**
   * Events with objects of another type are reported and skipped.
   * @default any type
   */
  readonly expectedType?: ExpectedType | undefined;
  /**
   * Period of `store.resync()` while watching, in milliseconds; 0 = never.
   * @default 0
   */
  readonly resyncMs?: number | undefined;
  /** Asked before each periodic resync. @default always */
  readonly shouldResync?: (() => boolean) | undefined;
  /**
   * Items a page, for every list. 0: pages of 500 only where they do not make the server pass over its watch cache
   * (REF-12).
   * @default 0
   */
  readonly pageSize?: number | undefined;
  /**
   * The server is asked to end each watch after a random time between this and twice this, in milliseconds. Less
   * than the default is ignored (REF-37).
   * @default 300_000
   */
  readonly minWatchTimeoutMs?: number | undefined;
  /** Delays between attempts. */
  readonly backoff?: Omit<BackoffOptions, "clock" | "random"> | undefined;
  /**
   * The longest wait that a Retry-After of the server may ask for, in milliseconds; 0 ignores it, as client-go does.
   * @default 60_000
   */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * While the server has been failing itself (code 500 in the stream) for no longer than this, the watch is opened
   * again in place, in milliseconds (REF-41).
   * @default 0
   */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /**
   * Requests that may follow a request of less than a second without any delay, within 10 s; more wait
   * like a failure. client-go has no limit (Infinity).
   * @default 10, one a second
   */
  readonly maxImmediateRetries?: number | undefined;
  /**
   * Whether to stream initial lists (KEP-3157), if the lister-watcher does not opt out.
   * @default true
   */
  readonly watchList?: boolean | undefined;
  /**
   * How long a server's refusal to stream initial lists is remembered, in milliseconds; 0 asks every time, as
   * client-go does (REF-10).
   * @default 600_000
   */
  readonly watchListRetryMs?: number | undefined;
  /**
   * A streamed initial list that is silent for this long without having come to its end is given up for a list,
   * in milliseconds. Servers before 1.27 ignore the option and never end it.
   * @default 30_000, three times the period of client-go's warning (REF-26d)
   */
  readonly watchListSilenceMs?: number | undefined;
  /**
   * A request on which nothing came for this long is given up, in milliseconds; Infinity: never. Bookmarks come
   * each minute if anything changed in the cluster, load balancers drop silent connections after 240 s. A silent
   * watch is opened again at once and not reported as an error.
   * @default 90_000
   */
  readonly silenceMs?: number | undefined;
  /**
   * A watch is given up when it is open for this much longer than the server was asked for, in milliseconds;
   * Infinity: never (RST-5).
   * @default 30_000
   */
  readonly watchGraceMs?: number | undefined;
  /**
   * What happens when the store refuses an event: `"relist"` repairs it, `"skip"` leaves it out until the next
   * relist, as client-go does (REF-28).
   * @default "relist"
   */
  readonly storeFailure?: "relist" | "skip" | undefined;
  /**
   * Changes the objects of a streamed initial list before they are collected; those it throws for are left out.
   * client-go does this with the transform of its queue, which then transforms them again (REF-34). The
   * queue's own transform is enough.
   * @default none
   */
  readonly initialTransform?: ((object: T) => T) | undefined;
  /**
   * Whether to compare each streamed initial list with an ordinary list of the same resourceVersion. Doubles the
   * load: for tests.
   * @default false
   */
  readonly checkConsistency?: boolean | undefined;
  /**
   * Called for everything that went wrong, before the wait that follows. `"stop"`, or throwing, ends the run,
   * which then rejects with the error (or what was thrown).
   */
  readonly onError?:
    | ((error: unknown, context: ReflectorErrorContext) => ReflectorDecision | undefined | void)
    | undefined;
  /** Called for what is worth a log line. What it throws goes to `onError`, and nothing else happens. */
  readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
  readonly metrics?: ReflectorMetrics | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default systemRandom */
  readonly random?: Random | undefined;
}
