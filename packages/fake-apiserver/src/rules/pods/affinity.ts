import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, objects, text, texts } from "../../base/read-fields.ts";
import { forbidden, invalid, required } from "../../validation/field-errors.ts";
import { checkLabelSelector } from "../../validation/label-selector.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
} from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
const preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

/** Where a pod wants to run: the nodes, and the pods it wants next to it or far from it. */
export function checkAffinity(field: string, affinity: JsonObject): readonly FieldError[] {
  return [
    ...checkNodeAffinity(`${field}.nodeAffinity`, recordOf(affinity["nodeAffinity"])),
    ...checkPodAffinity(`${field}.podAffinity`, recordOf(affinity["podAffinity"])),
    ...checkPodAffinity(`${field}.podAntiAffinity`, recordOf(affinity["podAntiAffinity"])),
  ];
}

function checkNodeAffinity(field: string, affinity: JsonObject): readonly FieldError[] {
  const preferred = objects(affinity, preferredTerms).flatMap((term, index) => {
    const at = `${field}.${preferredTerms}[${index}]`;
    const preference = recordOf(term["preference"]);
    return checkWeight(at, term).concat(checkNodeTerm(`${at}.preference`, preference, false));
  });
  return [...checkNodeSelector(`${field}.${requiredTerms}`, affinity[requiredTerms]), ...preferred];
}

/** Checks a selector of nodes that something is on, or may be on. */
export function checkNodeSelector(field: string, selector: unknown): readonly FieldError[] {
  if (!isRecord(selector)) return [];
  const terms = objects(selector, "nodeSelectorTerms");
  const at = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, index) => checkNodeTerm(`${at}[${index}]`, term, true));
}

function checkWeight(at: string, term: JsonObject): readonly FieldError[] {
  const weight = count(term, "weight");
  if (weight > 0 && weight <= 100) return [];
  return [invalid(`${at}.weight`, weight, "must be in the range 1-100")];
}

// A preference of values that no label can have harms nothing.
function checkNodeTerm(at: string, term: JsonObject, checksValues: boolean): readonly FieldError[] {
  return [
    ...objects(term, "matchExpressions").flatMap((expression, index) =>
      checkNodeExpression(`${at}.matchExpressions[${index}]`, expression, checksValues),
    ),
    ...objects(term, "matchFields").flatMap((expression, index) =>
      checkNodeField(`${at}.matchFields[${index}]`, expression),
    ),
  ];
}

function checkNodeExpression(
  at: string,
  expression: JsonObject,
  checksValues: boolean,
): readonly FieldError[] {
  const values = texts(expression, "values");
  const errors: FieldError[] = [
    ...checkNodeOperator(at, text(expression, "operator"), values.length),
    ...checkText(`${at}.key`, text(expression, "key"), checkQualifiedName),
  ];
  if (!checksValues) return errors;
  for (const [index, value] of values.entries()) {
    errors.push(...checkText(`${at}.values[${index}]`, value, checkLabelValue));
  }
  return errors;
}

function checkNodeOperator(at: string, operator: string, values: number): readonly FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values > 0) return [];
      return [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      if (values === 0) return [];
      return [
        forbidden(
          `${at}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
    case "Gt":
    case "Lt":
      if (values === 1) return [];
      return [
        required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
      ];
    default:
      return [invalid(`${at}.operator`, operator, "not a valid selector operator")];
  }
}

function checkNodeField(at: string, expression: JsonObject): readonly FieldError[] {
  const key = text(expression, "key");
  const operator = text(expression, "operator");
  const values = texts(expression, "values");
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalid(`${at}.operator`, operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const problem =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${at}.values`, problem));
  }
  if (key !== "metadata.name") {
    return [...errors, invalid(`${at}.key`, key, "not a valid field selector key")];
  }
  for (const [index, value] of values.entries()) {
    errors.push(...checkText(`${at}.values[${index}]`, value, checkDnsSubdomain));
  }
  return errors;
}

function checkPodAffinity(field: string, affinity: JsonObject): readonly FieldError[] {
  return [
    ...objects(affinity, requiredTerms).flatMap((term, index) =>
      checkPodTerm(`${field}.${requiredTerms}[${index}]`, term),
    ),
    ...objects(affinity, preferredTerms).flatMap((term, index) => {
      const at = `${field}.${preferredTerms}[${index}]`;
      const inner = recordOf(term["podAffinityTerm"]);
      return checkWeight(at, term).concat(checkPodTerm(`${at}.podAffinityTerm`, inner));
    }),
  ];
}

function checkPodTerm(at: string, term: JsonObject): readonly FieldError[] {
  const topologyKey = text(term, "topologyKey");
  return [
    ...checkLabelSelector(`${at}.labelSelector`, term["labelSelector"]),
    ...checkLabelSelector(`${at}.namespaceSelector`, term["namespaceSelector"]),
    ...texts(term, "namespaces").flatMap((name) =>
      checkText(`${at}.namespace`, name, checkDnsLabel),
    ),
    ...(topologyKey === "" ? [required(`${at}.topologyKey`, "can not be empty")] : []),
    ...checkText(`${at}.topologyKey`, topologyKey, checkQualifiedName),
  ];
}
