import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { objects, setMember, text } from "../base/read-fields.ts";
import { expressionChecker } from "../cel/rule-engine.ts";
import type { ExpressionScope, ResultTypes } from "../cel/rules.ts";
import { duplicate, invalid, required, tooMany } from "../validation/field-errors.ts";
import { checkQualifiedName } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";

// k8s.io/kubernetes pkg/apis/admissionregistration/validation: `validateMatchConditions`.
const mostConditions = 64;

/**
 * Checks that an expression compiles, if the compiler is loaded: it is with the first request that
 * writes an expression.
 *
 * @param shown the expression in the error. @default the compiled one
 */
export function checkExpression(
  field: string,
  expression: string,
  scope: ExpressionScope,
  results?: ResultTypes,
  shown: string = expression,
): readonly FieldError[] {
  const problem = expressionChecker()?.problemOf(expression, scope, results);
  return problem === undefined ? [] : [invalid(field, shown, problem)];
}

/** Checks the `matchConditions` of a policy or a webhook. */
export function checkMatchConditions(
  field: string,
  holder: JsonObject,
  hasParams: boolean,
): readonly FieldError[] {
  const conditions = objects(holder, "matchConditions");
  const names = new Set<string>();
  const errors = conditions.flatMap((condition, index) => {
    const at = `${field}[${index}]`;
    const name = text(condition, "name");
    const expression = text(condition, "expression").trim();
    const scope = { hasParams, hasAuthorizer: true };
    const found = [
      ...(expression === ""
        ? [required(`${at}.expression`)]
        : checkExpression(`${at}.expression`, expression, scope, ["bool"])),
      ...(name === ""
        ? [required(`${at}.name`)]
        : checkText(`${at}.name`, name, checkQualifiedName)),
    ];
    if (name !== "" && names.has(name)) found.push(duplicate(`${at}.name`, name));
    names.add(name);
    return found;
  });
  return conditions.length > mostConditions
    ? [tooMany(field, conditions.length, mostConditions), ...errors]
    : errors;
}

/** Whether conditions and parameters are those of a stored object: they are not checked again. */
export function hasSameConditions(holder: JsonObject, stored: JsonObject): boolean {
  return (
    isJsonEqual(holder["paramKind"] ?? null, stored["paramKind"] ?? null) &&
    isJsonEqual(objects(holder, "matchConditions"), objects(stored, "matchConditions"))
  );
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved =
  /^(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

/** Checks the variables of a policy; returns the scope of the expressions after them. */
export function checkVariables(spec: JsonObject): {
  readonly errors: readonly FieldError[];
  readonly scope: ExpressionScope;
} {
  const hasParams = isRecord(spec["paramKind"]);
  const base = { hasParams, hasAuthorizer: true };
  const given = objects(spec, "variables");
  const types: Record<string, string> = {};
  const errors = given.flatMap((variable, index) => {
    const at = `spec.variables[${index}]`;
    const name = text(variable, "name");
    const expression = text(variable, "expression");
    const found: FieldError[] = [];
    if (name.trim() === "") found.push(required(`${at}.name`, "name is not specified"));
    else if (!identifier.test(name) || reserved.test(name)) {
      found.push(invalid(`${at}.name`, name, "must be a valid CEL identifier"));
    }
    if (expression.trim() === "") {
      return [...found, required(`${at}.expression`, "expression is not specified")];
    }
    const scope = { ...base, variables: { ...types } };
    found.push(...checkExpression(`${at}.expression`, expression, scope));
    setMember(types, name, expressionChecker()?.typeOf(expression, scope) ?? "dyn");
    return found;
  });
  return { errors, scope: given.length === 0 ? base : { ...base, variables: types } };
}
