import { ListwatchError } from "@listwatch/core-fifo";
import { describeDuration } from "@listwatch/core-fifo/base";

/**
 * Thrown by a reconcile that would fail again in the same way. It is reported and not retried. Code
 * `LW_TERMINAL`.
 */
export class TerminalError extends ListwatchError {
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

/**
 * A controller was stopped and a reconcile did not end in time. Its signal is aborted with this
 * error. Code `LW_STOPPED`.
 */
export class ControllerStoppedError extends ListwatchError {
  override readonly name: string = "ControllerStoppedError";
  /** Key of a reconcile that continues after the abort; `undefined` in the reason of a signal. */
  readonly key: string | undefined;

  constructor(message = "The controller was stopped", key?: string) {
    super("LW_STOPPED", message);
    this.key = key;
  }
}

/** A controller was changed after its start. Code `LW_CONTROLLER_STATE`. */
export class ControllerStateError extends ListwatchError {
  override readonly name: string = "ControllerStateError";

  constructor(message: string) {
    super("LW_CONTROLLER_STATE", message);
  }
}
