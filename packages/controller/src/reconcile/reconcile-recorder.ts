import type { ControllerMetrics, ReconcileOutcome } from "./controller-metrics.ts";
import { attempt } from "../writes/attempt.ts";

/** Keeps the metrics of one controller, of which none can stop a reconcile. */
export class ReconcileRecorder {
  readonly #metrics: ControllerMetrics;
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(metrics: ControllerMetrics, onError: ((error: unknown) => void) | undefined) {
    this.#metrics = metrics;
    this.#onError = onError;
  }

  /** Workers begin to take keys. */
  started(workers: number): void {
    this.#attempt(() => this.#metrics.maxConcurrentReconciles?.set(workers));
  }

  /** So many reconciles are in progress now. */
  active(count: number): void {
    this.#attempt(() => this.#metrics.activeWorkers?.set(count));
  }

  ended(outcome: ReconcileOutcome, durationMs: number): void {
    const { reconciles, reconcileErrors, reconcileTime } = this.#metrics;
    this.#attempt(() => reconciles?.(outcome).inc());
    this.#attempt(() => reconcileTime?.observe(durationMs / 1000));
    if (outcome === "error") this.#attempt(() => reconcileErrors?.inc());
  }

  terminal(): void {
    this.#attempt(() => this.#metrics.terminalReconcileErrors?.inc());
  }

  timedOut(): void {
    this.#attempt(() => this.#metrics.reconcileTimeouts?.inc());
  }

  #attempt(record: () => void): void {
    attempt(record, this.#onError);
  }
}
