import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";

/** An entry of a definition's `status.conditions`. */
export interface CrdCondition {
  readonly type: "NamesAccepted" | "Established" | "Terminating";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** Sets conditions in a status. The transition time changes only with the condition's status. */
export function withConditions(
  status: JsonObject,
  conditions: readonly CrdCondition[],
  now: string,
): JsonObject {
  const existing = conditionsOf(status);
  const set = new Map(existing.map((condition) => [condition["type"], condition]));
  for (const { message, reason, status: value, type } of conditions) {
    const before = set.get(type);
    const lastTransitionTime = before?.["status"] === value ? before["lastTransitionTime"] : now;
    set.set(type, { type, status: value, lastTransitionTime, reason, message });
  }
  return { ...status, conditions: [...set.values()] };
}

/** Whether the condition is true. */
export function hasCondition(crd: JsonObject, type: CrdCondition["type"]): boolean {
  return conditionsOf(recordOf(crd["status"])).some(
    (condition) => condition["type"] === type && condition["status"] === "True",
  );
}

function conditionsOf(status: JsonObject): readonly JsonObject[] {
  const conditions = status["conditions"];
  return Array.isArray(conditions) ? conditions.filter((item) => isRecord(item)) : [];
}
