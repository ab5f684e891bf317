import type { Clock, Log, MetricsSink, Scope, TraceSink } from "@listwatch/core-fifo";
import {
  createMeters,
  recordOf,
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  anObject,
  aString,
  aTraceSink,
  type MetersOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ReflectorErrorContext } from "@listwatch/reflector";
import type { Indexers, IndexValues, ListerOptions } from "@listwatch/store-indexer";
import type { InformerEvent } from "../cache/informer-event.ts";

/** Metrics of an informer; those of client-go have its names, tools/cache/informer_metrics.go. */
export const informerMeters = {
  /** Number of changes that are received and not in the cache yet. */
  queuedItems: ["gauge", "informer_queued_items"],
  /** Seconds from taking a batch of changes off the queue to its last event in a mailbox. */
  processingLatency: ["histogram", "informer_processing_latency_seconds"],
  /** The last 15 digits of the resourceVersion of the cache, as a number. */
  storeResourceVersion: ["gauge", "informer_store_resource_version"],
  /**
   * Waiting events of a handler or a reader, set after every batch, when the handler has processed
   * all events, and at its end.
   */
  handlerBacklog: ["gauge", "informer_handler_backlog", "handler"],
  /**
   * Objects that a relist changed, added or removed without an event before, because watches missed
   * it.
   */
  driftedObjects: ["counter", "informer_drifted_objects_total"],
} as const;

/** Metrics of one informer. */
export type InformerMetrics = MetersOf<typeof informerMeters>;

/**
 * A failed list or watch that is retried: the operation, the next step of the reflector, and the
 * number of failures in a row.
 */
export interface WatchErrorOrigin extends ReflectorErrorContext {
  /** Always `"watch"`. */
  readonly kind: "watch";
}

/** The origin of an error that an informer reports. */
export type ErrorOrigin<T> =
  /** A callback threw or rejected; the event counts as processed. */
  | {
      /** Always `"handler"`. */
      readonly kind: "handler";
      /** Name of the handler. */
      readonly handler: string;
      /** Event whose callback failed. */
      readonly event: InformerEvent<T>;
    }
  /** A change could not be applied, or an object of a list had no key. It was skipped. */
  | {
      /** Always `"cache"`. */
      readonly kind: "cache";
    }
  | WatchErrorOrigin
  /** A metric threw. Its value is lost. */
  | {
      /** Always `"metrics"`. */
      readonly kind: "metrics";
    }
  /** The informer of a factory has ended with this error. The factory forgets it. */
  | {
      /** Always `"end"`. */
      readonly kind: "end";
    };

/**
 * Answer to a failed list or watch. `"stop"` ends the informer, and its `run` rejects with the
 * error. `"log"` leaves the failure to the log, as without `onError`. `"retry"` and `undefined`
 * retry without a log line.
 */
export type WatchErrorReaction = "log" | "retry" | "stop" | undefined;

/** Options of the cache. */
export interface InformerCacheOptions<S extends Scope = Scope> {
  /**
   * Whether a deletion and a creation that the watch missed are delivered as a delete of unknown
   * final state and an add. Otherwise they are one update of two objects with different uids, as in
   * client-go.
   *
   * @default true; false with `clientGoInformerBehaviour`
   */
  readonly detectRecreate?: boolean | undefined;
  /**
   * Whether cached objects are deeply frozen, so that a handler that changes one fails with
   * `LW_CACHED_OBJECT_CHANGED`. It walks over each object, except over members that are not read
   * yet.
   *
   * @default whether `NODE_ENV` is `development` or `test`
   */
  readonly freeze?: boolean | undefined;
  /**
   * The resource, for the types of keys and for errors of the lister.
   *
   * @default the name of the informer
   */
  readonly resource?: ListerOptions<S> | undefined;
}

/** Metrics and log. */
export interface InformerTelemetry {
  /**
   * Receives `informer_*` and `reflector_*`, with the name of the informer as the label `name`. Two
   * informers with one sink need different names.
   *
   * @default none
   */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a span for each list of a server. @default none */
  readonly traces?: TraceSink | undefined;
  /**
   * Receives the errors for which no hook is set: the first of each cause with advice, then one
   * line a minute while it lasts, and one at its end. It also receives warnings: of a changed
   * resync period; of a handler with more than 10,000 waiting events; and, once a minute for each
   * handler, of callbacks that take more than 100 ms while more than 1024 events wait.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
}

/** Options of every {@link Informer}. */
export interface InformerOptions<T, I extends IndexValues, S extends Scope = Scope> {
  /** Name for reports, metrics and waits. @default "informer" */
  readonly name?: string | undefined;
  /** Index functions by name. `store.byIndex` looks up their values. @default none */
  readonly indexers?: Indexers<T, I> | undefined;
  /**
   * Resync period of handlers that do not set one, in milliseconds. 0 means never.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
  /** Content and form of the cache. @default {} */
  readonly cache?: InformerCacheOptions<S> | undefined;
  /** Metrics and log of the informer. @default {} */
  readonly telemetry?: InformerTelemetry | undefined;
  /**
   * Called with every error that the informer recovers from. For a failed list or watch
   * (`origin.kind === "watch"`) its result decides the next step, see {@link WatchErrorReaction},
   * and an error that it throws ends the informer. For other errors it must not throw: the informer
   * continues, but the runtime reports an uncaught error, which ends a Node program without an
   * `uncaughtException` listener.
   *
   * @default errors are written to `telemetry.log`
   */
  readonly onError?:
    | ((error: unknown, origin: ErrorOrigin<T>) => WatchErrorReaction | void)
    | undefined;
  /**
   * Clock for resyncs, the time budget of handlers, and the times of the status.
   *
   * @default systemClock
   */
  readonly clock?: Clock | undefined;
}

/**
 * Reports an error that the informer recovers from. For a failed list or watch it returns or throws
 * the same as `onError`, and `"log"` without `onError`. Otherwise it never throws.
 */
export type ReportError<T> = (error: unknown, origin: ErrorOrigin<T>) => WatchErrorReaction | void;

/** Creates the metrics of an informer, and reports their failures. */
export function createInformerMeters<T>(
  sink: MetricsSink | undefined,
  name: string,
  report: ReportError<T>,
): InformerMetrics {
  return createMeters(sink, informerMeters, { name }, (error) =>
    report(error, { kind: "metrics" }),
  );
}

/** Checks of {@link InformerCacheOptions}. */
export const informerCacheTable: OptionsOf<InformerCacheOptions> = {
  detectRecreate: aBoolean,
  freeze: aBoolean,
  resource: (value) =>
    typeof recordOf(value)["resource"] === "string" ? undefined : "an object with a resource",
};

/** Checks of {@link InformerOptions}. */
export const informerTable: OptionsOf<InformerOptions<never, never>> = {
  name: aString,
  indexers: anObject,
  resyncMs: aNumber(0),
  cache: informerCacheTable,
  telemetry: { metrics: aMetricsSink, traces: aTraceSink, log: aLog },
  onError: aFunction,
  clock: aClock,
};
