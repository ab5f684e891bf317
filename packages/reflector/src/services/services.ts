import { createMeters, type TraceSink } from "@listwatch/core-fifo/base";
import {
  reflectorMeters,
  type ReflectorMetrics,
  type ReflectorOptions,
} from "../options/options.ts";
import { resolveSettings, type Settings } from "../options/settings.ts";
import { EventCheck } from "./event-check.ts";
import { History } from "./history.ts";
import { FailureReports } from "./reports.ts";
import { ShardFilter } from "../source/shard-filter.ts";
import { RequestBudget, RetryDelays } from "./retry.ts";

/** Services of a reflector for all its states, over all runs. */
export interface Services<T> {
  readonly settings: Settings<T>;
  readonly metrics: ReflectorMetrics;
  readonly traces: TraceSink | undefined;
  readonly history: History<T>;
  readonly eventCheck: EventCheck;
  readonly reports: FailureReports;
  readonly delays: RetryDelays;
  readonly requests: RequestBudget;
  /** Filter of the objects of the source's shard; `undefined` if it reads all objects. */
  readonly shard: ShardFilter | undefined;
}

/** The same for one run. */
export interface RunContext<T> extends Services<T> {
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
}

/**
 * @param onStop called when the error handler says "stop", or throws
 * @throws {InvalidOptionsError} if an option has none of its values, or is missing
 */
export function createServices<T>(
  options: ReflectorOptions<T>,
  onStop: (reason: unknown) => void,
): Services<T> {
  const settings = resolveSettings(options);
  const { behaviour, clock } = settings;
  const { log, onError, onTrace } = options;
  const hooks = { log, onError, onTrace, onStop };
  const reports = new FailureReports({ ...settings, ...hooks });
  const requestedMs = options.watch?.minWatchTimeoutMs;
  const { minWatchTimeoutMs } = settings.watch;
  if (requestedMs !== undefined && requestedMs < minWatchTimeoutMs) {
    reports.warnOfTimeout(requestedMs, minWatchTimeoutMs);
  }
  const metrics = createMeters(options.metrics, reflectorMeters, { name: settings.name }, (error) =>
    reports.report(error, "metrics", "skip"),
  );
  const shardSelector = settings.listerWatcher.collection?.shardSelector ?? "";
  return {
    settings,
    metrics,
    traces: options.traces,
    shard:
      shardSelector === ""
        ? undefined
        : new ShardFilter(shardSelector, () => reports.warnOfShard(shardSelector)),
    history: new History(settings, metrics),
    eventCheck: new EventCheck(settings),
    reports,
    delays: new RetryDelays(settings),
    requests: new RequestBudget(behaviour.maxRequests, clock),
  };
}
