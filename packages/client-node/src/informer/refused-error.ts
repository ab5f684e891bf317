import { isStatusError, StatusError, type Status } from "@listwatch/client";
import { isStatus, parseRetryAfter } from "@listwatch/client/base";
import { isRecord, recordOf, stringOf } from "@listwatch/core-fifo/base";

/**
 * The server refused a request of an informer. Has the members that programs read from errors of
 * `@kubernetes/client-node`; `cause` is the {@link StatusError}.
 */
export class RefusedError extends Error {
  /** Always `"RefusedError"`, also in minified programs. */
  override readonly name: string = "RefusedError";
  /** The HTTP status code. */
  readonly code: number;
  /** Same as `code`. */
  readonly statusCode: number;
  /** Status of the response, as JSON text. */
  readonly body: string;

  constructor(cause: StatusError) {
    super(cause.message, { cause });
    this.code = cause.httpCode;
    this.statusCode = cause.httpCode;
    this.body = JSON.stringify(cause.status);
  }
}

/** The rejections of the list function, by the error that the reflector gets in their place. */
const originals = new WeakMap<object, unknown>();

/**
 * Converts an error of a list function for the reflector: an `ApiException` of client-node becomes
 * a {@link StatusError}, so that its code and `Retry-After` take effect.
 *
 * @param nowMs the current time, for a `Retry-After` that is a date
 */
export function errorOfList(error: unknown, nowMs: number): unknown {
  if (!isRecord(error) || isStatusError(error)) return error;
  const code = [error["statusCode"], error["code"]].find((value) => typeof value === "number");
  if (code === undefined) return error;
  const status = new StatusError(statusOf(code, error["body"], error["message"]), {
    cause: error,
    retryAfterMs: parseRetryAfter(stringOf(recordOf(error["headers"])["retry-after"]), nowMs),
  });
  originals.set(status, error);
  return status;
}

/** Returns the original error of the list function, otherwise an error with a numeric code. */
export function errorForProgram(error: unknown): unknown {
  if (!isStatusError(error)) return error;
  return originals.has(error) ? originals.get(error) : new RefusedError(error);
}

function statusOf(code: number, body: unknown, message: unknown): Status {
  const parsed = typeof body === "string" ? parseJson(body) : body;
  return isStatus(parsed) ? { ...parsed, code } : { code, message: stringOf(message) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
