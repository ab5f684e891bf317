import type { Clock, Log, Scope } from "@listwatch/core-fifo";
import { guardMetrics } from "@listwatch/core-fifo/base";
import type { ReflectorErrorContext } from "@listwatch/reflector";
import type { Indexers, IndexValues, ListerOptions } from "@listwatch/store-indexer";
import type { InformerEvent } from "../cache/informer-event.ts";
import type { InformerMetrics } from "./informer-metrics.ts";

/**
 * A failed list or watch, which is tried again: what failed, how the reflector goes on, and the
 * failures in a row.
 */
export interface WatchErrorOrigin extends ReflectorErrorContext {
  readonly kind: "watch";
}

/** The origin of an error that an informer reports. */
export type ErrorOrigin<T> =
  /** A callback threw or rejected; the event counts as processed. */
  | {
      readonly kind: "handler";
      readonly handler: string;
      readonly event: InformerEvent<T>;
    }
  /** A change could not be applied, or an object of a list had no key; it was left out. */
  | { readonly kind: "cache" }
  | WatchErrorOrigin
  /** A metric threw; its value is lost. */
  | { readonly kind: "metrics" }
  /** The informer, which a factory runs, has ended with this error; the factory forgets it. */
  | { readonly kind: "end" };

/**
 * An answer to a failed list or watch: `"stop"` ends the informer, whose `run` then rejects with
 * the error. `"log"` leaves the failure to the log, as without `onError`. `"retry"` and `undefined`
 * take the failure as handled: it is tried again and not logged.
 */
export type WatchErrorReaction = "log" | "retry" | "stop" | undefined;

/** What an informer keeps, and how. */
export interface InformerCacheOptions<S extends Scope = Scope> {
  /**
   * Whether an object that was deleted and created again while the watch missed it is delivered as
   * a delete of unknown final state and an add. Otherwise it is an update whose objects have
   * different uids, as in client-go.
   *
   * @default false
   */
  readonly detectRecreate?: boolean | undefined;
  /**
   * Whether cached objects are frozen deeply, so that a handler that changes one fails. Costs a
   * walk over each object; for development and tests.
   *
   * @default false
   */
  readonly freeze?: boolean | undefined;
  /**
   * The resource, for the type of keys and for errors of the lister.
   *
   * @default the informer's name
   */
  readonly resource?: ListerOptions<S> | undefined;
}

/** What is recorded about an informer. */
export interface InformerTelemetry {
  readonly metrics?: InformerMetrics | undefined;
  /**
   * Takes the errors for which there is no hook: the first of each cause with an advice, then one
   * line a minute as long as it goes on, and one when it is over. Takes warnings, too: of a resync
   * period that is changed; of a handler for which more than 10,000 events wait; and, once a minute
   * for each handler, of callbacks that take more than 100 ms while more than 1024 events wait.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
}

/** Options of every {@link Informer}. */
export interface InformerOptions<T, I extends IndexValues, S extends Scope = Scope> {
  /** Name for reports, metrics and waits. @default "informer" */
  readonly name?: string | undefined;
  /** The index functions by name; their values are looked up with `store.byIndex`. @default none */
  readonly indexers?: Indexers<T, I> | undefined;
  /**
   * How often handlers that have no period of their own get every object again, in milliseconds; 0
   * means that this informer never resyncs.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
  readonly cache?: InformerCacheOptions<S> | undefined;
  readonly telemetry?: InformerTelemetry | undefined;
  /**
   * Called with every error that the informer recovers from. For a failed list or watch
   * (`origin.kind === "watch"`) it can decide how to go on, see {@link WatchErrorReaction}; what it
   * throws then ends the informer. For other errors it must not throw: the informer goes on, but
   * what is thrown here reaches the runtime as an uncaught error, which ends a Node program that
   * has no `uncaughtException` listener.
   *
   * @default errors are written to `telemetry.log`
   */
  readonly onError?:
    | ((error: unknown, origin: ErrorOrigin<T>) => WatchErrorReaction | void)
    | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Reports an error that the informer recovers from. For a failed list or watch it returns, or
 * throws, what `onError` does, and `"log"` without `onError`; otherwise it never throws.
 */
export type ReportError<T> = (error: unknown, origin: ErrorOrigin<T>) => WatchErrorReaction | void;

/** Wraps metrics so that their failures are reported. */
export function guardInformerMetrics<T>(
  metrics: InformerMetrics | undefined,
  report: ReportError<T>,
): InformerMetrics | undefined {
  return metrics && guardMetrics(metrics, (error) => report(error, { kind: "metrics" }));
}
