import type { JsonObject } from "@listwatch/core-fifo/base";
import { badRequest } from "../api/errors.ts";
import { text, texts } from "../base/read-fields.ts";
import { type ReviewCall, userObject } from "./review.ts";

/** Answers a SelfSubjectReview: `kubectl auth whoami`. */
export function reviewSelf({ now, user }: ReviewCall): JsonObject {
  return { metadata: { creationTimestamp: now }, status: { userInfo: userObject(user) } };
}

/** Answers a TokenReview. @throws {ApiError} 400 */
export async function reviewToken({ access, object }: ReviewCall): Promise<JsonObject> {
  const token = text(object, "spec", "token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const wanted = texts(object, "spec", "audiences");
  const accepted = await access.authenticator.review(token, wanted);
  if (accepted === undefined) return { status: { user: {}, error: "invalid bearer token" } };
  const { audiences, user } = accepted;
  return { status: { authenticated: true, user: userObject(user), audiences } };
}
