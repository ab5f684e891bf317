import type {
  Clock,
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  Log,
  ObjectName,
  Random,
} from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import type { BackoffOptions } from "./backoff.ts";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { clientGoValues } from "./reflector-behaviour.ts";
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
  /** Comparing the store, or its resourceVersion, with the server's newest state. */
  | "check"
  /** Calling `onTrace`. */
  | "trace"
  /** Setting a metric; only the first failure of each is reported. */
  | "metrics";

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
  /** The event is left out, or the failure has no consequence. */
  | "skip";

/** Which failure {@link ReflectorOptions.onError} is called with. */
export interface ReflectorErrorContext {
  /** Name of the reflector. */
  readonly reflector: string;
  readonly operation: ReflectorOperation;
  readonly recovery: ReflectorRecovery;
  /** Failures in a row, this one included. */
  readonly attempts: number;
}

/** The type that objects of a collection must have. */
export interface ExpectedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** How a {@link Reflector} lists. */
export interface ReflectorListOptions<T> {
  /**
   * Items a page, for every list. 0 means pages of 500, and no pages where a limit would make the
   * server bypass its watch cache.
   *
   * @default 0
   */
  readonly pageSize?: number | undefined;
  /**
   * Whether to stream initial lists (KEP-3157), unless the lister-watcher opts out.
   *
   * @default true
   */
  readonly watchList?: boolean | undefined;
  /**
   * How long a server's refusal to stream initial lists is remembered, in milliseconds; 0 requests
   * a stream for every list.
   *
   * @default 600_000
   */
  readonly watchListRetryMs?: number | undefined;
  /**
   * A streamed initial list that is silent for this long, without its end, is replaced by an
   * ordinary list, in milliseconds. Servers before 1.27 ignore the request and never end it.
   *
   * @default 30_000
   */
  readonly watchListSilenceMs?: number | undefined;
  /**
   * Whether to compare each streamed initial list with an ordinary list of the same
   * resourceVersion. Doubles the load: for tests.
   *
   * @default false
   */
  readonly checkConsistency?: boolean | undefined;
  /**
   * Called with the name of each object of a relist. Returns the object of that name as the store
   * last received it: if the server still has it in the same state, it is passed to `replace` again
   * and its text is not parsed. Only for stores that keep objects as they receive them.
   *
   * @default every object is parsed
   */
  readonly held?: ((name: ObjectName) => T | undefined) | undefined;
}

/** How a {@link Reflector} watches, and what it does while it watches. */
export interface ReflectorWatchOptions {
  /**
   * Events with objects of another type are reported and skipped.
   *
   * @default any type
   */
  readonly expectedType?: ExpectedType | undefined;
  /**
   * The server is requested to end each watch after a random time between this and twice this, in
   * milliseconds. Less than the default is raised to it, which is logged.
   *
   * @default 300_000
   */
  readonly minWatchTimeoutMs?: number | undefined;
  /**
   * A request of which nothing arrives for this long is given up, in milliseconds; Infinity: never.
   * Bookmarks come each minute if anything changed in the cluster, load balancers drop silent
   * connections after 240 s. A silent watch is opened again at once and not reported as an error.
   * Holds for lists too.
   *
   * @default 90_000
   */
  readonly silenceMs?: number | undefined;
  /**
   * A watch is given up when it is open for this much longer than the server was requested to keep
   * it, in milliseconds; Infinity: never.
   *
   * @default 30_000
   */
  readonly watchGraceMs?: number | undefined;
  /**
   * What follows when the store refuses an event: `"relist"` repairs it with a new list, `"skip"`
   * leaves it out until the next list.
   *
   * @default "relist"
   */
  readonly storeFailure?: "relist" | "skip" | undefined;
  /**
   * Period of `store.resync()` while watching, in milliseconds; 0 = never.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
  /**
   * Called before each periodic resync; `false` leaves it out.
   *
   * @default always true
   */
  readonly shouldResync?: (() => boolean) | undefined;
}

