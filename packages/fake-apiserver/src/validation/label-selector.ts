import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { forbidden, invalid, required } from "./field-errors.ts";
import { checkLabelValue, checkQualifiedName } from "./names.ts";
import { checkText } from "./values.ts";

/** Checks the keys and values of a map of labels. */
export function checkLabels(field: string, labels: unknown): FieldError[] {
  if (!isRecord(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => checkLabel(field, key, value));
}

function checkLabel(field: string, key: string, value: unknown): FieldError[] {
  const errors = checkText(field, key, checkQualifiedName);
  if (typeof value === "string") errors.push(...checkText(field, value, checkLabelValue));
  return errors;
}

/** Checks a label selector in an object: `matchLabels` and `matchExpressions`. */
export function checkLabelSelector(field: string, selector: unknown): FieldError[] {
  if (!isRecord(selector)) return [];
  const expressions = objects(selector, "matchExpressions").flatMap((expression, index) =>
    checkExpression(`${field}.matchExpressions[${index}]`, expression),
  );
  return [...checkLabels(`${field}.matchLabels`, selector["matchLabels"]), ...expressions];
}

function checkExpression(field: string, expression: JsonObject): FieldError[] {
  const key = text(expression, "key");
  const values = texts(expression, "values");
  return [
    ...checkOperator(field, text(expression, "operator"), values.length),
    ...checkText(`${field}.key`, key, checkQualifiedName),
    ...values.flatMap((value, index) =>
      checkText(`${field}.values[${index}]`, value, checkLabelValue),
    ),
  ];
}

function checkOperator(field: string, operator: string, values: number): FieldError[] {
  if (operator === "In" || operator === "NotIn") {
    if (values > 0) return [];
    return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    if (values === 0) return [];
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [forbidden(`${field}.values`, detail)];
  }
  return [invalid(`${field}.operator`, operator, "not a valid selector operator")];
}
