import { createMeters, type MetricsSink } from "@listwatch/core-fifo/base";
import {
  controllerMeters,
  type ControllerMetrics,
  type ReconcileOutcome,
} from "./controller-metrics.ts";

/** Records the metrics of one controller. A metric that throws does not stop a reconcile. */
export class ReconcileRecorder {
  readonly #metrics: ControllerMetrics;

  constructor(
    sink: MetricsSink | undefined,
    controller: string,
    onError: (error: unknown) => void,
  ) {
    this.#metrics = createMeters(sink, controllerMeters, { controller }, onError);
  }

  /** Called when workers start to take keys. */
  started(workers: number): void {
    this.#metrics.maxConcurrentReconciles?.set(workers);
  }

  /** Called with the number of reconciles in progress when it changes. */
  active(count: number): void {
    this.#metrics.activeWorkers?.set(count);
  }

  ended(outcome: ReconcileOutcome, durationMs: number): void {
    const { reconciles, reconcileErrors, reconcileTime } = this.#metrics;
    reconciles?.(outcome).inc();
    reconcileTime?.observe(durationMs / 1000);
    if (outcome === "error") reconcileErrors?.inc();
  }

  terminal(): void {
    this.#metrics.terminalReconcileErrors?.inc();
  }

  timedOut(): void {
    this.#metrics.reconcileTimeouts?.inc();
  }
}
