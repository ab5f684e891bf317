import type { MetersOf } from "@listwatch/core-fifo/base";

/**
 * Result of a reconcile, in controller-runtime's words: `requeue_after` succeeded and requested
 * another reconcile, `error` threw.
 */
export type ReconcileOutcome = "success" | "requeue_after" | "error";

/** Metrics of a controller under controller-runtime's names, pkg/internal/controller/metrics. */
export const controllerMeters = {
  /** Reconciles by result. */
  reconciles: ["counter", "controller_runtime_reconcile_total", "result"],
  /** Reconciles that threw any error. */
  reconcileErrors: ["counter", "controller_runtime_reconcile_errors_total"],
  /** Reconciles that threw a TerminalError. */
  terminalReconcileErrors: ["counter", "controller_runtime_terminal_reconcile_errors_total"],
  /** Reconciles that exceeded the `timeoutMs` of the controller, counted at that moment. */
  reconcileTimeouts: ["counter", "controller_runtime_reconcile_timeouts_total"],
  /** Duration of a reconcile, in seconds. */
  reconcileTime: ["histogram", "controller_runtime_reconcile_time_seconds"],
  /** The `workers` of the controller, set when they start. */
  maxConcurrentReconciles: ["gauge", "controller_runtime_max_concurrent_reconciles"],
  /** Reconciles in progress. */
  activeWorkers: ["gauge", "controller_runtime_active_workers"],
} as const;

/** Metrics of one controller. */
export type ControllerMetrics = MetersOf<typeof controllerMeters>;
