import { systemClock, type Clock, type Random, type Transform } from "@listwatch/core-fifo";
import {
  systemRandom,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  anything,
  aString,
  aTraceSink,
  having,
  checkOptions,
  Preset,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { reflectorGroups, requiredType, type ReflectorOptions } from "./options.ts";
import type { ReflectorStore } from "./store.ts";

/**
 * Behaviour of a reflector without the option `behaviour`, which a preset can change. The groups
 * have the defaults of the options of the same names.
 */
export const defaultBehaviour = {
  list: {
    pageSize: 0,
    watchList: true,
    watchListRetryMs: 600_000,
    // Three times the period of client-go's warning (`startBookmarkTimer`,
    // tools/cache/reflector.go).
    watchListSilenceMs: 30_000,
    checkConsistency: false,
  },
  watch: {
    // client-go `minWatchTimeout`, tools/cache/reflector.go.
    minWatchTimeoutMs: 300_000,
    // Bookmarks arrive every minute, and load balancers drop silent connections after 240 s.
    silenceMs: 90_000,
    watchGraceMs: 30_000,
    storeFailure: "relist" as "relist" | "skip",
    resyncMs: 0,
    shouldResync: (): boolean => true,
  },
  retry: {
    maxRetryAfterMs: 60_000,
    maxInternalErrorRetryMs: 0,
    unreachableCapMs: 3000,
  },
  /**
   * The option `retry.backoff`, and when its sequence starts over: `"quiet"` after `resetMs`
   * without a delay, `"interval"` every `resetMs`, even during an outage (client-go since 1.36).
   */
  backoff: {
    baseMs: 800,
    factor: 2,
    capMs: 30_000,
    jitter: 1,
    resetMs: 120_000,
    resetRule: "quiet" as "quiet" | "interval",
  },
  /**
   * Number of requests without delay after requests of less than a second, within 10 s. Further
   * ones wait as after a failure.
   */
  maxImmediateRetries: 10,
  /**
   * Whether resourceVersions that went back are reported and cause a list that is not compared with
   * the store. To detect it, a list of one item follows a watch that received no byte, if the
   * previous watch received none or ended early, and the first watch that the server accepts after
   * an outage of 10 s.
   */
  checksHistory: true,
  /**
   * Number of watch openings in a row that break, or get a 5xx with `Retry-After`, before a relist.
   * Rejected openings do not count. With 1, none is retried in place. With 5 and the default
   * delays, ten to twenty seconds: longer than most restarts behind a proxy.
   */
  maxBrokenOpenings: 5,
  /** Number of watches in a row that the server closes early and without a byte, before a relist. */
  maxSilentCloses: 5,
  /**
   * Whether a 410 at the opening of a watch is remembered, like one in its stream: if a paged list
   * led to the same expired state again, the next list is the newest.
   */
  remembersExpiredOpening: true,
  /**
   * Whether the delays after expired states are a separate sequence, which a previous outage does
   * not lengthen.
   */
  sparesExpired: true,
  /**
   * Number of streamed lists in a row that end incomplete, or whose opening gets a 5xx with
   * `Retry-After`, before an ordinary list. With `maxBrokenOpenings: 1` the first 5xx suffices.
   */
  maxCutStreams: 2,
  /** Number of requests within 10 s. The pages of one list count as one. Further requests wait. */
  maxRequests: 15,
  /**
   * Whether the objects of a streamed list pass the transform of the store before they are
   * collected, and again when the store receives them.
   */
  transformsStreamedLists: false,
  /**
   * Reaction to an event of an unknown type, or one without an object that is not a DELETED: a new
   * list, or none.
   */
  unknownEvent: "relist" as "relist" | "skip",
  /** Reaction to a DELETED event with an unusable object: a new list, or none. */
  unusableDeletion: "relist" as "relist" | "skip",
};

type ReflectorBehaviour = Readonly<typeof defaultBehaviour>;

/** Values of the preset `clientGoBehaviour`. */
export const clientGoValues: ReflectorBehaviour = {
  list: { ...defaultBehaviour.list, watchListRetryMs: 0, watchListSilenceMs: Infinity },
  watch: {
    ...defaultBehaviour.watch,
    silenceMs: Infinity,
    storeFailure: "skip",
    watchGraceMs: Infinity,
  },
  retry: { ...defaultBehaviour.retry, maxRetryAfterMs: 0, unreachableCapMs: Infinity },
  backoff: { ...defaultBehaviour.backoff, resetRule: "interval" },
  checksHistory: false,
  maxBrokenOpenings: 1,
  maxCutStreams: Infinity,
  maxImmediateRetries: Infinity,
  maxRequests: Infinity,
  maxSilentCloses: Infinity,
  remembersExpiredOpening: false,
  sparesExpired: false,
  transformsStreamedLists: true,
  unknownEvent: "skip",
  unusableDeletion: "skip",
};

/**
 * client-go's behaviour of a reflector, for programs that depend on it: no limits for silence, for
 * the length of watches, for requests and for truncated streamed lists; `Retry-After` is ignored;
 * an event that the store rejects, one of an unknown type, and an unusable DELETED are lost until
 * the next list; every relist requests a watch-list again after a refusal; delays start over every
 * two minutes, even during an outage, and are as long for an unreachable server; a watch whose
 * opening breaks causes a list; with pages, an expired state is listed forever; resourceVersions
 * that went back, and watches without data, are trusted; objects of a streamed list are transformed
 * twice if the store has a `transformer`.
 */
export const clientGoBehaviour: Preset<"clientGoBehaviour"> = /* @__PURE__ */ new Preset(
  "clientGoBehaviour",
  clientGoValues,
);

/** Options as they are given: each may be missing. */
type Given<O> = { readonly [Name in keyof O]?: O[Name] | undefined };

/** Puts defaults in place of the options that are not given. */
function resolveOptions<O extends object>(options: Given<O> | undefined, defaults: O): O {
  const resolved = { ...defaults };
  for (const name in defaults) {
    const value = options?.[name];
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

/** The options of a reflector, checked, with every default in place. */
export interface Settings<T> extends Pick<ReflectorBehaviour, "backoff" | "retry" | "watch"> {
  readonly name: string;
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** With `watchList` only where the source streams lists, too. */
  readonly list: ReflectorBehaviour["list"];
  /** Option `list.held`. */
  readonly held: NonNullable<ReflectorOptions<T>["list"]>["held"];
  /** Option `watch.expectedType`. */
  readonly expectedType: NonNullable<ReflectorOptions<T>["watch"]>["expectedType"];
  /** Returns the transform that the objects of a streamed list pass first, if there is one. */
  readonly initialTransform: () => Transform<T> | undefined;
  readonly behaviour: ReflectorBehaviour;
}

const reflectorTable: OptionsOf<ReflectorOptions<never>> = {
  listerWatcher: having("list", "watch"),
  store: having("add", "update", "delete", "replace"),
  name: aString,
  list: { ...reflectorGroups.list, held: aFunction },
  watch: { ...reflectorGroups.watch, resyncMs: aNumber(0), shouldResync: aFunction },
  retry: reflectorGroups.retry,
  behaviour: anything,
  onError: aFunction,
  onTrace: aFunction,
  metrics: aMetricsSink,
  traces: aTraceSink,
  log: aLog,
  clock: aClock,
  random: aFunction,
};

/** @throws {InvalidOptionsError} if an option has none of its values, or is missing */
export function resolveSettings<T>(options: ReflectorOptions<T>): Settings<T> {
  checkOptions(options, reflectorTable, ["listerWatcher", "store", ...requiredType]);
  const { clock = systemClock, listerWatcher, name = "reflector", store } = options;
  const { random = systemRandom } = options;
  const behaviour = Preset.resolve(options.behaviour, "clientGoBehaviour", defaultBehaviour);
  const list = resolveOptions(options.list, behaviour.list);
  const watch = resolveOptions(options.watch, behaviour.watch);
  // Asked once, as by client-go: a source that changes its mind does not change the reflector.
  const isStreamable = listerWatcher.watchListSupported !== false;
  const { minWatchTimeoutMs } = defaultBehaviour.watch;
  return {
    name,
    listerWatcher,
    store,
    clock,
    random,
    expectedType: options.watch?.expectedType,
    list: { ...list, watchList: list.watchList && isStreamable },
    held: options.list?.held,
    // Less is raised, as by client-go: shorter watches are a load on the server.
    watch: { ...watch, minWatchTimeoutMs: Math.max(minWatchTimeoutMs, watch.minWatchTimeoutMs) },
    backoff: resolveOptions(options.retry?.backoff, behaviour.backoff),
    retry: resolveOptions(options.retry, behaviour.retry),
    initialTransform: () => {
      if (!behaviour.transformsStreamedLists) return undefined;
      // It returns an object in the form in which the store keeps it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return store.transformer?.() as Transform<T> | undefined;
    },
    behaviour,
  };
}
