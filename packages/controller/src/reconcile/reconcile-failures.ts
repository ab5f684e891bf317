import { isConflict } from "@listwatch/client";
import type { Failures } from "../lifecycle/failures.ts";
import type { ControllerOptions, ReconcileFailure } from "./controller-options.ts";

const subject = "Reconcile";

/** Conflicts of a key in a row that are normal: its object was changed meanwhile, or is cached late. */
const normalConflicts = 5;

/** Reports what fails in reconciles, and when all keys that failed have succeeded. */
export class ReconcileFailures {
  readonly #failures: Failures;
  readonly #onError: ControllerOptions["onError"];
  /** Keys that were logged and are tried again. */
  readonly #failing = new Set<string>();

  constructor(failures: Failures, onError: ControllerOptions["onError"]) {
    this.#failures = failures;
    this.#onError = onError;
  }

  /** @param isLasting whether the loop runs, so that a failure that is retried lasts until then */
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

  /** Notes that a key is not tried again: it has succeeded, or will not. */
  succeeded(key: string): void {
    if (this.#failing.size === 0 || !this.#failing.delete(key)) return;
    if (this.#failing.size === 0) this.#failures.recover(subject);
  }
}
