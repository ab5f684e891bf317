import { isNetworkError, isStatusError, isTooManyRequests, StatusError } from "@listwatch/client";
import { isStatus } from "@listwatch/client/base";
import { describeValue, failureKindOf, hasCode, ListwatchError } from "@listwatch/core-fifo/base";

/** An event carried something that it should not. Code `LW_UNEXPECTED_OBJECT`. */
export class UnexpectedObjectError extends ListwatchError {
  /** Always `"UnexpectedObjectError"`, also in minified programs. */
  override readonly name: string = "UnexpectedObjectError";
  /** Content of the event, as received. */
  readonly object: unknown;

  /** @param expected description of the expected content, for the message */
  constructor(expected: string, object: unknown) {
    super(
      "LW_UNEXPECTED_OBJECT",
      `Cannot use an event of the watch: expected ${expected}, got ${describeValue(object)}`,
      { advice: "Check the resource, and proxies that change answers" },
    );
    this.object = object;
  }
}

/**
 * The server's resourceVersions went back: its storage was restored to an earlier state, or another
 * server has its address. Code `LW_OTHER_HISTORY`.
 */
export class OtherHistoryError extends ListwatchError {
  /** Always `"OtherHistoryError"`, also in minified programs. */
  override readonly name: string = "OtherHistoryError";
  /** The resourceVersion up to which the store had been brought. */
  readonly seen: string;
  /** The lower resourceVersion that the server sent. */
  readonly got: string;

  /**
   * @param name name of the reflector
   * @param seen resourceVersion up to which the store had been brought
   * @param got lower resourceVersion that the server sent
   */
  constructor(name: string, seen: string, got: string) {
    super(
      "LW_OTHER_HISTORY",
      `Cannot continue ${name} from resourceVersion ${seen}: the server is at ${got}, so that ` +
        "its storage was restored or replaced",
      {
        advice:
          "The server was restored or replaced; everything is listed again. Check that this was " +
          "intended",
      },
    );
    this.seen = seen;
    this.got = got;
  }
}

const earlyEndAdvice =
  "The server, or a proxy in front, closes watches early: check its time limits and logs";

/** Creates the error for a watch that ended within a second, with no event. */
export function createVeryShortWatchError(name: string): ListwatchError {
  return new ListwatchError(
    "LW_VERY_SHORT_WATCH",
    `Cannot watch ${name}: the watch ended within a second and delivered no event`,
    {
      advice:
        "The server, or a proxy in front, closes watches at once: check its time limits and logs",
    },
  );
}

/**
 * Creates the error for watch after watch that the server ends early and without a byte.
 *
 * @param closes number of them in a row
 */
export function createSilentWatchesError(name: string, closes: number): ListwatchError {
  return new ListwatchError(
    "LW_SILENT_WATCHES",
    `Cannot trust the watches of ${name}: ${closes} in a row ended before the time that was ` +
      "requested and without a byte, as behind a proxy that does not pass on what it gets",
    { advice: earlyEndAdvice },
  );
}

/**
 * Creates the error for a streamed list that ended before it was complete.
 *
 * @param events number of objects that had arrived
 * @param cause error with which it ended, if there was one
 */
export function createStreamedListCutError(
  name: string,
  events: number,
  cause?: unknown,
): ListwatchError {
  return new ListwatchError(
    "LW_STREAMED_LIST_CUT",
    `Cannot list ${name}: the server ended the streamed list after ${events} objects, ` +
      "before it was complete",
    { advice: earlyEndAdvice, cause },
  );
}

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

/**
 * Identifies the cause of a failure that all reflectors of a connection have: the server cannot be
 * reached, or takes no credentials. A connection that breaks, and one that is then refused, are one
 * outage. `undefined` for failures that may belong to one resource.
 */
export function connectionCauseOf(error: unknown): string | undefined {
  if (isUnreachable(error)) return "unreachable";
  const isShared = isNetworkError(error) || hasCode(error, "LW_CREDENTIALS");
  return isShared || areCredentialsRefused(error) ? failureKindOf(error) : undefined;
}
