import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { objects, text } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { invalid, notSupported, required } from "../validation/field-errors.ts";
import { properties } from "./structural.ts";

const rulesKeyword = "x-kubernetes-validations";
const allowedReasons: readonly string[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** Checks the form of the rules in a schema, without compiling them. */
export function validateRules(schema: JsonObject, path: string): readonly FieldError[] {
  const errors = objects(schema, rulesKeyword).flatMap((rule, index) =>
    checkForm(rule, `${path}.${rulesKeyword}[${index}]`),
  );
  const { items, additionalProperties } = {
    items: undefined,
    additionalProperties: undefined,
    ...schema,
  };
  if (isRecord(items)) errors.push(...validateRules(items, `${path}.items`));
  if (isRecord(additionalProperties)) {
    errors.push(...validateRules(additionalProperties, `${path}.additionalProperties`));
  }
  for (const [name, property] of properties(schema)) {
    errors.push(...validateRules(property, `${path}.properties[${name}]`));
  }
  return errors;
}

function checkForm(rule: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const expression = text(rule, "rule").trim();
  const message = text(rule, "message");
  if (expression === "") errors.push(required(`${path}.rule`, "rule is not specified"));
  else if (message !== "" && message.trim() === "") {
    errors.push(invalid(`${path}.message`, message, "must be non-empty if specified"));
  } else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalid(`${path}.message`, message, "must not contain line breaks"));
  } else if (/[\n\r]/.test(expression) && message.trim() === "") {
    const detail = "message must be specified if rule contains line breaks";
    errors.push(required(`${path}.message`, detail));
  }
  const reason = rule["reason"];
  const isAllowed = typeof reason === "string" && allowedReasons.includes(reason);
  if (reason !== undefined && !isAllowed) {
    errors.push(notSupported(`${path}.reason`, reason, allowedReasons));
  }
  const fieldPath = text(rule, "fieldPath");
  if (fieldPath !== "" && fieldPath.trim() === "") {
    errors.push(invalid(`${path}.fieldPath`, fieldPath, "must be non-empty if specified"));
  }
  return errors;
}
