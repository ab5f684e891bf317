import { inRealTime } from "@listwatch/core-fifo/base";
import { loadPatternEngine } from "../schema/pattern.ts";
import type { RuleEngine } from "./rules.ts";

let engine: RuleEngine | undefined;
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
  const [{ schemaRules }] = await Promise.all([
    inRealTime(import("./schema-rules.ts")),
    loadPatternEngine(),
  ]);
  engine = schemaRules;
}

/** Returns the evaluator of rules; undefined until it is loaded. */
export function ruleEngine(): RuleEngine | undefined {
  return engine;
}
