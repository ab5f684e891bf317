import type { Clock, Key, Log, Scope } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { WorkQueue, WorkQueueOptions } from "@listwatch/workqueue";
import type { LeaderElector } from "../election/leader-elector.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { Reconcile } from "./reconcile.ts";

/** Where and how a reconcile failed. */
export interface ReconcileFailure {
  readonly key: string;
  /** How often the key has failed in a row, this time included. */
  readonly failures: number;
  /** Whether it is tried again; false after a {@link TerminalError}. */
  readonly willRetry: boolean;
}

/** Time limits of a {@link Controller}, in milliseconds. */
export interface ControllerLimits {
  /**
   * Time limit of a reconcile: then its signal is aborted and the overrun is reported. The key
   * stays taken until the reconcile has ended, so one that ignores its signal holds up a worker.
   *
   * @default 300_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a stop waits for running reconciles before it aborts their signals. One that goes on
   * after that is reported, then once a minute until it ends.
   *
   * In a pod it should be some seconds below `terminationGracePeriodSeconds`, after which the
   * process is killed without a word; both are 30 s by default.
   *
   * @default 30_000 (controller-runtime `GracefulShutdownTimeout`)
   */
  readonly stopTimeoutMs?: number | undefined;
  /**
   * The longest that `readYourWrites` holds a key back; bookmarks come about once a minute.
   *
   * @default 90_000
   */
  readonly readYourWritesTimeoutMs?: number | undefined;
}

/** controller-runtime `defaultGracefulShutdownPeriod`, pkg/manager/manager.go. */
export const defaultStopTimeoutMs = 30_000;

/** What is recorded about a {@link Controller}. */
export interface ControllerTelemetry {
  /**
   * Takes what no hook is there for, what a hook throws, and why no reconcile begins.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
  /** Metrics of the reconciles; those of the queue are an option of the queue. @default none */
  readonly metrics?: ControllerMetrics | undefined;
  /** Called with the first failure of each metric; the value is lost. @default `log` gets it */
  readonly onMetricsError?: ((error: unknown) => void) | undefined;
}

/** Options of the queue that a {@link Controller} creates. */
export type ControllerQueueOptions<S extends Scope = Scope> = Pick<
  WorkQueueOptions<Key<S>>,
  "metrics" | "onMetricsError" | "ordering" | "rateLimiter"
>;

/**
 * Options of {@link Controller}. `T`, `I` and `S` are the types of its informer: of its objects, of
 * its indexes, and the scope of its resource.
 */
export interface ControllerOptions<
  T = never,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> {
  /** Called with each key that needs work. */
  readonly reconcile: Reconcile<T, I, S>;
  /**
   * The informer whose objects are reconciled, as with {@link Controller.for}; `reconcile` gets
   * keys, objects and the informer with their types.
   *
   * @default none
   */
  readonly informer?: Informer<T, I, S> | undefined;
  /** Name in reports and of the event handlers. @default "controller" */
  readonly name?: string | undefined;
  /**
   * Reconciles at a time.
   *
   * @default 1 (controller-runtime `MaxConcurrentReconciles`)
   */
  readonly workers?: number | undefined;
  /**
   * The queue of keys, which belongs to the controller from now on, or options of the queue that
   * the controller creates: with a {@link PriorityOrdering}, so that what is in the initial list
   * waits behind what has just changed, and with merged delays.
   *
   * @default {}
   */
  readonly queue?: WorkQueue<string> | WorkQueue<Key<S>> | ControllerQueueOptions<S> | undefined;
  /**
   * Holds a key back until the caches show what its last reconcile has recorded with
   * {@link ReconcileContext.recordWrite}.
   *
   * @default false
   */
  readonly readYourWrites?: boolean | undefined;
  readonly limits?: ControllerLimits | undefined;
  /**
   * Reconciles only while this elector leads; caches and queue fill before (warm standby).
   *
   * @default none: it always reconciles
   */
  readonly elector?: Pick<LeaderElector, "lead"> | undefined;
  /**
   * Called with every failed reconcile, but for those that a stop has aborted; with an error with
   * the code `LW_STOPPED` for each that goes on after that, once a minute.
   *
   * @default they are written to `telemetry.log`, each cause at once and then once a minute; a
   *   conflict that is tried again is not
   */
  readonly onError?: ((error: unknown, failure: ReconcileFailure) => void) | undefined;
  readonly telemetry?: ControllerTelemetry | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}
