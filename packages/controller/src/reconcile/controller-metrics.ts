import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";

/**
 * How a reconcile ended, in controller-runtime's words: `requeue_after` succeeded and asked for
 * another one, `error` threw.
 */
export type ReconcileOutcome = "success" | "requeue_after" | "error";

/**
 * The metrics of one controller. They are the caller's and live as long as the caller keeps them;
 * those of its queue are given to the queue.
 */
export interface ControllerMetrics {
  /** Gives the counter of the reconciles that ended so: the label `result`. */
  readonly reconciles?: ((result: ReconcileOutcome) => CounterMetric) | undefined;
  /** Reconciles that threw, whatever. */
  readonly reconcileErrors?: CounterMetric | undefined;
  /** Reconciles that threw a {@link TerminalError}. */
  readonly terminalReconcileErrors?: CounterMetric | undefined;
  /** Reconciles that went over the `timeoutMs` of the controller, counted at that moment. */
  readonly reconcileTimeouts?: CounterMetric | undefined;
  /** Seconds that a reconcile took. */
  readonly reconcileTime?: HistogramMetric | undefined;
  /** The `workers` of the controller, set when they begin. */
  readonly maxConcurrentReconciles?: GaugeMetric | undefined;
  /** Reconciles in progress. */
  readonly activeWorkers?: GaugeMetric | undefined;
}

/**
 * controller-runtime's name of each metric (pkg/internal/controller/metrics), so that dashboards
 * keep working.
 */
export const controllerMetricNames: { readonly [Metric in keyof ControllerMetrics]-?: string } = {
  reconciles: "controller_runtime_reconcile_total",
  reconcileErrors: "controller_runtime_reconcile_errors_total",
  terminalReconcileErrors: "controller_runtime_terminal_reconcile_errors_total",
  reconcileTimeouts: "controller_runtime_reconcile_timeouts_total",
  reconcileTime: "controller_runtime_reconcile_time_seconds",
  maxConcurrentReconciles: "controller_runtime_max_concurrent_reconciles",
  activeWorkers: "controller_runtime_active_workers",
};
