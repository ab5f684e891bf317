import { type JsonObject, isRecord } from "@listwatch/core-fifo/base";
import { invalid as invalidObject, type FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { UserInfo, AccessRequest } from "../api/access.ts";
import { noResource } from "../authorization/access-request.ts";
import { field, text, texts } from "../base/read-fields.ts";
import { invalid, invalidStruct } from "../validation/field-errors.ts";
import { selectorProblems } from "./selector-problems.ts";
import { readExtra, type ReviewCall } from "./review.ts";

/** Answers a SelfSubjectAccessReview. @throws {ApiError} 422 */
export function reviewOwnAccess(call: ReviewCall): Promise<JsonObject> {
  refuse([...checkAttributes(call.object), ...checkMetadata(call.object)]);
  return decide(call, call.user);
}

/** Answers a SubjectAccessReview. @throws {ApiError} 422 */
export function reviewAccess(call: ReviewCall): Promise<JsonObject> {
  const { object } = call;
  refuse([...checkAttributes(object), ...checkUser(object), ...checkMetadata(object)]);
  return decide(call, userOf(call.object));
}

/** Answers a LocalSubjectAccessReview. @throws {ApiError} 422 */
export function reviewLocalAccess(call: ReviewCall): Promise<JsonObject> {
  const { namespace, object } = call;
  const errors = [...checkAttributes(object), ...checkUser(object)];
  const { nonResourceAttributes, resourceAttributes } = attributesOf(object);
  const given = text(resourceAttributes, "namespace");
  if (resourceAttributes !== undefined && given !== namespace) {
    const path = "spec.resourceAttributes.namespace";
    errors.push(invalid(path, given, "must match metadata.namespace"));
  }
  if (nonResourceAttributes !== undefined) {
    const detail = "disallowed on this kind of request";
    errors.push(invalid("spec.nonResourceAttributes", nonResourceAttributes, detail));
  }
  refuse([...errors, ...checkMetadata(object)]);
  return decide(call, userOf(object));
}

async function decide({ access, object }: ReviewCall, user: UserInfo): Promise<JsonObject> {
  const { allowed, reason = "" } = await access.authorizer.authorize(requestOf(object, user));
  const evaluationError = selectorProblems(attributesOf(object).resourceAttributes);
  return {
    status: {
      allowed,
      ...(reason === "" ? {} : { reason }),
      ...(evaluationError === "" ? {} : { evaluationError }),
    },
  };
}

function requestOf(object: JsonObject, user: UserInfo): AccessRequest {
  const { nonResourceAttributes, resourceAttributes } = attributesOf(object);
  if (resourceAttributes === undefined) {
    const verb = text(nonResourceAttributes, "verb");
    return { ...noResource, user, verb, path: text(nonResourceAttributes, "path") };
  }
  const read = (name: string): string => text(resourceAttributes, name);
  return {
    user,
    verb: read("verb"),
    isResource: true,
    path: "",
    group: read("group"),
    version: read("version"),
    resource: read("resource"),
    subresource: read("subresource"),
    namespace: read("namespace"),
    name: read("name"),
  };
}

function attributesOf(object: JsonObject): {
  readonly resourceAttributes: JsonObject | undefined;
  readonly nonResourceAttributes: JsonObject | undefined;
} {
  const read = (name: string): JsonObject | undefined => {
    const value = field(object, "spec", name);
    return isRecord(value) ? value : undefined;
  };
  return {
    resourceAttributes: read("resourceAttributes"),
    nonResourceAttributes: read("nonResourceAttributes"),
  };
}

function userOf(object: JsonObject): UserInfo {
  const uid = text(object, "spec", "uid");
  return {
    username: text(object, "spec", "user"),
    groups: texts(object, "spec", "groups"),
    ...(uid === "" ? {} : { uid }),
    extra: readExtra(field(object, "spec", "extra")),
  };
}

// pkg/apis/authorization/validation.
function checkAttributes(object: JsonObject): FieldError[] {
  const { nonResourceAttributes, resourceAttributes } = attributesOf(object);
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    return [invalid("spec", null, detail)];
  }
  if (resourceAttributes === undefined || nonResourceAttributes === undefined) return [];
  const detail = "cannot be specified in combination with resourceAttributes";
  return [invalid("spec.nonResourceAttributes", nonResourceAttributes, detail)];
}

function checkUser(object: JsonObject): FieldError[] {
  const user = text(object, "spec", "user");
  if (user !== "" || texts(object, "spec", "groups").length > 0) return [];
  return [invalid("spec.user", user, "at least one of user or group must be specified")];
}

// Reviews are not stored, so they have no name. The namespace comes from the address.
function checkMetadata({ metadata }: ApiObject): FieldError[] {
  const { managedFields: _managed, namespace: _namespace, ...given } = metadata;
  if (Object.keys(given).length === 0) return [];
  const rest = metadata.namespace === undefined ? "" : " except for namespace";
  return [invalidStruct("metadata", "metav1.ObjectMeta", metadata, `must be empty${rest}`)];
}

// The real server omits the kind.
function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject("authorization.k8s.io", "", "", errors);
}
