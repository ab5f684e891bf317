import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { disruptionRefused, forbidden } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { count, objects, size, text } from "../../base/read-fields.ts";

// k8s.io/kubernetes pkg/registry/core/pod/storage/eviction.go: `MaxDisruptedPodSize`.
const mostDisruptedPods = 2000;
// After a refusal because the budget has not been looked at yet, a client may ask again: 10 s in
// the same file.
const retryAfterSeconds = 10;
// Forbidden answers name it in the singular.
const budgetNames = { group: "policy", plural: "poddisruptionbudget", kind: "" };

/**
 * The budget after one more of its pods was evicted; `undefined` for a pod that is not ready and
 * may go without counting.
 *
 * @throws {ApiError} 429 when the budget does not allow it now, 403 for one that cannot count
 */
export function takeDisruption(
  budget: ApiObject,
  pod: ApiObject,
  now: string,
): ApiObject | undefined {
  if (!isReady(pod) && mayGoUnready(budget)) return undefined;
  const { generation = 0, name = "" } = budget.metadata;
  const status = recordOf(budget["status"]);
  if (count(status, "observedGeneration") < generation) {
    const why = `The disruption budget ${name} is still being processed by the server.`;
    throw disruptionRefused(why, retryAfterSeconds);
  }
  const allowed = count(status, "disruptionsAllowed");
  if (allowed < 0) throw forbidden(budgetNames, name, "pdb disruptions allowed is negative");
  if (size(status, "disruptedPods") > mostDisruptedPods) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbidden(budgetNames, name, why);
  }
  if (allowed === 0) {
    const needed = count(status, "desiredHealthy");
    const present = count(status, "currentHealthy");
    throw disruptionRefused(
      present <= needed
        ? `The disruption budget ${name} needs ${needed} healthy pods and has ${present} currently`
        : `The disruption budget ${name} does not allow evicting pods currently`,
    );
  }
  return {
    ...budget,
    status: taken(status, allowed - 1, pod.metadata.name ?? "", generation, now),
  };
}

function taken(
  status: JsonObject,
  allowed: number,
  pod: string,
  generation: number,
  now: string,
): JsonObject {
  const disruptedPods = { ...recordOf(status["disruptedPods"]), [pod]: now };
  const changed = { ...status, disruptionsAllowed: allowed, disruptedPods };
  return allowed > 0 ? changed : { ...changed, conditions: exhausted(status, generation, now) };
}

// k8s.io/kubernetes pkg/controller/disruption: `UpdateDisruptionAllowedCondition`.
function exhausted(status: JsonObject, generation: number, now: string): readonly JsonObject[] {
  const type = "DisruptionAllowed";
  const others = objects(status, "conditions").filter((one) => one["type"] !== type);
  const before = objects(status, "conditions").find((one) => one["type"] === type);
  const isSame = before?.["status"] === "False";
  const condition = {
    type,
    status: "False",
    observedGeneration: generation,
    lastTransitionTime: isSame ? before["lastTransitionTime"] : now,
    reason: "InsufficientPods",
    message: "",
  };
  return [...others, condition];
}

function isReady(pod: ApiObject): boolean {
  return objects(pod, "status", "conditions").some(
    ({ status, type }) => type === "Ready" && status === "True",
  );
}

function mayGoUnready(budget: ApiObject): boolean {
  if (text(budget, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const desired = count(budget, "status", "desiredHealthy");
  return desired > 0 && count(budget, "status", "currentHealthy") >= desired;
}
