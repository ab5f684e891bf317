import { describeObjectName } from "./kubernetes-object.ts";
import { checkRuntime } from "./runtime.ts";
import { describeError } from "./values.ts";

// Here because no package works without its errors: an import fails at once and says why, instead
// of the first use of what is missing.
checkRuntime();

/**
 * Base of every error that listwatch itself raises. Match on `code`, which is stable over releases
 * and across several copies of the package in one program; texts may change.
 */
export class ListwatchError extends Error {
  override readonly name: string = "ListwatchError";
  /** Stable identifier of the kind of failure, such as `LW_KEY`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Whether a value is an error with this `code`: one of listwatch, also of another copy of a
 * package, or one of the runtime, such as `ENOENT`.
 */
export function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * An option has a value that cannot be used, or options exclude each other. Code
 * `LW_INVALID_OPTIONS`.
 */
export class InvalidOptionsError extends ListwatchError {
  override readonly name: string = "InvalidOptionsError";
  /** The name of the option; `undefined` when several options together are the cause. */
  readonly option: string | undefined;

  constructor(message: string, option?: string, options?: ErrorOptions) {
    super("LW_INVALID_OPTIONS", message, options);
    this.option = option;
  }
}

/** `run` was called although it cannot be, after an earlier call. Code `LW_ALREADY_RUNNING`. */
export class AlreadyRunningError extends ListwatchError {
  override readonly name: string = "AlreadyRunningError";

  /**
   * @param what the name of what was run, such as the name of an informer
   * @param reason why it cannot be run now
   */
  constructor(what: string, reason: string = "run was called before") {
    super("LW_ALREADY_RUNNING", `Cannot run ${what}: ${reason}`);
  }
}

/**
 * A transform threw; what it threw is the `cause`. The write that it belonged to had no effect, or
 * left this object of a list out. Code `LW_TRANSFORM`.
 */
export class TransformError extends ListwatchError {
  override readonly name: string = "TransformError";
  /** The object, as the transform left it. */
  readonly object: unknown;

  constructor(object: unknown, cause: unknown) {
    const what = describeObjectName(object);
    super("LW_TRANSFORM", `Cannot transform ${what}: ${describeError(cause)}`, { cause });
    this.object = object;
  }
}
