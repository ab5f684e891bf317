import { isStatusError, StatusError, type Status } from "@listwatch/client";
import { isStatus, parseRetryAfter } from "@listwatch/client/base";
import { isRecord, recordOf, stringOf } from "@listwatch/core-fifo/base";

/**
 * The server refused a request of an informer. It has the members that programs look for in errors
 * of `@kubernetes/client-node`; `cause` is the {@link StatusError}.
 */
export class RefusedError extends Error {
  override readonly name: string = "RefusedError";
  /** The HTTP code. */
  readonly code: number;
  /** The HTTP code. */
  readonly statusCode: number;
  /** The Status of the answer, as JSON. */
  readonly body: string;

  constructor(cause: StatusError) {
    super(cause.message, { cause });
    this.code = cause.httpCode;
    this.statusCode = cause.httpCode;
    this.body = JSON.stringify(cause.status);
  }
}

/** What the function of the program rejected with, by the error that the reflector gets for it. */
const originals = new WeakMap<object, unknown>();

/**
 * The error of a list function in the form that a reflector understands: an `ApiException` of
 * client-node as the Status that its body is, so that codes and `Retry-After` have their effect.
 *
 * @param nowMs the present, for a `Retry-After` that is a date
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

/** The error as the program gets it: what its list function threw, or with a code as a number. */
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
