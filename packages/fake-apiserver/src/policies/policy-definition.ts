import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { objects, setMember, text } from "../base/read-fields.ts";
import type { Compiled } from "../cel/compile.ts";
import { compileInScope, scopedProblem, variableType } from "../cel/policy-expressions.ts";
import type { ExpressionScope, ResultTypes } from "../cel/rules.ts";
import type { MatchCriteria } from "../webhooks/match-webhook.ts";
import type { MatchCondition } from "../webhooks/webhook-configuration.ts";
import { readRule, selectorOf } from "../webhooks/webhook-configuration.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** An expression of a policy. */
export interface PolicyExpression {
  readonly text: string;
  readonly compiled: Compiled;
  /** Why it cannot be evaluated, in the words of a real server. @default it can */
  readonly problem: string | undefined;
}

/** A variable of a policy. */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: PolicyExpression;
}

/** A validation of a ValidatingAdmissionPolicy. */
export interface PolicyValidation {
  readonly expression: PolicyExpression;
  readonly message: string;
  readonly messageExpression: PolicyExpression | undefined;
  readonly reason: string;
}

/** A mutation of a MutatingAdmissionPolicy. */
export interface PolicyMutation extends PolicyExpression {
  readonly type: "ApplyConfiguration" | "JSONPatch";
}

/** A stored policy, compiled. */
export interface PolicyDefinition {
  readonly name: string;
  readonly criteria: MatchCriteria;
  /** Whether errors let the write pass. */
  readonly ignoresFailures: boolean;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly conditions: readonly PolicyExpression[];
  readonly variables: readonly PolicyVariable[];
  readonly validations: readonly PolicyValidation[];
  /** Values of audit annotations. */
  readonly annotations: readonly PolicyExpression[];
  readonly mutations: readonly PolicyMutation[];
  readonly isReinvoked: boolean;
}

const known = new WeakMap<StoredObject, PolicyDefinition>();

/** Returns the compiled form of a stored policy. */
export function definitionOf(stored: StoredObject): PolicyDefinition {
  const found = known.get(stored) ?? readDefinition(stored.name, recordOf(stored.object["spec"]));
  known.set(stored, found);
  return found;
}

function readDefinition(name: string, spec: JsonObject): PolicyDefinition {
  const { paramKind } = spec;
  const hasParams = isRecord(paramKind);
  const base = { hasParams, hasAuthorizer: true };
  const types: Record<string, string> = {};
  const variables = objects(spec, "variables").map((variable) => {
    const expression = read(variable, "expression", { ...base, variables: { ...types } });
    const variableName = text(variable, "name");
    setMember(types, variableName, variableType(expression.compiled));
    return { name: variableName, expression };
  });
  const scope = { ...base, variables: types };
  return {
    name,
    criteria: readCriteria(recordOf(spec["matchConstraints"])),
    ignoresFailures: text(spec, "failurePolicy") === "Ignore",
    paramKind: hasParams
      ? { apiVersion: text(paramKind, "apiVersion"), kind: text(paramKind, "kind") }
      : undefined,
    conditions: readConditions(
      objects(spec, "matchConditions").map((condition) => ({
        name: text(condition, "name"),
        expression: text(condition, "expression"),
      })),
      scope,
    ),
    variables,
    validations: objects(spec, "validations").map((validation) => ({
      expression: read(validation, "expression", scope, ["bool"]),
      message: text(validation, "message").trim(),
      messageExpression:
        text(validation, "messageExpression") === ""
          ? undefined
          : read(validation, "messageExpression", { ...scope, hasAuthorizer: false }, ["string"]),
      reason: text(validation, "reason"),
    })),
    annotations: objects(spec, "auditAnnotations").map((annotation) =>
      read(annotation, "valueExpression", scope, ["string", "null"]),
    ),
    mutations: objects(spec, "mutations").map((mutation) => readMutation(mutation, scope)),
    isReinvoked: text(spec, "reinvocationPolicy") === "IfNeeded",
  };
}

/** Compiles match conditions. */
export function readConditions(
  conditions: readonly MatchCondition[],
  scope: ExpressionScope,
): readonly PolicyExpression[] {
  return conditions.map(({ expression }) => compiled(expression, scope, ["bool"]));
}

function readMutation(mutation: JsonObject, scope: ExpressionScope): PolicyMutation {
  const patching = { ...scope, hasPatchTypes: true };
  const isPatch = text(mutation, "patchType") === "JSONPatch";
  const member = recordOf(mutation[isPatch ? "jsonPatch" : "applyConfiguration"]);
  const types = [isPatch ? "list<JSONPatch>" : "Object"];
  return {
    ...read(member, "expression", patching, types),
    type: isPatch ? "JSONPatch" : "ApplyConfiguration",
  };
}

function read(
  holder: JsonObject,
  member: string,
  scope: ExpressionScope,
  results?: ResultTypes,
): PolicyExpression {
  return compiled(text(holder, member), scope, results);
}

function compiled(
  expression: string,
  scope: ExpressionScope,
  results?: ResultTypes,
): PolicyExpression {
  const program = compileInScope(expression, scope);
  return { text: expression, compiled: program, problem: scopedProblem(program, results) };
}

/** Reads the `matchConstraints` of a policy or the `matchResources` of a binding. */
export function readCriteria(constraints: JsonObject): MatchCriteria {
  return {
    rules: objects(constraints, "resourceRules").map(readRule),
    excluded: objects(constraints, "excludeResourceRules").map(readRule),
    namespaceSelector: selectorOf(constraints["namespaceSelector"]),
    objectSelector: selectorOf(constraints["objectSelector"]),
    matchesEquivalents: text(constraints, "matchPolicy") !== "Exact",
  };
}
