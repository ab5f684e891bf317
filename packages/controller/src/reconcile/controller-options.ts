import type { Clock } from "@listwatch/core-fifo";
import type { RateLimiter, WorkQueue } from "@listwatch/workqueue";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { LeaderElector } from "../election/leader-elector.ts";
import type { Reconcile } from "./reconcile.ts";

/** Where and how a reconcile failed. */
export interface ReconcileFailure {
  readonly key: string;
  /** How often the key has failed in a row, this time included. */
  readonly failures: number;
  /** Whether it is tried again; not so after a {@link TerminalError}. */
  readonly willRetry: boolean;
}

/** Options of {@link Controller}. */
export interface ControllerOptions {
  readonly reconcile: Reconcile;
  /** Name in reports and of the event handlers. @default "controller" */
  readonly name?: string | undefined;
  /**
   * Reconciles at a time.
   *
   * @default 1 (controller-runtime `MaxConcurrentReconciles`)
   */
  readonly workers?: number | undefined;
  /**
   * The queue of keys; it belongs to the controller from now on. In a queue with a
   * {@link PriorityOrdering}, what is in the initial list waits behind what has just changed.
   *
   * @default a queue with a PriorityOrdering, merged delays and `rateLimiter`
   */
  readonly queue?: WorkQueue<string> | undefined;
  /** Of the default queue. @default defaultControllerRateLimiter() */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Time limit of a reconcile, in milliseconds: then its signal is aborted and the overrun is
   * reported. The key stays taken until the reconcile has ended, so one that ignores its signal
   * holds up a worker.
   *
   * @default 300_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a stop waits for running reconciles before it aborts their signals, in milliseconds.
   *
   * @default 30_000 (controller-runtime `GracefulShutdownTimeout`)
   */
  readonly stopTimeoutMs?: number | undefined;
  /**
   * Hold a key back until the caches have seen what its last reconcile said it
   * {@link ReconcileContext.wrote}.
   *
   * @default false
   */
  readonly readYourWrites?: boolean | undefined;
  /**
   * The longest that a key is held back for that, in milliseconds; bookmarks come about once a
   * minute.
   *
   * @default 90_000
   */
  readonly readYourWritesTimeoutMs?: number | undefined;
  /** Reconcile only while this one leads; caches and the queue fill before (warm standby). */
  readonly elector?: LeaderElector | undefined;
  /** Told of every failed reconcile. What it throws is ignored. */
  readonly onError?: ((error: unknown, failure: ReconcileFailure) => void) | undefined;
  /** Those of the queue are an option of the queue. @default none */
  readonly metrics?: ControllerMetrics | undefined;
  /** Told of metrics that throw; the value is lost and everything else goes on. */
  readonly onMetricsError?: ((error: unknown) => void) | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}
