import { systemClock, systemRandom, type Clock, type Random } from "@listwatch/core-fifo";
import { checkAtLeast, checkFunction, checkOneOf } from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { ExpectedTypeCheck } from "./expected-type-check.ts";
import { defaultBehaviour, type ReflectorBehaviour } from "./reflector-behaviour.ts";
import type {
  ReflectorListOptions,
  ReflectorOptions,
  ReflectorRetryOptions,
  ReflectorWatchOptions,
} from "./reflector-options.ts";
import type { ReflectorStore } from "./reflector-store.ts";

/** Options of which each has a value. */
type Resolved<O> = { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> };

/** The options of a reflector, checked, with every default in place. */
export interface Settings<T> {
  readonly name: string;
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly typeCheck: ExpectedTypeCheck;
  readonly list: Resolved<ReflectorListOptions>;
  readonly watch: Resolved<Omit<ReflectorWatchOptions, "expectedType">>;
  readonly retry: Resolved<ReflectorRetryOptions>;
  readonly backoffReset: ReflectorBehaviour["backoffReset"];
  readonly maxImmediateRetries: number;
  readonly initialTransform: ((object: T) => T) | undefined;
}

/** client-go `minWatchTimeout`, tools/cache/reflector.go. */
const minWatchTimeoutMs = 300_000;

/** @throws {InvalidOptionsError} if a number is out of its range */
export function resolveSettings<T>(options: ReflectorOptions<T>): Settings<T> {
  const behaviour = options.behaviour ?? defaultBehaviour;
  return {
    name: options.name ?? "reflector",
    listerWatcher: options.listerWatcher,
    store: options.store,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    typeCheck: new ExpectedTypeCheck(options.watch?.expectedType),
    list: resolveList(options.list ?? {}, behaviour),
    watch: resolveWatch(options.watch ?? {}, behaviour),
    retry: resolveRetry(options.retry ?? {}, behaviour),
    backoffReset: behaviour.backoffReset,
    maxImmediateRetries: behaviour.maxImmediateRetries,
    initialTransform: options.behaviour?.initialTransform,
  };
}

function resolveList(
  options: ReflectorListOptions,
  behaviour: ReflectorBehaviour,
): Settings<never>["list"] {
  checkAtLeast("list.pageSize", options.pageSize, 0);
  checkAtLeast("list.watchListRetryMs", options.watchListRetryMs, 0);
  checkAtLeast("list.watchListSilenceMs", options.watchListSilenceMs, 1);
  return {
    pageSize: options.pageSize ?? 0,
    watchList: options.watchList ?? true,
    watchListRetryMs: options.watchListRetryMs ?? behaviour.watchListRetryMs,
    watchListSilenceMs: options.watchListSilenceMs ?? behaviour.watchListSilenceMs,
    checkConsistency: options.checkConsistency ?? false,
  };
}

function resolveWatch(
  options: ReflectorWatchOptions,
  behaviour: ReflectorBehaviour,
): Settings<never>["watch"] {
  checkAtLeast("watch.minWatchTimeoutMs", options.minWatchTimeoutMs, 0);
  checkAtLeast("watch.silenceMs", options.silenceMs, 1);
  checkAtLeast("watch.watchGraceMs", options.watchGraceMs, 0);
  checkAtLeast("watch.resyncMs", options.resyncMs, 0);
  checkOneOf("watch.storeFailure", options.storeFailure, ["relist", "skip"]);
  checkFunction("watch.shouldResync", options.shouldResync);
  return {
    // Less is ignored, as by client-go: shorter watches are a load on the server.
    minWatchTimeoutMs: Math.max(minWatchTimeoutMs, options.minWatchTimeoutMs ?? 0),
    silenceMs: options.silenceMs ?? behaviour.silenceMs,
    watchGraceMs: options.watchGraceMs ?? behaviour.watchGraceMs,
    storeFailure: options.storeFailure ?? behaviour.storeFailure,
    resyncMs: options.resyncMs ?? 0,
    shouldResync: options.shouldResync ?? ((): boolean => true),
  };
}

function resolveRetry(
  options: ReflectorRetryOptions,
  behaviour: ReflectorBehaviour,
): Settings<never>["retry"] {
  checkAtLeast("retry.maxRetryAfterMs", options.maxRetryAfterMs, 0);
  checkAtLeast("retry.maxInternalErrorRetryMs", options.maxInternalErrorRetryMs, 0);
  return {
    backoff: options.backoff ?? {},
    maxRetryAfterMs: options.maxRetryAfterMs ?? behaviour.maxRetryAfterMs,
    maxInternalErrorRetryMs: options.maxInternalErrorRetryMs ?? 0,
  };
}
