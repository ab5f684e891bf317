import { UnexpectedObjectError } from "../errors.ts";
import {
  isNetworkError,
  isStatus,
  isStatusError,
  isTooManyRequests,
  StatusError,
} from "@listwatch/client";

/** What an ERROR event says (RST-3). */
export function errorOfEvent(object: unknown): StatusError | UnexpectedObjectError {
  return isStatus(object) ? new StatusError(object) : new UnexpectedObjectError("a Status", object);
}

/**
 * Nobody could take the request just now: the same one is made again after a delay (REF-26,
 * REF-27).
 */
export function isWorthWaiting(error: unknown): boolean {
  return isNetworkError(error, "connection-refused") || isTooManyRequests(error);
}

/**
 * A stream broke on the way or was given up as silent: it counts as closed (RST-2). What the server
 * said is another matter, and so is what cannot be decoded.
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
  return error instanceof Error && "code" in error && error.code === "LW_DECODE";
}

/** The server has no streamed initial lists, or not for this resource. */
export function isRefusal(error: unknown): boolean {
  return isStatusError(error, "Invalid", "BadRequest", "MethodNotAllowed", "NotFound");
}
