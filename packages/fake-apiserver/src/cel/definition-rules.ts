import type { FieldError } from "../api/errors.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { text } from "../base/read-fields.ts";
import { invalid, invalidShown, required } from "../validation/field-errors.ts";
import { type CompiledRule, rulesOf } from "./compiled-rules.ts";
import type { Compiled } from "./compile.ts";
import { isEmbedded, kindOf, propertyOf } from "./declared-types.ts";

/** Reports the rules of a definition that do not compile, or that cannot have an old value. */
export function checkDefinition(schema: JsonSchema, path: string): readonly FieldError[] {
  return checkNode(schema, path, true, undefined);
}

function checkNode(
  schema: JsonSchema,
  path: string,
  isRoot: boolean,
  uncorrelatable: string | undefined,
): readonly FieldError[] {
  const given = (schema["x-kubernetes-validations"] ?? []).filter(isRecord);
  const errors: FieldError[] = [];
  const isTyped = kindOf(schema) !== "none";
  if (given.length > 0 && !isTyped) errors.push(untyped(path));
  for (const [index, rule] of rulesOf(schema, schema, isRoot).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    if (isTyped) errors.push(...checkRule(rule, given[index] ?? {}, at, uncorrelatable));
    errors.push(...checkFieldPath(rule, schema, at));
  }
  const { additionalProperties, items, properties = {} } = schema;
  if (items !== undefined) {
    const isMap = schema["x-kubernetes-list-type"] === "map";
    const within = uncorrelatable ?? (isMap ? undefined : path);
    errors.push(...checkNode(items, `${path}.items`, isEmbedded(items), within));
  }
  if (typeof additionalProperties === "object") {
    const nested = `${path}.additionalProperties`;
    errors.push(
      ...checkNode(additionalProperties, nested, isEmbedded(additionalProperties), uncorrelatable),
    );
  }
  for (const [name, property] of Object.entries(properties)) {
    const nested = `${path}.properties[${name}]`;
    errors.push(...checkNode(property, nested, isEmbedded(property), uncorrelatable));
  }
  return errors;
}

/** The rules of a node whose type expressions cannot see, such as one without a type. */
function untyped(path: string): FieldError {
  const problem = "failed to retrieve type information for x-kubernetes-validations";
  return {
    reason: "InternalError",
    field: `${path}.x-kubernetes-validations`,
    message: `Internal error: internal error: ${problem}`,
  };
}

function checkRule(
  rule: CompiledRule,
  given: JsonObject,
  path: string,
  uncorrelatable: string | undefined,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const shown = shownRule(given);
  if (rule.rule.trim() === "") return errors;
  const problem = compileDetail(rule.condition, "bool", "cel expression must evaluate to a bool");
  if (problem !== undefined) errors.push(invalidShown(`${path}.rule`, shown, problem));
  const { messageExpression, messageProgram } = rule;
  if (messageProgram !== undefined) {
    if (messageExpression.trim() === "") {
      errors.push(required(`${path}.messageExpression`, "must be non-empty if specified"));
    } else {
      const detail = compileDetail(
        messageProgram,
        "string",
        "messageExpression must evaluate to a string",
      );
      const named = detail?.replace(/^compilation failed/, "messageExpression compilation failed");
      if (named !== undefined) errors.push(invalidShown(`${path}.messageExpression`, shown, named));
    }
  }
  if (rule.isTransition && uncorrelatable !== undefined) {
    const place = `the uncorrelatable portion of the schema within ${uncorrelatable}`;
    const detail = `oldSelf cannot be used on ${place}`;
    errors.push(invalid(`${path}.rule`, rule.rule, detail));
  }
  if (given["optionalOldSelf"] !== undefined && !rule.isTransition && problem === undefined) {
    const detail = "may not be set if oldSelf is not used in rule";
    errors.push(invalid(`${path}.optionalOldSelf`, given["optionalOldSelf"], detail));
  }
  return errors;
}

function compileDetail(compiled: Compiled, wanted: string, otherwise: string): string | undefined {
  if (compiled.program === undefined) {
    return compiled.isUnsupported ? undefined : `compilation failed: ${compiled.problem}`;
  }
  return compiled.type === wanted || compiled.type === "dyn" ? undefined : otherwise;
}

function checkFieldPath(
  rule: CompiledRule,
  schema: JsonSchema,
  path: string,
): readonly FieldError[] {
  const { fieldPath } = rule;
  if (fieldPath === "") return [];
  const field = `${path}.fieldPath`;
  if (fieldPath.trim() === "") return [];
  if (/[\n\r]/.test(fieldPath)) return [invalid(field, fieldPath, "must not contain line breaks")];
  const steps = [...fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/gy)];
  const isWhole = steps.map(([all]) => all).join("") === fieldPath;
  let at: JsonSchema | undefined = schema;
  for (const [, plain, quoted] of steps) {
    const name = plain ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1");
    const values: JsonSchema | boolean | undefined = at?.additionalProperties;
    at = propertyOf(at, name) ?? (typeof values === "object" ? values : undefined);
  }
  if (isWhole && at !== undefined) return [];
  const detail = `fieldPath must be a valid path: does not refer to a valid field`;
  return [invalid(field, fieldPath, detail)];
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
  }).replaceAll(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
