import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, text } from "../../base/read-fields.ts";
import { required, tooMany } from "../../validation/field-errors.ts";
import { checkListed } from "../../validation/values.ts";

const policies = ["Always", "Never", "OnFailure"];
const actions = ["Restart", "RestartAllContainers"];
const operators = ["In", "NotIn"];
const maxRules = 20;
const maxCodes = 255;

/**
 * When a container is started again (pkg/apis/core/validation, `validateContainerRestartPolicy`).
 *
 * @param at the path of the container
 */
export function checkRestartPolicy(at: string, container: JsonObject): readonly FieldError[] {
  const { restartPolicy } = container;
  const rules = objects(container, "restartPolicyRules");
  const field = `${at}.restartPolicyRules`;
  const errors: FieldError[] = [];
  if (restartPolicy !== undefined) {
    errors.push(...checkListed(`${at}.restartPolicy`, restartPolicy, policies));
  } else if (rules.length > 0) {
    const detail = "must specify restartPolicy when restart rules are used";
    errors.push(required(`${at}.restartPolicy`, detail));
  }
  if (rules.length > maxRules) errors.push(tooMany(field, rules.length, maxRules));
  return [...errors, ...rules.flatMap((rule, index) => checkRule(`${field}[${index}]`, rule))];
}

function checkRule(field: string, rule: JsonObject): readonly FieldError[] {
  const errors = checkListed(`${field}.action`, text(rule, "action"), actions);
  const { exitCodes } = rule;
  if (!isRecord(exitCodes)) return [...errors, required(`${field}.exitCodes`, "must be specified")];
  const codes = exitCodes["values"];
  const count = Array.isArray(codes) ? codes.length : 0;
  return [
    ...errors,
    ...checkListed(`${field}.exitCodes.operator`, text(exitCodes, "operator"), operators),
    ...(count > maxCodes ? [tooMany(`${field}.exitCodes.values`, count, maxCodes)] : []),
  ];
}
