import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";

/**
 * Result of a reconcile, in controller-runtime's words: `requeue_after` succeeded and requested
 * another reconcile, `error` threw.
 */
export type ReconcileOutcome = "success" | "requeue_after" | "error";

/**
 * Metrics of one controller. The caller owns them and decides how long they live. Metrics of the
 * queue are an option of the queue.
 */
export interface ControllerMetrics {
  /** Returns the counter of the reconciles with this result, the label `result`. */
  readonly reconciles?: ((result: ReconcileOutcome) => CounterMetric) | undefined;
  /** Reconciles that threw any error. */
  readonly reconcileErrors?: CounterMetric | undefined;
  /** Reconciles that threw a {@link TerminalError}. */
  readonly terminalReconcileErrors?: CounterMetric | undefined;
  /** Reconciles that exceeded the `timeoutMs` of the controller, counted at that moment. */
  readonly reconcileTimeouts?: CounterMetric | undefined;
  /** Duration of a reconcile, in seconds. */
  readonly reconcileTime?: HistogramMetric | undefined;
  /** The `workers` of the controller, set when they start. */
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
