import { isNetworkError, isStatusError, isTooManyRequests, StatusError } from "@listwatch/client";
import { isStatus } from "@listwatch/client/base";
import { hasCode } from "@listwatch/core-fifo/base";
import { UnexpectedObjectError } from "./errors.ts";

/** The error of an ERROR event. */
export function errorOfEvent(object: unknown): StatusError | UnexpectedObjectError {
  return isStatus(object) ? new StatusError(object) : new UnexpectedObjectError("a Status", object);
}

/** The server is down or busy: the same request is made again after a delay. */
export function isWorthWaiting(error: unknown): boolean {
  return isNetworkError(error, "connection-refused") || isTooManyRequests(error);
}

/** The server failed, and says when the same request can be made again. */
export function isPostponed(error: unknown): boolean {
  return isStatusError(error) && error.httpCode >= 500 && error.retryAfterMs !== undefined;
}

/**
 * No server was reached. A server whose certificate is not trusted was; that takes an operator to
 * mend, and short delays would only be a load.
 */
export function isUnreachable(error: unknown): boolean {
  return isNetworkError(error) && !isNetworkError(error, "untrusted-certificate");
}

/**
 * The server takes no credentials of this client. New ones may come at any moment, such as a token
 * in a file, and are read with each request.
 */
export function areCredentialsRefused(error: unknown): boolean {
  return isStatusError(error) && error.status.code === 401;
}

/** Given up because nothing arrived, or because it was open for too long. */
export function isSilent(error: unknown): boolean {
  return isNetworkError(error, "timeout");
}

/**
 * Whether a stream broke or was given up as silent, so that it counts as closed. Failures that the
 * server reports, and undecodable data, do not count.
 */
export function isBrokenStream(error: unknown): boolean {
  return isNetworkError(error);
}

/**
 * The server failed itself, or what it sent makes no sense (which client-go's decoder reports as a
 * 500).
 */
export function isServerFailure(error: unknown): boolean {
  if (isStatusError(error)) return isStatusError(error, "InternalError");
  return hasCode(error, "LW_DECODE");
}

/** The server has no streamed initial lists, or not for this resource. */
export function isRefusal(error: unknown): boolean {
  return isStatusError(error, "Invalid", "BadRequest", "MethodNotAllowed", "NotFound");
}