/** How a {@link Reflector} tries again after a failure. */
export interface ReflectorRetryOptions {
  /** Delays between attempts. */
  readonly backoff?: BackoffOptions | undefined;
  /**
   * The longest wait that a server's Retry-After can demand, in milliseconds; 0 ignores it.
   *
   * @default 60_000
   */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * While the server has been reporting internal errors (code 500 in the stream) for no longer than
   * this, the watch is opened again in place, in milliseconds.
   *
   * @default 0
   */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /**
   * The longest delay after a request for which no server was reached (connection refused or
   * broken, no answer in time) or that it refused with 401, in milliseconds, jitter included: so
   * long at most an informer is behind once the server is back, or the token is replaced. Such
   * delays do not lengthen those that follow. What a server answers else, such as a 429 or a 503,
   * and a list that breaks on its way still have `backoff`. Infinity: no limit but that of
   * `backoff`, as client-go has it.
   *
   * More spares a network with very many clients; less is fresh sooner, down to 1000: below, the
   * limit of 15 requests in 10 s makes longer pauses.
   *
   * @default 3000
   */
  readonly unreachableCapMs?: number | undefined;
}

/** The metrics of one reflector. They are the caller's and live as long as the caller keeps them. */
export interface ReflectorMetrics {
  /** Lists requested. */
  readonly lists?: CounterMetric | undefined;
  /** Seconds from the request of a list to its last item. */
  readonly listDuration?: HistogramMetric | undefined;
  readonly itemsPerList?: HistogramMetric | undefined;
  /** Watches requested. */
  readonly watches?: CounterMetric | undefined;
  /** Watches that ended within a second without an event. */
  readonly shortWatches?: CounterMetric | undefined;
  /** Seconds from the request of a watch to its end. */
  readonly watchDuration?: HistogramMetric | undefined;
  readonly itemsPerWatch?: HistogramMetric | undefined;
  /** The last resourceVersion as a number; digits beyond 2^53 are inexact. */
  readonly lastResourceVersion?: GaugeMetric | undefined;
}

/** Options of a {@link Reflector}. */
export interface ReflectorOptions<T> {
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<NoInfer<T>>;
  /**
   * Used in messages, traces and metrics.
   *
   * @default "reflector"
   */
  readonly name?: string | undefined;
  readonly list?: ReflectorListOptions<NoInfer<T>> | undefined;
  readonly watch?: ReflectorWatchOptions | undefined;
  readonly retry?: ReflectorRetryOptions | undefined;
  /**
   * `clientGoBehaviour` decides as client-go does wherever this reflector differs on purpose.
   *
   * @default the values documented at the options of `list`, `watch` and `retry`
   */
  readonly behaviour?: Preset<"clientGoBehaviour"> | undefined;
  /**
   * Called with every failure, before the wait that follows. `"stop"`, or throwing, ends the run,
   * which then rejects with the error (or what was thrown). `"log"` leaves this one to `log`.
   *
   * @default leaves all to `log`
   */
  readonly onError?:
    | ((
        error: unknown,
        context: ReflectorErrorContext,
      ) => "log" | "retry" | "stop" | undefined | void)
    | undefined;
  /**
   * Called with what is worth a log line. What it throws goes to `onError`, and has no other
   * effect.
   */
  readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
  readonly metrics?: ReflectorMetrics | undefined;
  /**
   * Takes the failures that `onError` does not take: the first of each cause with an advice, then
   * one line a minute as long as it goes on, and one when it is over. What belongs to the protocol,
   * such as a history that has expired and is listed again, is no failure here.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * client-go's ways where a reflector's own differ on purpose, to reproduce what a Go program does:
 * no limit to silence, to a watch's duration, to requests and to streamed lists that are cut short;
 * `Retry-After` ignored; an event that the store refuses, one of an unknown type, and a DELETED
 * that cannot be used, lost until the next list; a refused watch-list requested again by every
 * relist; delays that start over every two minutes, during an outage too, and are as long when no
 * server is reached; a new list when the opening of a watch breaks; with pages, a state that has
 * expired listed for ever; resourceVersions that went back, and watches that bring nothing,
 * believed; objects of a streamed list transformed twice, if the store has a `transformer`.
 */
export const clientGoBehaviour: Preset<"clientGoBehaviour"> = /* @__PURE__ */ new Preset(
  "clientGoBehaviour",
  clientGoValues,
);
