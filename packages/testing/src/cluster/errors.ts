import { ListwatchError } from "@listwatch/core-fifo";

/** A condition did not hold within its time. Code `LW_CONDITION_NOT_MET`. */
export class ConditionNotMetError extends ListwatchError {
  /** Always `"ConditionNotMetError"`, also in minified programs. */
  override readonly name: string = "ConditionNotMetError";

  /** @param lastSeen what the condition read and returned the last time */
  constructor(
    seconds: number,
    lastSeen: string,
    options?: ErrorOptions,
    time: "real" | "simulated" = "simulated",
  ) {
    super(
      "LW_CONDITION_NOT_MET",
      `The condition did not hold within ${seconds} s of ${time} time; last seen: ${lastSeen}`,
      options,
    );
  }
}

/** Work of the program goes on after the end of a test. Code `LW_LEFT_RUNNING`. */
export class LeftRunningError extends ListwatchError {
  /** Always `"LeftRunningError"`, also in minified programs. */
  override readonly name: string = "LeftRunningError";
  /** Parts that are left, such as `2 timers` and `a watch of pods`. */
  readonly left: readonly string[];

  constructor(left: readonly string[]) {
    super("LW_LEFT_RUNNING", `The test has left ${left.join(", ")}`, {
      advice: "End them when the signal of the test cluster is aborted, or before",
    });
    this.left = left;
  }
}

/**
 * The roles of a program's service account do not allow one of its requests. Code
 * `LW_MISSING_RIGHT`.
 */
export class MissingRightError extends ListwatchError {
  /** Always `"MissingRightError"`, also in minified programs. */
  override readonly name: string = "MissingRightError";

  /** @param answer message of the server */
  constructor(answer: string) {
    super("LW_MISSING_RIGHT", `The program has sent a request without the right to it: ${answer}`, {
      advice:
        "`listwatch rbac` writes the roles; a fault of the server with the status 403 shows what " +
        "the program does without a right",
    });
  }
}

/**
 * A test asks a cluster for what it cannot do, such as a real server for simulated time. Code
 * `LW_UNSUPPORTED`.
 */
export class UnsupportedError extends ListwatchError {
  /** Always `"UnsupportedError"`, also in minified programs. */
  override readonly name: string = "UnsupportedError";

  /** @param message attempt, and the reason that it cannot be done */
  constructor(message: string) {
    super("LW_UNSUPPORTED", message);
  }
}
