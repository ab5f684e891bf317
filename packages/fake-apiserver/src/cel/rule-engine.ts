import { inRealTime } from "@listwatch/core-fifo/base";
import { loadPatternEngine } from "../schema/pattern.ts";
import type { ExpressionChecker, RuleEngine } from "./rules.ts";

let engine: RuleEngine | undefined;
let checker: ExpressionChecker | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the evaluator of rules: with the library for expressions it is larger than half of the
 * server, so only servers with rules load it.
 */
export function loadRuleEngine(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const [{ schemaRules }, { expressionChecker: loaded }] = await Promise.all([
    inRealTime(import("./schema-rules.ts")),
    inRealTime(import("./policy-expressions.ts")),
    loadPatternEngine(),
  ]);
  engine = schemaRules;
  checker = loaded;
}

/** Returns the evaluator of rules; undefined until it is loaded. */
export function ruleEngine(): RuleEngine | undefined {
  return engine;
}

/** Returns the checker of expressions in policies; undefined until it is loaded. */
export function expressionChecker(): ExpressionChecker | undefined {
  return checker;
}
