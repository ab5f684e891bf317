import { ListwatchError } from "@listwatch/core-fifo";

/**
 * Thrown by a reconcile that would fail again in the same way: it is reported, not retried. Code
 * `LW_TERMINAL`.
 */
export class TerminalError extends ListwatchError {
  override readonly name: string = "TerminalError";

  constructor(message: string, options?: ErrorOptions) {
    super("LW_TERMINAL", message, options);
  }
}

/**
 * A reconcile took longer than it may; its signal is aborted with this. Code
 * `LW_RECONCILE_TIMEOUT`.
 */
export class ReconcileTimeoutError extends ListwatchError {
  override readonly name: string = "ReconcileTimeoutError";
  /** What was reconciled. */
  readonly key: string;

  constructor(key: string, timeoutMs: number) {
    super(
      "LW_RECONCILE_TIMEOUT",
      `Couldn't reconcile ${JSON.stringify(key)}: expected an end within ${timeoutMs} ms, got none`,
    );
    this.key = key;
  }
}

/**
 * A controller was stopped, and a reconcile did not end in the time it was given. Code
 * `LW_STOPPED`.
 */
export class ControllerStoppedError extends ListwatchError {
  override readonly name: string = "ControllerStoppedError";

  constructor() {
    super("LW_STOPPED", "The controller was stopped");
  }
}

/** The lease could not be renewed in time, or somebody else has it. Code `LW_LEADERSHIP_LOST`. */
export class LeadershipLostError extends ListwatchError {
  override readonly name: string = "LeadershipLostError";
  /** Who lost it. */
  readonly identity: string;

  constructor(identity: string) {
    super("LW_LEADERSHIP_LOST", `Couldn't keep the leadership of ${JSON.stringify(identity)}`);
    this.identity = identity;
  }
}

/** Something that runs once was run twice, or changed while it ran. Code `LW_CONTROLLER_STATE`. */
export class ControllerStateError extends ListwatchError {
  override readonly name: string = "ControllerStateError";

  constructor(message: string) {
    super("LW_CONTROLLER_STATE", message);
  }
}
