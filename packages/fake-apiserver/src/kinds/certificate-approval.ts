import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/field-error.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { objects, text } from "../base/read-fields.ts";
import { timestamp } from "../base/timestamp.ts";
import { forbidden, invalid } from "../validation/field-errors.ts";
import type { KindHost } from "./define-kind.ts";
import type { Creator, ResourceStrategy } from "./strategy.ts";

/** The conditions that only the approval endpoint changes. */
const decisions: ReadonlySet<string> = new Set(["Approved", "Denied"]);
const pemBlock = "-----BEGIN CERTIFICATE-----";

/** How requests for certificates are written: a request stays as it is, its status has two parts. */
export function requestStrategy({ clock }: Pick<KindHost, "clock">): ResourceStrategy {
  const now = (): string => timestamp(clock.now());
  return {
    prepareForCreate: (object, creator) =>
      creator === undefined ? object : withCreator(object, creator),
    prepareForUpdate: (object, stored) => {
      if (isJsonEqual(object["status"], stored["status"])) return object;
      const others = conditionsOf(object).filter((condition) => !isDecision(condition));
      const kept = conditionsOf(stored).filter(isDecision);
      return withConditions(object, [...kept, ...others], stored, now());
    },
    validateStatus: checkCertificate,
    subresourceUpdates: {
      approval: {
        take: (sent, stored) => {
          const conditions = conditionsOf(sent);
          const taken = { ...sent, spec: stored["spec"], status: stored["status"] };
          return withConditions(taken, conditions, stored, now());
        },
        validate: checkDecisions,
      },
    },
  };
}

// What a signer has to know is for the server to say.
function withCreator(object: ApiObject, { extra, groups, uid, username }: Creator): ApiObject {
  const {
    extra: _extra,
    groups: _groups,
    uid: _uid,
    username: _name,
    ...spec
  } = recordOf(object["spec"]);
  const known = { username, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
  return { ...object, spec: { ...spec, ...known } };
}

function conditionsOf(object: ApiObject): readonly JsonObject[] {
  return objects(object, "status", "conditions");
}

function isDecision(condition: JsonObject): boolean {
  return decisions.has(text(condition, "type"));
}

// The times of a condition are those of the last change, unless its writer says otherwise.
function withConditions(
  object: ApiObject,
  conditions: readonly JsonObject[],
  stored: ApiObject,
  now: string,
): ApiObject {
  const { conditions: _conditions, ...status } = recordOf(object["status"]);
  if (conditions.length === 0) return { ...object, status };
  const before = conditionsOf(stored);
  const timed = conditions.map((condition) => {
    const same = before.find(
      (one) => one["type"] === condition["type"] && one["status"] === condition["status"],
    );
    const { lastTransitionTime, lastUpdateTime, ...rest } = condition;
    return {
      ...rest,
      lastUpdateTime: lastUpdateTime ?? now,
      lastTransitionTime: lastTransitionTime ?? same?.["lastTransitionTime"] ?? now,
    };
  });
  return { ...object, status: { ...status, conditions: timed } };
}

// k8s.io/kubernetes pkg/apis/certificates/validation: `validateConditions`, and what an update of
// the approval may not do.
function checkDecisions(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const types = conditionsOf(object).map((condition) => text(condition, "type"));
  const first = types.findIndex((type) => decisions.has(type));
  for (const [index, type] of types.entries()) {
    if (index <= first || !decisions.has(type) || type === types[first]) continue;
    const field = `status.conditions[${index}].type`;
    errors.push(invalid(field, type, "Approved and Denied conditions are mutually exclusive"));
  }
  for (const condition of conditionsOf(stored).filter(isDecision)) {
    const type = text(condition, "type");
    if (types.includes(type)) continue;
    const detail = `updates may not remove a condition of type ${JSON.stringify(type)}`;
    errors.push(forbidden("status.conditions", detail));
  }
  return errors;
}

// The same package: `validateCertificate`; what is inside a block is not looked at.
function checkCertificate(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const certificate = text(object, "status", "certificate");
  const before = text(stored, "status", "certificate");
  if (certificate === "" || certificate === before) return [];
  const field = "status.certificate";
  if (before !== "")
    return [forbidden(field, "updates may not modify existing certificate content")];
  if (decoded(certificate).includes(pemBlock)) return [];
  const shown = "<certificate data>";
  return [invalid(field, shown, "must contain at least one CERTIFICATE PEM block")];
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}
