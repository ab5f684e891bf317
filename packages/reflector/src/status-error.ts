import { ListwatchError } from "@listwatch/core-fifo";

/** One reason among several why a request failed. */
export interface StatusCause {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly field?: string | undefined;
}

/** Kubernetes' Status object: how the API says that, and why, something failed. */
export interface Status {
  readonly kind?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly metadata?: { readonly continue?: string | undefined } | undefined;
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?:
    | {
        readonly name?: string | undefined;
        readonly kind?: string | undefined;
        readonly causes?: readonly StatusCause[] | undefined;
        readonly retryAfterSeconds?: number | undefined;
      }
    | undefined;
  readonly code?: number | undefined;
}

/** Options of {@link StatusError}. */
export interface StatusErrorOptions extends ErrorOptions {
  /** Waiting time that a Retry-After header asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The reasons apimachinery knows; with another one the HTTP code decides (RST-4). */
const knownReasons = new Set(
  (
    "Unauthorized Forbidden NotFound AlreadyExists Conflict Gone Invalid ServerTimeout StoreReadError Timeout " +
    "TooManyRequests BadRequest MethodNotAllowed NotAcceptable RequestEntityTooLarge UnsupportedMediaType " +
    "InternalError Expired ServiceUnavailable"
  ).split(" "),
);

/** The API server answered with a failure. Code `LW_STATUS`. */
export class StatusError extends ListwatchError {
  override readonly name: string = "StatusError";
  /** What the server said, whole. */
  readonly status: Status;
  /** How long the server wants to be left alone, in milliseconds; `undefined` when it did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(status: Status, options: StatusErrorOptions = {}) {
    super("LW_STATUS", statusText(status), options);
    this.status = status;
    const seconds = status.details?.retryAfterSeconds;
    this.retryAfterMs =
      options.retryAfterMs ?? (seconds === undefined ? undefined : seconds * 1000);
  }

  /** HTTP code; 0 when the Status carried none. */
  get httpCode(): number {
    return this.status.code ?? 0;
  }

  /** The Status' reason, `""` when it gave none. */
  get reason(): string {
    return this.status.reason ?? "";
  }

  /** The resourceVersion or continue token is too old: reason Expired or Gone, or code 410. */
  get isExpired(): boolean {
    return this.#is("Expired") || this.#is("Gone", 410);
  }

  /** The resourceVersion is newer than any the server has; recognises the texts of old servers as well (REF-16). */
  get isTooLargeResourceVersion(): boolean {
    const { details, message } = this.status;
    const causes = details?.causes ?? [];
    if (causes.some((cause) => cause.reason === "ResourceVersionTooLarge")) return true;
    // Old servers say it in a text only: of a cause (1.17.0 to 1.18.5), or of a Status with details (before).
    if (details === undefined || !this.#is("Timeout", 504)) return false;
    const text = "Too large resource version";
    return causes.some((cause) => cause.message === text) || message?.includes(text) === true;
  }

  /** Code 429, whatever the reason. */
  get isTooManyRequests(): boolean {
    return this.#is("TooManyRequests") || this.status.code === 429;
  }

  /** The server failed itself: reason InternalError, or code 500 with an unknown reason. */
  get isInternalError(): boolean {
    return this.#is("InternalError", 500);
  }

  get isUnauthorized(): boolean {
    return this.#is("Unauthorized", 401);
  }

  get isForbidden(): boolean {
    return this.#is("Forbidden", 403);
  }

  get isNotFound(): boolean {
    return this.#is("NotFound", 404);
  }

  get isInvalid(): boolean {
    return this.#is("Invalid", 422);
  }

  get isBadRequest(): boolean {
    return this.#is("BadRequest", 400);
  }

  get isMethodNotAllowed(): boolean {
    return this.#is("MethodNotAllowed", 405);
  }

  /** Whether the reason is this one or, when the reason is not a known one, the code is. */
  #is(reason: string, code?: number): boolean {
    if (this.reason === reason) return true;
    return code !== undefined && !knownReasons.has(this.reason) && this.status.code === code;
  }
}

function statusText(status: Status): string {
  const { message, reason, code } = status;
  if (message !== undefined && message !== "") return message;
  return `The server refused the request: ${reason === undefined || reason === "" ? "no reason given" : reason}, code ${code ?? "unknown"}`;
}

/** Whether a value is a Status object of the API. */
export function isStatus(value: unknown): value is Status {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    value.kind === "Status" &&
    (!("apiVersion" in value) || value.apiVersion === "v1" || value.apiVersion === "meta.k8s.io/v1")
  );
}

/**
 * Whether an error is a {@link StatusError}, also one of another copy of this package.
 */
export function isStatusError(error: unknown): error is StatusError {
  return (
    error instanceof StatusError ||
    (error instanceof Error && "code" in error && error.code === "LW_STATUS")
  );
}

/** Whether an error says that a resourceVersion or continue token is too old. */
export function isExpired(error: unknown): boolean {
  return isStatusError(error) && error.isExpired;
}

/** Whether an error says that a resourceVersion is newer than any the server has. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  return isStatusError(error) && error.isTooLargeResourceVersion;
}

/** Whether an error is a 429. */
export function isTooManyRequests(error: unknown): boolean {
  return isStatusError(error) && error.isTooManyRequests;
}

/** How long the server that answered with this error wants to be left alone, in milliseconds. */
export function retryAfter(error: unknown): number | undefined {
  return isStatusError(error) ? error.retryAfterMs : undefined;
}
