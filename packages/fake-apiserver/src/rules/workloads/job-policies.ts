import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { goQuote } from "../../base/go-text.ts";
import { count, objects, repeatedIndexes, text } from "../../base/read-fields.ts";
import {
  duplicate,
  invalid,
  invalidAsWhole,
  invalidStruct,
  required,
  tooMany,
} from "../../validation/field-errors.ts";
import { checkQualifiedName } from "../../validation/names.ts";
import { checkListed, checkNotNegative, checkText } from "../../validation/values.ts";
import { parseIndexes } from "./job-indexes.ts";

// k8s.io/kubernetes pkg/apis/batch/validation.
const maxRules = 20;
const maxCodes = 255;
const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];

/** Checks the policy for failed pods of a job: `validatePodFailurePolicy`. */
export function checkFailurePolicy(field: string, spec: JsonObject): readonly FieldError[] {
  const rules = objects(spec, "podFailurePolicy", "rules");
  const template = recordOf(recordOf(spec["template"])["spec"]);
  const names = ["containers", "initContainers"].flatMap((list) =>
    objects(template, list).map((container) => text(container, "name")),
  );
  return [
    ...limitTo(`${field}.rules`, rules.length),
    ...rules.flatMap((rule, index) => checkRule(`${field}.rules[${index}]`, rule, spec, names)),
  ];
}

function limitTo(field: string, length: number): FieldError[] {
  return length > maxRules ? [tooMany(field, length, maxRules)] : [];
}

function checkRule(
  field: string,
  rule: JsonObject,
  spec: JsonObject,
  names: readonly string[],
): readonly FieldError[] {
  const { onExitCodes } = rule;
  const conditions = objects(rule, "onPodConditions");
  const errors = [
    ...checkAction(`${field}.action`, text(rule, "action"), spec),
    ...(isRecord(onExitCodes) ? checkCodes(`${field}.onExitCodes`, onExitCodes, names) : []),
    ...limitTo(`${field}.onPodConditions`, conditions.length),
    ...conditions.flatMap((condition, index) =>
      checkCondition(`${field}.onPodConditions[${index}]`, condition),
    ),
  ];
  const hasConditions = conditions.length > 0;
  if (isRecord(onExitCodes) !== hasConditions) return errors;
  const problem = hasConditions
    ? "specifying both OnExitCodes and OnPodConditions is not supported"
    : "specifying one of OnExitCodes and OnPodConditions is required";
  return [...errors, invalidAsWhole(field, problem)];
}

function checkAction(field: string, action: string, spec: JsonObject): FieldError[] {
  if (action === "FailIndex" && spec["backoffLimitPerIndex"] === undefined) {
    return [invalid(field, action, "requires the backoffLimitPerIndex to be set")];
  }
  return checkWordOf(field, action, actions);
}

// The error for a missing word lists the allowed ones like Go prints a list.
function checkWordOf(field: string, word: string, words: readonly string[]): FieldError[] {
  if (word !== "") return checkListed(field, word, words);
  return [required(field, `valid values: [${words.map(goQuote).join(" ")}]`)];
}

function checkCondition(field: string, condition: JsonObject): readonly FieldError[] {
  return [
    ...checkText(`${field}.type`, text(condition, "type"), checkQualifiedName),
    ...checkWordOf(`${field}.status`, text(condition, "status"), statuses),
  ];
}

function checkCodes(
  field: string,
  requirement: JsonObject,
  names: readonly string[],
): readonly FieldError[] {
  const operator = text(requirement, "operator");
  const { containerName, values } = requirement;
  const errors = checkWordOf(`${field}.operator`, operator, operators);
  if (typeof containerName === "string" && !names.includes(containerName)) {
    const problem = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(`${field}.containerName`, containerName, problem));
  }
  const codes = Array.isArray(values) ? values.filter((one) => typeof one === "number") : [];
  const at = `${field}.values`;
  if (codes.length === 0)
    errors.push(invalid(at, values ?? null, "at least one value is required"));
  if (codes.length > maxCodes) errors.push(tooMany(at, codes.length, maxCodes));
  const repeated = repeatedIndexes(codes);
  for (const [index, code] of codes.entries()) {
    if (operator === "In" && code === 0) {
      errors.push(invalid(`${at}[${index}]`, code, "must not be 0 for the In operator"));
    }
    if (repeated.has(index)) errors.push(duplicate(`${at}[${index}]`, code));
  }
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? code) <= code);
  return isOrdered ? errors : [...errors, invalid(at, codes, "must be ordered")];
}

/** When an indexed job has succeeded: `validateSuccessPolicy`. */
export function checkSuccessPolicy(field: string, spec: JsonObject): readonly FieldError[] {
  const policy = recordOf(spec["successPolicy"]);
  if (spec["completionMode"] !== "Indexed") {
    return [invalidStruct(field, "SuccessPolicy", policy, "requires indexed completion mode")];
  }
  const rules = objects(policy, "rules");
  const at = `${field}.rules`;
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    return [required(at, detail)];
  }
  return [
    ...limitTo(at, rules.length),
    ...rules.flatMap((rule, index) =>
      checkSuccessRule(`${at}[${index}]`, rule, count(spec, "completions")),
    ),
  ];
}

function checkSuccessRule(
  field: string,
  rule: JsonObject,
  completions: number,
): readonly FieldError[] {
  const { succeededCount, succeededIndexes } = rule;
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined) {
    const detail = "at least one of succeededCount or succeededIndexes must be specified";
    errors.push(required(field, detail));
  }
  let total: number | undefined;
  if (typeof succeededIndexes === "string") {
    const indexes = parseIndexes(succeededIndexes, completions);
    total = indexes.problem === undefined ? indexes.total : 0;
    if (indexes.problem !== undefined) {
      const problem = `error parsing succeededIndexes: ${indexes.problem}`;
      errors.push(invalid(`${field}.succeededIndexes`, succeededIndexes, problem));
    }
  }
  if (typeof succeededCount !== "number") return errors;
  const at = `${field}.succeededCount`;
  errors.push(...checkNotNegative(at, succeededCount));
  const limit = (most: number, what: string): void => {
    if (succeededCount <= most) return;
    errors.push(invalid(at, succeededCount, `must be less than or equal to ${most} (${what})`));
  };
  limit(completions, "the number of specified completions");
  if (total !== undefined) {
    limit(total, "the number of indexes in the specified succeededIndexes field");
  }
  return errors;
}
