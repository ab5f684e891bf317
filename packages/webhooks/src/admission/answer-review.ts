import {
  describeError,
  describeValue,
  FailureLog,
  isInstance,
  isRecord,
  type JsonObject,
  stringOf,
  systemClock,
  withTimeLimit,
} from "@listwatch/core-fifo/base";
import type { JsonPatch } from "@listwatch/client";
import { BadReviewError } from "../review/bad-review-error.ts";
import { readReview, type ReviewType } from "../review/read-review.ts";
import { badReviewResponse, reviewResponse } from "../review/responses.ts";
import { timeLimitOf } from "../review/time-limit.ts";
import type { ReviewRequest } from "./admission-request.ts";
import { Decision, openReview, type OpenReview } from "./review.ts";
import {
  defaultMaxBodyBytes,
  defaultTimeoutMarginMs,
  type WebhookHandlerOptions,
} from "./webhook-options.ts";

const reviewType: ReviewType = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };

// k8s.io/api, admission/v1 `AdmissionRequest`: the operations that have each object.
const operationsWith: Readonly<Record<string, readonly string[]>> = {
  object: ["CREATE", "UPDATE"],
  oldObject: ["UPDATE", "DELETE"],
};

/** The part of a handler that differs between kinds of handlers. */
export interface Reviewer {
  /** Name in reports. */
  readonly name: string;
  /**
   * Refuses requests of other resources and operations.
   *
   * @throws {BadReviewError}
   */
  check(request: ReviewRequest): void;
  /** Decides, and returns the patch of the object. */
  decide(open: OpenReview): Promise<JsonPatch | undefined>;
}

/** Creates the function that answers requests with a reviewer. */
export function answerWith(
  reviewer: Reviewer,
  options: WebhookHandlerOptions,
): (request: Request) => Promise<Response> {
  const { clock = systemClock, maxBodyBytes = defaultMaxBodyBytes } = options;
  const { timeoutMarginMs = defaultTimeoutMarginMs } = options;
  const report = errorReport(reviewer.name, options);
  return async (request) => {
    let uid: string;
    let review: ReviewRequest;
    try {
      ({ uid, review } = await readAdmissionReview(request, maxBodyBytes));
      reviewer.check(review);
    } catch (error) {
      report(error);
      return badReviewResponse(
        isInstance(error, BadReviewError)
          ? error
          : new BadReviewError("a complete body", describeError(error)),
      );
    }
    const limitMs = timeLimitOf(request.url, timeoutMarginMs);
    try {
      const { signal } = request;
      return await withTimeLimit({ clock, limitMs, signal }, async (limited) => {
        const open = openReview(review, limited);
        const patch = await reviewer.decide(open);
        return reviewResponse(reviewType, {
          uid,
          ...open.decision.toResponse(),
          ...patched(patch),
        });
      });
    } catch (error) {
      report(error);
      return reviewResponse(reviewType, { uid, ...refusalOf(error) });
    }
  };
}

/** Reports an error to the hook, or to the log. */
export function errorReport(
  name: string,
  { clock, log, onError }: WebhookHandlerOptions,
): (error: unknown) => void {
  const failures = new FailureLog({ log, clock, fields: { webhook: name } });
  return (error) => {
    if (onError === undefined) failures.report({ subject: "Review", error });
    else onError(error);
  };
}

async function readAdmissionReview(
  request: Request,
  maxBodyBytes: number,
): Promise<{ uid: string; review: ReviewRequest }> {
  const { request: review, uid } = await readReview(request, reviewType, maxBodyBytes);
  for (const member of ["kind", "resource", "userInfo"]) {
    if (isRecord(review[member])) continue;
    throw new BadReviewError(`an object as request.${member}`, describeValue(review[member]));
  }
  for (const [member, operations] of Object.entries(operationsWith)) {
    const { [member]: object, operation } = review;
    if (!operations.includes(stringOf(operation)) || isRecord(object)) continue;
    const expected = `an object as request.${member} of the operation ${stringOf(operation)}`;
    throw new BadReviewError(expected, describeValue(object));
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { uid, review: review as unknown as ReviewRequest };
}

// A refusal: an error is an answer, so that the failure policy does not apply to it.
function refusalOf(error: unknown): JsonObject {
  const decision = new Decision();
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  const message = `The webhook failed: ${describeError(error)}`;
  decision.deny(message, { code: isLate ? 504 : 500 });
  return decision.toResponse();
}

function patched(patch: JsonPatch | undefined): JsonObject {
  if (patch === undefined || patch.length === 0) return {};
  return { patchType: "JSONPatch", patch: encodeBase64(JSON.stringify(patch)) };
}

// By parts: a call has a limited number of arguments.
function encodeBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const partLength = 0x8000;
  let binary = "";
  for (let start = 0; start < bytes.length; start += partLength) {
    binary += String.fromCharCode(...bytes.subarray(start, start + partLength));
  }
  return btoa(binary);
}
