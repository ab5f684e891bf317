import { isRecord } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";
import { flag, text } from "../base/read-fields.ts";
import { Checker } from "./checker.ts";
import { compile, type Compiled } from "./compile.ts";
import { declareType } from "./declared-types.ts";

/** A rule of a schema. */
export interface CompiledRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
  readonly condition: Compiled;
  readonly messageProgram: Compiled | undefined;
  /** Whether it compares the value with the old one. */
  readonly isTransition: boolean;
}

const known = new WeakMap<object, Map<string, readonly CompiledRule[]>>();

/**
 * Returns the rules of a schema node.
 *
 * @param structure schema with the types of the node
 * @param rules schema with the rules: the same, or a branch of `allOf`
 */
export function rulesOf(
  structure: JsonSchema,
  rules: JsonSchema,
  isRoot: boolean,
): readonly CompiledRule[] {
  const given = rules["x-kubernetes-validations"] ?? [];
  if (given.length === 0) return [];
  const byStructure = known.get(rules) ?? new Map<string, readonly CompiledRule[]>();
  known.set(rules, byStructure);
  const key = String(isRoot);
  const compiled = byStructure.get(key) ?? compileRules(structure, given, isRoot);
  byStructure.set(key, compiled);
  return compiled;
}

function compileRules(
  structure: JsonSchema,
  given: readonly unknown[],
  isRoot: boolean,
): readonly CompiledRule[] {
  const types = new Checker();
  const type = declareType(types, structure, "selfType", isRoot) ?? "dyn";
  const plain = types.withVariables({ self: type, oldSelf: type });
  const optional = types.withVariables({ self: type, oldSelf: `optional<${type}>` });
  return given.filter(isRecord).map((rule) => {
    const expression = text(rule, "rule");
    const optionalOldSelf = flag(rule, "optionalOldSelf");
    const checker = optionalOldSelf ? optional : plain;
    const condition = compile(expression, checker);
    const messageExpression = text(rule, "messageExpression");
    const uses = (one: Compiled | undefined): boolean =>
      one?.program !== undefined && one.variables.has("oldSelf");
    return {
      rule: expression,
      message: text(rule, "message").trim(),
      messageExpression,
      reason: text(rule, "reason"),
      fieldPath: text(rule, "fieldPath"),
      optionalOldSelf,
      condition,
      messageProgram: messageExpression === "" ? undefined : compile(messageExpression, checker),
      isTransition: uses(condition),
    };
  });
}
