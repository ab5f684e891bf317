import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import {
  systemRandom,
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aNumber,
  anObject,
  anything,
  aString,
  having,
  oneOf,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { ExpectedTypeCheck } from "./expected-type-check.ts";
import { resolveBehaviour, type ReflectorBehaviour } from "./reflector-behaviour.ts";
import type {
  ReflectorListOptions,
  ReflectorOptions,
  ReflectorRetryOptions,
  ReflectorWatchOptions,
} from "./reflector-options.ts";
import type { ReflectorStore } from "./reflector-store.ts";
import { resolveOptions, type Resolved } from "./resolve-options.ts";
import { type BackoffOptions } from "./backoff.ts";

/** The options of a reflector, checked, with every default in place. */
export interface Settings<T> {
  readonly name: string;
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly typeCheck: ExpectedTypeCheck;
  /** With `watchList` only where the source streams lists, too. */
  readonly list: Resolved<Omit<ReflectorListOptions<T>, "held">>;
  /** Option `list.held`. */
  readonly held: ReflectorListOptions<T>["held"];
  readonly watch: Resolved<Omit<ReflectorWatchOptions, "expectedType">>;
  readonly retry: Resolved<ReflectorRetryOptions>;
  readonly behaviour: ReflectorBehaviour;
}

/** client-go `minWatchTimeout`, tools/cache/reflector.go. */
const minWatchTimeoutMs = 300_000;

/** Checks of the groups of options that other packages have as well. */
export const reflectorGroups = {
  list: {
    pageSize: aNumber(0),
    watchList: aBoolean,
    watchListRetryMs: aNumber(0),
    watchListSilenceMs: aNumber(1),
    checkConsistency: aBoolean,
  } satisfies OptionsOf<Omit<ReflectorListOptions<never>, "held">>,
  watch: {
    expectedType: { apiVersion: aString, kind: aString },
    minWatchTimeoutMs: aNumber(0),
    silenceMs: aNumber(1),
    watchGraceMs: aNumber(0),
    storeFailure: oneOf("relist", "skip"),
  } satisfies OptionsOf<Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync">>,
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
  } satisfies OptionsOf<ReflectorRetryOptions>,
};

/** Members of `watch.expectedType`, if it is given. */
export const requiredType: readonly string[] = [
  "watch.expectedType.apiVersion",
  "watch.expectedType.kind",
];

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
  metrics: anObject,
  log: aLog,
  clock: aClock,
  random: aFunction,
};

/** @throws {InvalidOptionsError} if an option has none of its values, or is missing */
export function resolveSettings<T>(options: ReflectorOptions<T>): Settings<T> {
  checkOptions(options, reflectorTable, ["listerWatcher", "store", ...requiredType]);
  const behaviour = resolveBehaviour(options.behaviour);
  const { maxRetryAfterMs, silenceMs, storeFailure, watchGraceMs } = behaviour;
  const { unreachableCapMs, watchListRetryMs, watchListSilenceMs } = behaviour;
  const watch = resolveOptions<Settings<T>["watch"]>(options.watch, {
    minWatchTimeoutMs,
    silenceMs,
    watchGraceMs,
    storeFailure,
    resyncMs: 0,
    shouldResync: () => true,
  });
  const list = resolveOptions<Settings<T>["list"]>(options.list, {
    pageSize: 0,
    watchList: true,
    watchListRetryMs,
    watchListSilenceMs,
    checkConsistency: false,
  });
  // Asked once, as by client-go: a source that changes its mind does not change the reflector.
  const isStreamable = options.listerWatcher.watchListSupported !== false;
  return {
    name: options.name ?? "reflector",
    listerWatcher: options.listerWatcher,
    store: options.store,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    typeCheck: new ExpectedTypeCheck(options.watch?.expectedType),
    list: { ...list, watchList: list.watchList && isStreamable },
    held: options.list?.held,
    // Less is raised, as by client-go: shorter watches are a load on the server.
    watch: { ...watch, minWatchTimeoutMs: Math.max(minWatchTimeoutMs, watch.minWatchTimeoutMs) },
    retry: resolveOptions<Settings<T>["retry"]>(options.retry, {
      backoff: {},
      maxRetryAfterMs,
      maxInternalErrorRetryMs: 0,
      unreachableCapMs,
    }),
    behaviour,
  };
}
