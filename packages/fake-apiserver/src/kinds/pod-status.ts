import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";

/**
 * A pod whose new status keeps what it leaves out: its class of quality, and the generations that
 * the status and its conditions were made for (k8s.io/kubernetes `PrepareForUpdate` of
 * `podStatusStrategy` and `preserveOldObservedGeneration`, pkg/registry/core/pod/strategy.go).
 */
export function withKeptStatus(pod: ApiObject, stored: ApiObject): ApiObject {
  const kept = {
    ...keptClass(pod, stored),
    ...keptGeneration(pod, stored),
    ...keptConditions(pod, stored),
  };
  if (Object.keys(kept).length === 0) return pod;
  return { ...pod, status: { ...recordOf(pod["status"]), ...kept } };
}

function keptClass(pod: ApiObject, stored: ApiObject): JsonObject {
  const qosClass = field(stored, "status", "qosClass");
  return qosClass === undefined || text(pod, "status", "qosClass") !== "" ? {} : { qosClass };
}

function keptGeneration(pod: ApiObject, stored: ApiObject): JsonObject {
  const observedGeneration = count(stored, "status", "observedGeneration");
  const isKept = observedGeneration !== 0 && count(pod, "status", "observedGeneration") === 0;
  return isKept ? { observedGeneration } : {};
}

/** Several conditions may be of one type; the first of a type has the generation of the first. */
function keptConditions(pod: ApiObject, stored: ApiObject): JsonObject {
  const generations = new Map<string, number[]>();
  for (const condition of objects(stored, "status", "conditions")) {
    const type = text(condition, "type");
    const ofType = generations.get(type) ?? [];
    ofType.push(count(condition, "observedGeneration"));
    generations.set(type, ofType);
  }
  const sent = objects(pod, "status", "conditions");
  const conditions = sent.map((condition) =>
    withGeneration(condition, generations.get(text(condition, "type"))?.shift() ?? 0),
  );
  return conditions.some((condition, index) => condition !== sent[index]) ? { conditions } : {};
}

function withGeneration(condition: JsonObject, observedGeneration: number): JsonObject {
  const isKept = observedGeneration !== 0 && count(condition, "observedGeneration") === 0;
  return isKept ? { ...condition, observedGeneration } : condition;
}
