import { ListwatchError } from "@listwatch/core-fifo";
import { hasCode } from "@listwatch/core-fifo/base";
import { retryAfterOf } from "./retry-after.ts";
import { adviceFor, failureKindOf } from "./status-advice.ts";
import {
  checkStatus,
  hasReason,
  type Status,
  type StatusCause,
  type StatusReason,
} from "./status.ts";

/** The refused request, for the error. */
export interface RefusedRequest {
  /** HTTP method of the refused request, in upper case. @default none */
  readonly method?: string | undefined;
  /** Path below the address of the server, without the query. @default none */
  readonly path?: string | undefined;
}

/** Options of {@link StatusError}. */
export interface StatusErrorOptions extends ErrorOptions, RefusedRequest {
  /** Delay requested by a Retry-After header, in milliseconds. @default none */
  readonly retryAfterMs?: number | undefined;
  /** Further information at the end of the message. @default none */
  readonly note?: string | undefined;
}

/**
 * The API server answered with a failure. Code `LW_STATUS`. Members of the response with a wrong
 * type are not in `status`.
 */
export class StatusError extends ListwatchError {
  /** Always `"StatusError"`, also in minified programs. */
  override readonly name: string = "StatusError";
  /** The Status of the response, without members of a wrong type. */
  readonly status: Status;
  /**
   * How long the server asks to wait before the next request, in milliseconds, limited to 0 to one
   * hour; `undefined` if it does not.
   */
  readonly retryAfterMs: number | undefined;
  /** HTTP method of the request; `undefined` for an error event of a watch. */
  readonly method: string | undefined;
  /**
   * Path of the request below the address of the server, without its query; `undefined` like
   * `method`.
   */
  readonly path: string | undefined;

  constructor(status: Status, options: StatusErrorOptions = {}) {
    const checked = checkStatus(status);
    const { method, note, path } = options;
    super("LW_STATUS", describeStatus(checked) + (note === undefined ? "" : ` (${note})`), options);
    this.status = checked;
    this.retryAfterMs = options.retryAfterMs ?? retryAfterOf(checked);
    this.method = method;
    this.path = path;
  }

  /** HTTP code; 0 if the Status has none. */
  get httpCode(): number {
    return this.status.code ?? 0;
  }

  /** Reason of the Status; `""` if it has none. */
  get reason(): string {
    return this.status.reason ?? "";
  }

  override get failureKind(): string {
    return failureKindOf(this.status);
  }

  override get advice(): string | undefined {
    return adviceFor(this.status, this.path);
  }

  /** Detailed causes, such as the fields and the other manager of a conflict; often empty. */
  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }
}

/** Whether an error is a {@link StatusError}, possibly of another copy of this package. */
export function isStatusError(error: unknown): error is StatusError;
/**
 * Whether an error is a {@link StatusError} with one of these reasons. A Status with an unknown
 * reason counts as the reason of its HTTP code.
 */
export function isStatusError(error: unknown, ...reasons: readonly StatusReason[]): boolean;
export function isStatusError(error: unknown, ...reasons: readonly StatusReason[]): boolean {
  if (!isOfThisClass(error)) return false;
  const { status } = error;
  return reasons.length === 0 || reasons.some((reason) => hasReason(status, reason));
}

function isOfThisClass(error: unknown): error is StatusError {
  return hasCode(error, "LW_STATUS") && "status" in error;
}

/**
 * Whether an error says that there is no such object or resource: a {@link StatusError}, or the
 * `NotFoundError` of a lister.
 */
export function isNotFound(error: unknown): boolean {
  return isStatusError(error, "NotFound") || hasCode(error, "LW_NOT_FOUND");
}

/** Whether a create failed because the name is taken. */
export function isAlreadyExists(error: unknown): boolean {
  return isStatusError(error, "AlreadyExists");
}

/** Whether a write failed because the object has changed since it was read. */
export function isConflict(error: unknown): boolean {
  return isStatusError(error) && error.httpCode === 409 && error.reason !== "AlreadyExists";
}

/**
 * Whether an error says that a resourceVersion or continue token is too old: reason Expired or
 * Gone, or code 410.
 */
export function isExpired(error: unknown): boolean {
  return isStatusError(error, "Expired", "Gone");
}

/** Whether an error is a 429, whatever its reason. */
export function isTooManyRequests(error: unknown): boolean {
  return isStatusError(error) && (error.reason === "TooManyRequests" || error.httpCode === 429);
}

/**
 * Whether an error says that a resourceVersion is newer than any the server has. The messages of
 * servers before 1.19, which have no cause for it, are recognised as well.
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!isStatusError(error)) return false;
  // An error of another copy of this package may be of a version that checked nothing.
  const { details, message } = checkStatus(error.status);
  const causes = details?.causes ?? [];
  if (causes.some((cause) => cause.reason === "ResourceVersionTooLarge")) return true;
  // Old servers only have a message for it: of a cause (1.17.0 to 1.18.5), or of a Status with
  // details.
  if (details === undefined || !isStatusError(error, "Timeout")) return false;
  const text = "Too large resource version";
  return causes.some((cause) => cause.message === text) || message?.includes(text) === true;
}

function describeStatus({ message, reason, code }: Status): string {
  if (message !== undefined && message !== "") return message;
  const why = reason === undefined || reason === "" ? "no reason given" : reason;
  return `The server refused the request: ${why}, code ${code ?? "unknown"}`;
}
