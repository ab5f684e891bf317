import type { JsonObject } from "@listwatch/core-fifo/base";

/**
 * Returns the conditions with a new one in the place of that of its type. An equal status and
 * reason changes nothing, and an equal status keeps the time of its last transition.
 */
export function setCondition(
  conditions: readonly JsonObject[],
  condition: JsonObject,
): readonly JsonObject[] {
  const current = conditions.find(({ type }) => type === condition["type"]);
  const isSame = current?.["status"] === condition["status"];
  if (current !== undefined && isSame && current["reason"] === condition["reason"]) {
    return conditions;
  }
  const { lastTransitionTime } = isSame && current !== undefined ? current : condition;
  const others = withoutCondition(conditions, String(condition["type"]));
  return [...others, { ...condition, lastTransitionTime }];
}

/** Returns the conditions without that of a type. */
export function withoutCondition(
  conditions: readonly JsonObject[],
  type: string,
): readonly JsonObject[] {
  return conditions.filter((condition) => condition["type"] !== type);
}
