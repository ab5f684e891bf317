import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, text } from "../../base/read-fields.ts";
import { duplicate, invalid, required } from "../../validation/field-errors.ts";
import { checkLabelSelector } from "../../validation/label-selector.ts";
import { checkLabelValue, checkQualifiedName } from "../../validation/names.ts";
import { checkChoice, checkListed, checkText } from "../../validation/values.ts";

/** The taints a pod tolerates. */
export function checkTolerations(
  field: string,
  tolerations: readonly JsonObject[],
): readonly FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = `${field}[${index}]`;
    const effect = text(toleration, "effect");
    const key = text(toleration, "key");
    const operator = text(toleration, "operator");
    const errors: FieldError[] = [];
    if (key !== "") errors.push(...checkText(`${at}.key`, key, checkQualifiedName));
    else if (operator !== "Exists") {
      errors.push(invalid(`${at}.operator`, operator, keylessProblem));
    }
    if (toleration["tolerationSeconds"] !== undefined && effect !== "NoExecute") {
      const problem = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(`${at}.effect`, effect, problem));
    }
    errors.push(...checkOperator(`${at}.operator`, operator, text(toleration, "value")));
    if (effect !== "") errors.push(...checkListed(`${at}.effect`, effect, effects));
    return errors;
  });
}

const keylessProblem =
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';
const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function checkOperator(field: string, operator: string, value: string): readonly FieldError[] {
  if (operator === "" || operator === "Equal") {
    const problems = checkLabelValue(value);
    return problems.length === 0 ? [] : [invalid(field, value, problems.join(";"))];
  }
  if (operator !== "Exists") return checkListed(field, operator, ["Equal", "Exists"]);
  if (value === "") return [];
  return [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
}

/** Checks the gates that a pod waits for before it is scheduled. */
export function checkGates(field: string, gates: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap((gate, index) => {
    const name = text(gate, "name");
    const at = `${field}[${index}]`;
    const errors: FieldError[] = checkText(at, name, checkQualifiedName);
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    return errors;
  });
}

const actions = ["DoNotSchedule", "ScheduleAnyway"];

/** How evenly pods are spread over parts of the cluster. */
export function checkSpreading(
  field: string,
  constraints: readonly JsonObject[],
): readonly FieldError[] {
  const pairs = constraints.map(pairOf);
  return constraints.flatMap((constraint, index) => {
    const at = `${field}[${index}]`;
    const key = text(constraint, "topologyKey");
    const action = text(constraint, "whenUnsatisfiable");
    const pair = pairOf(constraint);
    const errors: FieldError[] = [
      ...checkSkew(at, constraint),
      ...(key === "" ? [required(`${at}.topologyKey`, "can not be empty")] : []),
      ...checkListed(`${at}.whenUnsatisfiable`, action, actions),
      ...checkLabelSelector(`${at}.labelSelector`, constraint["labelSelector"]),
    ];
    for (const name of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      errors.push(...checkChoice(`${at}.${name}`, constraint[name], ["Honor", "Ignore"]));
    }
    // The server names the first of two.
    if (pairs.includes(pair, index + 1)) {
      errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    }
    return errors;
  });
}

function pairOf(constraint: JsonObject): string {
  return `{${text(constraint, "topologyKey")}, ${text(constraint, "whenUnsatisfiable")}}`;
}

function checkSkew(at: string, constraint: JsonObject): readonly FieldError[] {
  const maxSkew = count(constraint, "maxSkew");
  const { minDomains } = constraint;
  const errors: FieldError[] = [];
  if (maxSkew <= 0) errors.push(invalid(`${at}.maxSkew`, maxSkew, "must be greater than zero"));
  if (typeof minDomains !== "number") return errors;
  if (minDomains <= 0) {
    errors.push(invalid(`${at}.minDomains`, minDomains, "must be greater than 0"));
  }
  if (constraint["whenUnsatisfiable"] !== "DoNotSchedule") {
    const condition = "can only use minDomains if whenUnsatisfiable=DoNotSchedule";
    const problem = `${condition}, not ${text(constraint, "whenUnsatisfiable")}`;
    errors.push(invalid(`${at}.minDomains`, minDomains, problem));
  }
  return errors;
}
