import type { JsonObject } from "@listwatch/core-fifo/base";
import type { BadReviewError } from "./bad-review-error.ts";
import type { ReviewType } from "./read-review.ts";

/** The answer to a review: the same type, with a response instead of the request. */
export function reviewResponse({ apiVersion, kind }: ReviewType, response: JsonObject): Response {
  return Response.json({ apiVersion, kind, response });
}

/** The answer to what cannot be reviewed. */
export function badReviewResponse({ message }: BadReviewError): Response {
  return statusResponse(400, "BadRequest", message);
}

/** A Status, which shows as the reason of a failed call in the message of the API server. */
export function statusResponse(
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message, reason, code };
  return Response.json(status, { status: code, headers });
}
