import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { badRequest } from "../api/errors.ts";
import type { PolicyRule } from "../authorization/policy-rule.ts";
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
  if (accepted === undefined) {
    // The server only sets the error, and leaves the rest of what was sent.
    const { authenticated: _sent, ...status } = recordOf(object["status"]);
    return { status: { user: {}, ...status, error: "invalid bearer token" } };
  }
  const { audiences, user } = accepted;
  return { status: { authenticated: true, user: userObject(user), audiences } };
}

/** Answers a SelfSubjectRulesReview. @throws {ApiError} 400 */
export function reviewRules({ access, object, user }: ReviewCall): JsonObject {
  const namespace = text(object, "spec", "namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  const { granted, problem } = access.authorizer.rulesOf(user, namespace);
  // The role of masters may be both built in and stored.
  const rules = granted
    .map(({ rule }) => rule)
    .filter((rule, index, all) => all.findIndex((one) => isJsonEqual(one, rule)) === index);
  return {
    metadata: {},
    // The real server does not return the spec.
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
        .map(({ nonResourceURLs, verbs }) => ({ verbs, nonResourceURLs })),
      incomplete: problem !== "",
      ...(problem === "" ? {} : { evaluationError: problem }),
    },
  };
}

function resourceRule({ apiGroups, resourceNames, resources, verbs }: PolicyRule): JsonObject {
  return {
    verbs,
    apiGroups,
    resources,
    ...(resourceNames.length === 0 ? {} : { resourceNames }),
  };
}
