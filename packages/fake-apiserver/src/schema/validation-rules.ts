import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { field, flag, objects, text } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { invalid, invalidShown, notSupported, required } from "../validation/field-errors.ts";
import { properties } from "./structural.ts";

const rulesKeyword = "x-kubernetes-validations";
const allowedReasons: readonly string[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** CEL names of types without fields. */
const celScalars: ReadonlyMap<string, string> = new Map([
  ["integer", "int"],
  ["number", "double"],
  ["boolean", "bool"],
  ["string", "string"],
]);

/**
 * Checks the CEL rules in a schema without CEL: their form, and that the fields they read of `self`
 * exist. Rules are never compiled or evaluated.
 */
export function validateRules(schema: JsonObject, path: string): readonly FieldError[] {
  const errors = objects(schema, rulesKeyword).flatMap((rule, index) =>
    checkRule(rule, schema, `${path}.${rulesKeyword}[${index}]`),
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

function checkRule(rule: JsonObject, schema: JsonObject, path: string): readonly FieldError[] {
  const form = checkForm(rule, path);
  if (form.length > 0) return form;
  const problem = selectionProblem(text(rule, "rule"), schema);
  if (problem === undefined) return [];
  return [invalidShown(`${path}.rule`, shownRule(rule), `compilation failed: ${problem}`)];
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

/** The CEL compiler's message for the first unknown field of `self`. */
function selectionProblem(rule: string, schema: JsonObject): string | undefined {
  // String literals are blanked out. Names with underscores may be escaped; calls are not fields.
  const code = rule.replaceAll(/'[^']*'|"[^"]*"/g, (literal) => " ".repeat(literal.length));
  for (const match of code.matchAll(/\bself\.([A-Za-z][A-Za-z0-9]*)\b(?!\s*\(|_)/g)) {
    const [, name = ""] = match;
    const problem = fieldProblem(name, schema);
    if (problem === undefined) continue;
    const column = match.index + "self".length;
    return `ERROR: <input>:1:${column + 1}: ${problem}\n | ${rule}\n | ${".".repeat(column)}^`;
  }
  return undefined;
}

function fieldProblem(name: string, schema: JsonObject): string | undefined {
  const type = text(schema, "type");
  const scalar = celScalars.get(type);
  if (scalar !== undefined) return `type '${scalar}' does not support field selection`;
  const isStruct = type === "object" && schema["additionalProperties"] === undefined;
  if (!isStruct || flag(schema, "x-kubernetes-embedded-resource")) return undefined;
  // Every object may have these, even if its schema does not name them.
  if (["apiVersion", "kind", "metadata"].includes(name)) return undefined;
  return field(schema, "properties", name) === undefined ? `undefined field '${name}'` : undefined;
}

/** Formats a rule like the server's internal type. */
function shownRule(rule: JsonObject): string {
  return JSON.stringify({
    Rule: text(rule, "rule"),
    Message: text(rule, "message"),
    MessageExpression: text(rule, "messageExpression"),
    Reason: rule["reason"] ?? null,
    FieldPath: text(rule, "fieldPath"),
    OptionalOldSelf: rule["optionalOldSelf"] ?? null,
  });
}
