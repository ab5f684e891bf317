import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import {
  systemRandom,
  aClock,
  aFunction,
  aLog,
  aNumber,
  anObject,
  anything,
  aString,
  having,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { resolveBehaviour, type ReflectorBehaviour } from "./behaviour.ts";
import {
  reflectorGroups,
  requiredType,
  type ReflectorListOptions,
  type ReflectorOptions,
  type ReflectorRetryOptions,
  type ReflectorWatchOptions,
} from "./options.ts";
import type { ReflectorStore } from "./store.ts";

/** Options of which each has a value. */
export type Resolved<O> = { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> };

/** Puts defaults in place of the options that are not given. */
export function resolveOptions<O extends object>(
  options: { readonly [Name in keyof O]?: O[Name] | undefined } | undefined,
  defaults: O,
): O {
  const resolved = { ...defaults };
  for (const name in defaults) {
    const value = options?.[name];
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

/** The options of a reflector, checked, with every default in place. */
export interface Settings<T> {
  readonly name: string;
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** With `watchList` only where the source streams lists, too. */
  readonly list: Resolved<Omit<ReflectorListOptions<T>, "held">>;
  /** Option `list.held`. */
  readonly held: ReflectorListOptions<T>["held"];
  /** Option `watch.expectedType`. */
  readonly expectedType: ReflectorWatchOptions["expectedType"];
  readonly watch: Resolved<Omit<ReflectorWatchOptions, "expectedType">>;
  readonly retry: Resolved<ReflectorRetryOptions>;
  readonly behaviour: ReflectorBehaviour;
}

/** client-go `minWatchTimeout`, tools/cache/reflector.go. */
const minWatchTimeoutMs = 300_000;

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
    expectedType: options.watch?.expectedType,
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
