import type { JsonObject } from "../json.ts";
import type { StatusDetails } from "../status/api-error.ts";

/** A Status (meta/v1) a fault answers with. What is left out is what the real server says for the code. */
export interface StatusFault {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
  /** Also sent as the `Retry-After` header, seconds. */
  readonly retryAfterSeconds?: number;
}

// Reason and message per code: the catalogue of api-server §1.20 where it does not depend on the object.
const defaults: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  401: ["Unauthorized", "Unauthorized"],
  403: ["Forbidden", "forbidden"],
  404: ["NotFound", "the server could not find the requested resource"],
  409: [
    "Conflict",
    "the object has been modified; please apply your changes to the latest version and try again",
  ],
  410: ["Expired", "The resourceVersion for the provided watch is too old."],
  429: [
    "TooManyRequests",
    "the server has received too many requests and has asked us to try again later",
  ],
  500: ["InternalError", "Internal error occurred: a fault was injected"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: ["Timeout", "request did not complete within the allotted timeout"],
};

/** The Status as JSON. */
export function statusObject(fault: StatusFault): JsonObject {
  const [reason, message] = defaults[fault.code] ?? ["", "a fault was injected"];
  const retry =
    fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds };
  const details = { ...fault.details, ...retry };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: fault.message ?? message,
    ...((fault.reason ?? reason) === "" ? {} : { reason: fault.reason ?? reason }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    code: fault.code,
  };
}

/** The Status as an answer. */
export function statusResponse(fault: StatusFault): Response {
  const headers = new Headers({
    "Cache-Control": "no-cache, private",
    "Content-Type": "application/json",
  });
  if (fault.retryAfterSeconds !== undefined) {
    headers.set("Retry-After", String(fault.retryAfterSeconds));
  }
  return new Response(`${JSON.stringify(statusObject(fault))}\n`, {
    status: fault.code,
    headers,
  });
}
