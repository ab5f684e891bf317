import { ListwatchError } from "@listwatch/core-fifo";
import { describeDuration } from "@listwatch/core-fifo/base";

/**
 * Thrown by a reconcile that would fail again in the same way. It is reported and not retried. Code
 * `LW_TERMINAL`.
 */
export class TerminalError extends ListwatchError {
  /** Always `"TerminalError"`, also in minified programs. */
  override readonly name: string = "TerminalError";

  constructor(message: string, options?: ErrorOptions) {
    super("LW_TERMINAL", message, options);
  }
}

/**
 * A reconcile exceeded its time limit. Its signal is aborted with this error. Code
 * `LW_RECONCILE_TIMEOUT`.
 */
export class ReconcileTimeoutError extends ListwatchError {
  /** Always `"ReconcileTimeoutError"`, also in minified programs. */
  override readonly name: string = "ReconcileTimeoutError";
  /** The key that is being reconciled. */
  readonly key: string;

  constructor(key: string, timeoutMs: number) {
    super(
      "LW_RECONCILE_TIMEOUT",
      `Cannot reconcile ${JSON.stringify(key)}: expected an end within ` +
        `${describeDuration(timeoutMs)}, got none`,
    );
    this.key = key;
  }
}

/** Creates the error for work that cannot go on, or does not end, after the stop of a controller. */
export function createStoppedError(message = "The controller was stopped"): ListwatchError {
  return new ListwatchError("LW_STOPPED", message);
}

/** Creates the error for a use of a controller that does not fit its sources or its state. */
export function createStateError(message: string): ListwatchError {
  return new ListwatchError("LW_CONTROLLER_STATE", message);
}
