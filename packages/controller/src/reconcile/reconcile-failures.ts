import { isConflict } from "@listwatch/client";
import type { ListwatchError } from "@listwatch/core-fifo";
import { describeDuration } from "@listwatch/core-fifo/base";
import type { Failures } from "../lifecycle/failures.ts";
import {
  defaultStopTimeoutMs,
  type ControllerOptions,
  type ReconcileFailure,
} from "./controller-options.ts";
import { createStoppedError } from "./errors.ts";

const subject = "Reconcile";
const stopSubject = "The stop of the controller";

/** Maximum number of overdue keys per log line. */
const maxKeys = 10;

/** Consecutive conflicts of a key that are normal: its object changed, or the cache is behind. */
const normalConflicts = 5;

/** Reports failed reconciles, and when all failed keys have succeeded. */
export class ReconcileFailures {
  readonly #failures: Failures;
  readonly #onError: ControllerOptions["onError"];
  /** Logged keys that are retried. */
  readonly #failing = new Set<string>();

  constructor(failures: Failures, onError: ControllerOptions["onError"]) {
    this.#failures = failures;
    this.#onError = onError;
  }

  /** @param isLasting whether the loop runs, so that a retried failure lasts until it succeeds */
  report(error: unknown, failure: ReconcileFailure, isLasting: boolean): void {
    const onError = this.#onError;
    const { key, failures, willRetry } = failure;
    if (onError !== undefined) {
      this.#failures.report({ subject, error }, (cause) => onError(cause, failure));
      return;
    }
    if (willRetry && failures <= normalConflicts && isConflict(error)) return;
    const isTriedAgain = isLasting && willRetry;
    if (isTriedAgain) this.#failing.add(key);
    const fields = { key, failures, willRetry };
    this.#failures.report({ subject, error, fields, isLasting: isTriedAgain }, undefined);
    if (!isTriedAgain) this.succeeded(key);
  }

  /** Reports reconciles that continue after the time limit of the stop. */
  reportUnended(
    unended: readonly ReconcileFailure[],
    { name = "controller", limits }: Pick<ControllerOptions, "limits" | "name">,
  ): void {
    const limit = describeDuration(limits?.stopTimeoutMs ?? defaultStopTimeoutMs);
    const errorOf = (key: string): ListwatchError => {
      const expected = `expected the reconcile of ${JSON.stringify(key)} to end within ${limit}`;
      return createStoppedError(`Cannot stop ${name}: ${expected}, got no end`);
    };
    const onError = this.#onError;
    if (onError !== undefined) {
      for (const failure of unended) {
        const error = errorOf(failure.key);
        this.#failures.report({ subject, error }, (cause) => onError(cause, failure));
      }
      return;
    }
    const keys = unended.slice(0, maxKeys).map(({ key }) => key);
    const [first] = keys;
    if (first === undefined) return;
    const fields = { keys, reconciles: unended.length };
    const advice = "Pass the signal of the reconcile on to every request and wait";
    const failure = {
      subject: stopSubject,
      error: errorOf(first),
      fields,
      advice,
      isLasting: true,
    };
    this.#failures.report(failure, undefined);
  }

  /** Records that all reconciles have ended. */
  ended(): void {
    this.#failures.recover(stopSubject);
  }

  /** Records that a key is not retried, because it succeeded or never will. */
  succeeded(key: string): void {
    if (this.#failing.size === 0 || !this.#failing.delete(key)) return;
    if (this.#failing.size === 0) this.#failures.recover(subject);
  }
}
