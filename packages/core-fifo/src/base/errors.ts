import { recordOf, stringOf } from "./json.ts";
import { describeObjectName } from "./kubernetes-object.ts";
import { checkRuntime } from "./runtime.ts";
import { describeError, describeValue } from "./values.ts";

// Here because no package works without its errors: an import fails at once and says why, instead
// of the first use of what is missing.
checkRuntime();

/** Options of a {@link ListwatchError}. */
export interface ListwatchErrorOptions extends ErrorOptions {
  /** Next step for an operator or a programmer, shown in the log. @default none */
  readonly advice?: string | undefined;
}

/**
 * Base of every error that listwatch itself raises. Match on `code`, which is stable over releases
 * and across several copies of the package in one program; texts may change. An error that carries
 * nothing but its code is of this class itself.
 */
export class ListwatchError extends Error {
  /** Name of the error class, the same in minified programs. Subclasses have other names. */
  override readonly name: string = "ListwatchError";
  /** Stable identifier of the kind of failure, such as `LW_KEY`. */
  readonly code: string;
  readonly #advice: string | undefined;

  /** @param code stable identifier of the kind of failure, such as `LW_KEY` */
  constructor(code: string, message: string, options?: ListwatchErrorOptions) {
    super(message, options);
    this.code = code;
    this.#advice = options?.advice;
  }

  /**
   * Identifier of the cause, equal for all failures of that cause: it contains no key, address,
   * number or time. The log counts failures by it. Unless a subclass overrides it, the code.
   */
  get failureKind(): string {
    return this.code;
  }

  /** Next step for an operator or a programmer, shown in the log; `undefined` if none is known. */
  get advice(): string | undefined {
    return this.#advice;
  }
}

// The members of an error are read by their shape, since it may come from another copy of a
// package, or from the program. A getter of it, or of a proxy, may throw.

/**
 * The {@link ListwatchError.failureKind} of anything that was thrown; otherwise its code or name.
 * Never throws.
 */
export function failureKindOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return `a thrown ${typeof error}`;
    const { code, failureKind } = recordOf(error);
    return [failureKind, code].map(stringOf).find((text) => text !== "") ?? error.name;
  } catch {
    return "an error that cannot be read";
  }
}

/** The {@link ListwatchError.advice} of anything that was thrown. Never throws. */
export function adviceOf(error: unknown): string | undefined {
  try {
    const advice = error instanceof Error ? recordOf(error)["advice"] : undefined;
    return typeof advice === "string" ? advice : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a value is an error with this `code`: one of listwatch, also of another copy of a
 * package, or one of the runtime, such as `ENOENT`. Never throws.
 */
export function hasCode(error: unknown, code: string): error is Error {
  try {
    return error instanceof Error && "code" in error && error.code === code;
  } catch {
    return false;
  }
}

/**
 * An option has a value that cannot be used, or options exclude each other. Code
 * `LW_INVALID_OPTIONS`.
 */
export class InvalidOptionsError extends ListwatchError {
  /** Always `"InvalidOptionsError"`, also in minified programs. */
  override readonly name: string = "InvalidOptionsError";
  /** The name of the option; `undefined` when several options together are the cause. */
  readonly option: string | undefined;

  /** @param option name of the option; absent when several options together are the cause */
  constructor(message: string, option?: string, options?: ErrorOptions) {
    super("LW_INVALID_OPTIONS", message, options);
    this.option = option;
  }
}

/** `run` was called although it cannot be, after an earlier call. Code `LW_ALREADY_RUNNING`. */
export class AlreadyRunningError extends ListwatchError {
  /** Always `"AlreadyRunningError"`, also in minified programs. */
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
 * An object has no key: it has no metadata or no name, or the key function threw (see `cause`).
 * Code `LW_KEY`.
 */
export class KeyError extends ListwatchError {
  /** Always `"KeyError"`, also in minified programs. */
  override readonly name: string = "KeyError";
  /** The object without a key. */
  readonly object: unknown;

  constructor(object: unknown, options?: ErrorOptions) {
    const cause = options?.cause;
    const reason = cause === undefined ? "no reason was given" : describeError(cause);
    super("LW_KEY", `Cannot compute a key for ${describeObjectName(object)}: ${reason}`, {
      ...options,
      advice: "Check the key function, and that each object has metadata with a name",
    });
    this.object = object;
  }
}

/**
 * A transform threw; what it threw is the `cause`. The write that it belonged to had no effect, or
 * left this object of a list out. Code `LW_TRANSFORM`.
 */
export class TransformError extends ListwatchError {
  /** Always `"TransformError"`, also in minified programs. */
  override readonly name: string = "TransformError";
  /** The object, as the transform left it. */
  readonly object: unknown;

  constructor(object: unknown, cause: unknown) {
    const what = describeObjectName(object);
    super("LW_TRANSFORM", `Cannot transform ${what}: ${describeError(cause)}`, {
      cause,
      advice: "Let the transform accept every object; those it throws for are left out",
    });
    this.object = object;
  }
}

/** Creates the error for an object without the metadata that its key or name is read from. */
export function createNoMetadataError(message: string): ListwatchError {
  const advice = "Check that each object has metadata with a name";
  return new ListwatchError("LW_NO_METADATA", message, { advice });
}

/**
 * Creates the error for an option whose value cannot be used. Of an object it names the members
 * only: options hold credentials.
 */
export function createInvalidOptionError(
  option: string,
  expected: string,
  value: unknown,
): InvalidOptionsError {
  return new InvalidOptionsError(
    `Cannot use the option ${option}: expected ${expected}, got ${describeOption(value)}`,
    option,
  );
}

function describeOption(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== "object" || value === null) return describeValue(value);
  const members = Object.keys(value).slice(0, maxMembers).join(", ");
  return members === "" ? "{}" : `an object with ${members}`;
}

const maxMembers = 10;
