import type { Clock } from "../base/clock.ts";
import { asJsonObject } from "../base/json.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import type { ResourceStrategy } from "./strategy.ts";

const finishedPhases = new Set<unknown>(["Succeeded", "Failed"]);

/**
 * Who ends pods that have been deleted: nobody waits (`instant`), nobody does it (`never`), or the
 * server acts as their kubelet.
 */
export type PodDeletion = "instant" | "kubelet" | "never";

/** What is special about pods (api-server §1.14). */
export function podStrategy(
  clock: Clock,
  mode: PodDeletion,
  remove: (key: string, uid: string | undefined) => void,
): ResourceStrategy {
  return {
    prepareForCreate: (object) => ({ ...object, status: { phase: "Pending" } }),
    gracePeriod: (pod, asked) => (mode === "instant" ? 0 : gracePeriod(pod, asked)),
    written: (version) => {
      if (mode !== "kubelet" || version === undefined) return;
      const { deletionGracePeriodSeconds: grace = 0, deletionTimestamp } = version.object.metadata;
      if (deletionTimestamp === undefined || grace === 0) return;
      const { uid } = version.object.metadata;
      const delayMs = Date.parse(deletionTimestamp) - clock.now();
      clock.setTimeout(() => remove(version.key, uid), delayMs);
    },
  };
}

// Only a pod that runs somewhere needs time to stop.
function gracePeriod(pod: ApiObject, asked: number | undefined): number {
  const spec = asJsonObject(pod["spec"]);
  const wanted = asked ?? spec["terminationGracePeriodSeconds"];
  const scheduled = typeof spec["nodeName"] === "string" && spec["nodeName"] !== "";
  if (!scheduled || finishedPhases.has(asJsonObject(pod["status"])["phase"])) return 0;
  if (typeof wanted !== "number") return 0;
  return wanted < 0 ? 1 : wanted;
}
