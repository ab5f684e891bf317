import type { Clock, Log, MetricsSink, ObjectName, Random, TraceSink } from "@listwatch/core-fifo";
import {
  aBoolean,
  aNumber,
  aString,
  oneOf,
  type MetersOf,
  type OptionsOf,
  type Preset,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import type { ReflectorStore } from "./store.ts";
import type { ReflectorErrorContext, ReflectorTrace } from "./status.ts";

/** Type of the objects of a collection. */
export interface ExpectedType {
  /** Group and version, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Kind, such as `Deployment`. */
  readonly kind: string;
}

/** Options for lists. */
export interface ReflectorListOptions<T> {
  /**
   * Number of items of a page, for every list. 0 means pages of 500, and no pages where a limit
   * would make the server bypass its watch cache.
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
   * Time for which a rejected request to stream initial lists is remembered, in milliseconds. With
   * 0 every list requests a stream.
   *
   * @default 600_000
   */
  readonly watchListRetryMs?: number | undefined;
  /**
   * Longest time without another object of a streamed initial list that is incomplete, in
   * milliseconds; Infinity: no limit. Changes, bookmarks and other bytes do not count. Then an
   * ordinary list replaces the streamed one, which is logged. Servers before 1.27 ignore the
   * request and never end the stream.
   *
   * @default 30_000
   */
  readonly watchListSilenceMs?: number | undefined;
  /**
   * Whether to compare each streamed initial list with an ordinary list of the same
   * resourceVersion. It doubles the load: for tests.
   *
   * @default false
   */
  readonly checkConsistency?: boolean | undefined;
  /**
   * Called with the name of each object of a relist. Returns the object of that name as the store
   * received it last. If the server still has that state, and no watch was lost, ended or refused
   * since the last list, `replace` receives the same object again and its JSON is not parsed. Only
   * for stores that keep objects unchanged.
   *
   * @default every object is parsed
   */
  readonly held?: ((name: ObjectName) => T | undefined) | undefined;
}

/** Options for watches. */
export interface ReflectorWatchOptions {
  /**
   * Type of the objects. Events with others are reported and skipped.
   *
   * @default any type
   */
  readonly expectedType?: ExpectedType | undefined;
  /**
   * Requested length of each watch: a random time between this and twice this, in milliseconds. A
   * value below the default is raised to it, which is logged.
   *
   * @default 300_000
   */
  readonly minWatchTimeoutMs?: number | undefined;
  /**
   * Longest silence of a request, in milliseconds; Infinity: no limit. Then the request is aborted.
   * Bookmarks arrive every minute if anything changed in the cluster, and load balancers drop
   * silent connections after 240 s. A silent watch is reopened at once and not reported as an
   * error. Applies to lists, too, for the time without an item.
   *
   * @default 90_000
   */
  readonly silenceMs?: number | undefined;
  /**
   * Longest time that a watch may stay open beyond its requested length, in milliseconds; Infinity:
   * no limit.
   *
   * @default 30_000
   */
  readonly watchGraceMs?: number | undefined;
  /**
   * Reaction to an event that the store rejects: `"relist"` repairs it with a new list, `"skip"`
   * ignores it until the next list.
   *
   * @default "relist"
   */
  readonly storeFailure?: "relist" | "skip" | undefined;
  /**
   * Period of `store.resync()` during a watch, in milliseconds; 0 = never.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
  /**
   * Called before each periodic resync. `false` skips it.
   *
   * @default always true
   */
  readonly shouldResync?: (() => boolean) | undefined;
}

/** Delays between the attempts of a {@link Reflector}. */
export interface BackoffOptions {
  /**
   * First delay, in milliseconds.
   *
   * @default 800 (client-go `NewReflectorWithOptions`, tools/cache/reflector.go)
   */
  readonly baseMs?: number | undefined;
  /** Growth of the delay: each failure multiplies it, up to `capMs`. @default 2 */
  readonly factor?: number | undefined;
  /**
   * Largest delay before jitter, in milliseconds.
   *
   * @default 30_000
   */
  readonly capMs?: number | undefined;
  /**
   * Each delay is multiplied by a random factor in [1, 1 + jitter).
   *
   * @default 1
   */
  readonly jitter?: number | undefined;
  /**
   * Time after which the sequence starts over, in milliseconds.
   *
   * @default 120_000
   */
  readonly resetMs?: number | undefined;
}

/** Options for retries. */
export interface ReflectorRetryOptions {
  /** Delays between attempts. @default {} */
  readonly backoff?: BackoffOptions | undefined;
  /**
   * Longest wait for a `Retry-After` of the server, in milliseconds. 0 ignores the header.
   *
   * @default 60_000
   */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * Time for which a watch is reopened without a list while the server reports internal errors
   * (code 500 in the stream), in milliseconds.
   *
   * @default 0
   */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /**
   * Longest delay after a request that reached no server (connection refused or broken, no answer
   * in time) or got a 401, in milliseconds, including jitter. It limits how late an informer
   * notices that the server is back, or the token replaced. Such delays do not lengthen later ones.
   * After other answers, such as a 429 or 503, and after a list that breaks, `backoff` applies.
   * Infinity: no limit except that of `backoff`, as in client-go.
   *
   * A greater value protects a network with very many clients, a smaller one is fresh sooner. Below
   * 1000 the limit of 15 requests in 10 s causes longer pauses.
   *
   * @default 3000
   */
  readonly unreachableCapMs?: number | undefined;
}

/** Metrics of a reflector under client-go's names, tools/cache/reflector_metrics.go. */
export const reflectorMeters = {
  /** Number of requested lists. */
  lists: ["counter", "reflector_lists_total"],
  /** Seconds from the request of a list to its last item. */
  listDuration: ["histogram", "reflector_list_duration_seconds"],
  /** Number of items of each complete list. */
  itemsPerList: ["histogram", "reflector_items_per_list"],
  /** Number of requested watches. */
  watches: ["counter", "reflector_watches_total"],
  /** Number of watches that ended within a second without an event. */
  shortWatches: ["counter", "reflector_short_watches_total"],
  /** Seconds from the request of a watch to its end. */
  watchDuration: ["histogram", "reflector_watch_duration_seconds"],
  /** Number of events of each watch, bookmarks included. */
  itemsPerWatch: ["histogram", "reflector_items_per_watch"],
  /** The last resourceVersion as a number. Digits beyond 2^53 are inexact. */
  lastResourceVersion: ["gauge", "reflector_last_resource_version"],
} as const;

/** Metrics of one reflector. */
export type ReflectorMetrics = MetersOf<typeof reflectorMeters>;

/** Options of a {@link Reflector}. */
export interface ReflectorOptions<T> {
  /** Source of lists and watches, such as {@link httpListerWatcher}. */
  readonly listerWatcher: ListerWatcher<T>;
  /** Receiver of the collection and its changes, such as a `RealFIFO`. */
  readonly store: ReflectorStore<NoInfer<T>>;
  /**
   * Name in messages, traces and metrics.
   *
   * @default "reflector"
   */
  readonly name?: string | undefined;
  /** Pages and streams of lists. @default {} */
  readonly list?: ReflectorListOptions<NoInfer<T>> | undefined;
  /** Limits and behaviour of watches. @default {} */
  readonly watch?: ReflectorWatchOptions | undefined;
  /** Delays after failures. @default {} */
  readonly retry?: ReflectorRetryOptions | undefined;
  /**
   * `clientGoBehaviour` selects client-go's behaviour where this reflector differs.
   *
   * @default the values documented at the options of `list`, `watch` and `retry`
   */
  readonly behaviour?: Preset<"clientGoBehaviour"> | undefined;
  /**
   * Called with every failure, before the wait that follows. `"stop"` and an error that it throws
   * end the run, which rejects with the original error or the thrown one. `"log"` leaves the
   * failure to `log`.
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
   * Called with events worth logging. An error that it throws goes to `onError` and has no other
   * effect.
   *
   * @default none
   */
  readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
  /** Receives `reflector_*`, with the name of the reflector as the label `name`. @default none */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a span for each list. @default none */
  readonly traces?: TraceSink | undefined;
  /**
   * Receives the failures that `onError` does not handle: the first of each cause with advice, then
   * one line a minute while it lasts, and one at its end. Events of the protocol, such as a new
   * list after an expired history, are not failures.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
  /** Clock for delays, time limits and the times of the status. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Source of the jitter of delays and watch lengths, with results from 0 to less than 1.
   *
   * @default Math.random
   */
  readonly random?: Random | undefined;
}

/** Checks of the groups of options that other packages have as well. */
export const reflectorGroups: {
  readonly list: OptionsOf<Omit<ReflectorListOptions<never>, "held">>;
  readonly watch: OptionsOf<Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync">>;
  readonly retry: OptionsOf<ReflectorRetryOptions>;
} = {
  list: {
    pageSize: aNumber(0),
    watchList: aBoolean,
    watchListRetryMs: aNumber(0),
    watchListSilenceMs: aNumber(1),
    checkConsistency: aBoolean,
  },
  watch: {
    expectedType: { apiVersion: aString, kind: aString },
    minWatchTimeoutMs: aNumber(0),
    silenceMs: aNumber(1),
    watchGraceMs: aNumber(0),
    storeFailure: oneOf("relist", "skip"),
  },
  retry: {
    backoff: {
      baseMs: aNumber(0),
      factor: aNumber(1),
      capMs: aNumber(0),
      jitter: aNumber(0),
      resetMs: aNumber(0),
    } satisfies OptionsOf<BackoffOptions>,
    maxRetryAfterMs: aNumber(0),
    maxInternalErrorRetryMs: aNumber(0),
    unreachableCapMs: aNumber(0),
  },
};

/** Members of `watch.expectedType`, if it is given. */
export const requiredType: readonly string[] = [
  "watch.expectedType.apiVersion",
  "watch.expectedType.kind",
];
