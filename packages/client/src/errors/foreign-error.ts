import { isRecord, recordOf, stringOf } from "@listwatch/core-fifo/base";
import { ListwatchError } from "@listwatch/core-fifo";
import { isNetworkFailure, networkErrorFrom } from "./network-error.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { StatusError } from "./status-error.ts";
import { isStatus, type Status } from "./status.ts";

/**
 * Converts an error of a transport that is not listwatch's: a refusal of the server, such as an
 * `ApiException` of `@kubernetes/client-node`, becomes a {@link StatusError}, and a failure of the
 * network a {@link NetworkError}. Any other error is returned as it is. The original is the cause.
 *
 * @param attempted the attempted action, as the start of the message: "Cannot list pods"
 * @param nowMs the current time, for a `Retry-After` that is a date
 */
export function translateError(error: unknown, attempted: string, nowMs: number): unknown {
  try {
    if (!isRecord(error) || isOwn(error)) return error;
    const refusal = refusalOf(error, nowMs);
    if (refusal !== undefined) return refusal;
    return isNetworkFailure(error) ? networkErrorFrom(error, attempted) : error;
  } catch {
    // A getter of the error threw.
    return error;
  }
}

/** Whether an error is one of listwatch, possibly of another copy of the package. */
function isOwn(error: Readonly<Record<string, unknown>>): boolean {
  return error instanceof ListwatchError || stringOf(error["code"]).startsWith("LW_");
}

function refusalOf(
  error: Readonly<Record<string, unknown>>,
  nowMs: number,
): StatusError | undefined {
  const response = recordOf(error["response"]);
  const { body = response["body"] ?? response["data"], headers = response["headers"] } = error;
  const parsed = isStatus(error) ? error : typeof body === "string" ? parseJson(body) : body;
  const code = [error["statusCode"], error["code"], error["status"], response["status"]].find(
    isRefusal,
  );
  if (code === undefined) return undefined;
  const status: Status = isStatus(parsed)
    ? { ...parsed, code }
    : { code, message: stringOf(error["message"]) };
  const retryAfterMs = parseRetryAfter(retryAfterHeader(headers), nowMs);
  return new StatusError(status, { cause: error, retryAfterMs });
}

/** Whether a value is the HTTP code of a failure: gRPC and DOMException have codes below 100. */
function isRefusal(code: unknown): code is number {
  return typeof code === "number" && code >= 400 && code < 600;
}

function retryAfterHeader(headers: unknown): string {
  if (headers instanceof Headers) return headers.get("retry-after") ?? "";
  return stringOf(recordOf(headers)["retry-after"]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
