import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { UserInfo } from "../api/access.ts";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text } from "../base/read-fields.ts";
import { timestamp } from "../base/server-clock.ts";
import { duplicate, forbidden, invalid, required } from "../validation/field-errors.ts";
import { checkWord } from "../validation/values.ts";
import type { KindHost } from "./define-kind.ts";
import type { ResourceStrategy } from "./strategy.ts";

/** The conditions that only the approval endpoint changes. */
const decisions: readonly string[] = ["Approved", "Denied"];
/** The conditions that are true and stay. */
const settled: readonly string[] = [...decisions, "Failed"];
const truths: readonly string[] = ["True", "False", "Unknown"];
const pemBlock = "-----BEGIN CERTIFICATE-----";

/** How requests for certificates are written: a request stays as it is, its status has two parts. */
export function requestStrategy({ clock }: Pick<KindHost, "clock">): ResourceStrategy {
  const now = (): string => timestamp(clock.now());
  return {
    prepareForCreate: (object, creator) =>
      creator === undefined ? object : withCreator(object, creator),
    prepareForUpdate: (object, stored) => {
      if (isJsonEqual(object["status"], stored["status"])) return object;
      return withConditions(object, withStoredDecisions(object, stored), stored, now());
    },
    validateStatus: (object, stored) => [
      ...checkConditions(object, stored),
      ...checkDecisions(object, stored),
      ...checkCertificate(object, stored),
    ],
    subresourceUpdates: {
      approval: {
        take: (sent, stored) => {
          const conditions = conditionsOf(sent);
          const taken = { ...sent, spec: stored["spec"], status: stored["status"] };
          return withConditions(taken, conditions, stored, now());
        },
        validate: checkConditions,
      },
    },
  };
}

// The server sets the data about the creator that a signer needs.
function withCreator(object: ApiObject, { extra, groups, uid, username }: UserInfo): ApiObject {
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

function conditionsOfType(object: ApiObject, type: string): readonly JsonObject[] {
  return conditionsOf(object).filter((condition) => text(condition, "type") === type);
}

// The decisions that are there stay as they are; what is added or left out is refused later. As
// pkg/registry/certificates/certificates/strategy.go, `preserveConditionInstances`.
function withStoredDecisions(object: ApiObject, stored: ApiObject): readonly JsonObject[] {
  return conditionsOf(object).map((condition) => {
    const type = text(condition, "type");
    const before = decisions.includes(type) ? conditionsOfType(stored, type) : [];
    const sent = conditionsOfType(object, type);
    const instance = before[sent.indexOf(condition)];
    return before.length === sent.length && instance !== undefined ? instance : condition;
  });
}

// The times of a condition are those of the last change, unless its writer sets them.
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

// k8s.io/kubernetes pkg/apis/certificates/validation: `validateConditions`, and what no update may
// remove.
function checkConditions(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const list = "status.conditions";
  const seen = new Set<string>();
  const errors = conditionsOf(object).flatMap((condition, index) => {
    const type = text(condition, "type");
    const status = text(condition, "status");
    const at = `${list}[${index}]`;
    const isWrong = settled.includes(type) && truths.includes(status) && status !== "True";
    const problems = type === "" ? [required(`${at}.type`)] : [];
    problems.push(...checkWord(`${at}.status`, status, isWrong ? ["True"] : truths, "required"));
    if (decisions.includes(type) && decisions.some((other) => other !== type && seen.has(other))) {
      problems.push(invalid(list, type, "Approved and Denied conditions are mutually exclusive"));
    }
    if (seen.has(type)) problems.push(duplicate(`${at}.type`, type));
    seen.add(type);
    return problems;
  });
  const removed = settled.filter((type) => added(type, object, stored) < 0);
  return [...errors, ...removed.map((type) => refuseChange("remove", type))];
}

// Outside of the approval.
function checkDecisions(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const made = decisions.filter((type) => added(type, object, stored) > 0);
  return made.map((type) => refuseChange("add", type));
}

function added(type: string, object: ApiObject, stored: ApiObject): number {
  return conditionsOfType(object, type).length - conditionsOfType(stored, type).length;
}

function refuseChange(verb: "add" | "remove", type: string): FieldError {
  const detail = `updates may not ${verb} a condition of type ${JSON.stringify(type)}`;
  return forbidden("status.conditions", detail);
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
