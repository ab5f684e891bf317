import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/resource-definition.ts";
import { objects, text } from "../base/read-fields.ts";
import { type Kind, defineKind, type KindHost } from "./define-kind.ts";
import { podColumns } from "./pod-columns.ts";
import { podDocs } from "./pod-docs.ts";
import type { ResourceStrategy } from "./strategy.ts";

const podNames = { group: "", plural: "pods" };
const finishedPhases = new Set<unknown>(["Succeeded", "Failed"]);

/** Pod of the core group. */
export const podKind: Kind = defineKind({
  version: "v1",
  kind: "Pod",
  unconditionalUpdate: true,
  shortNames: ["po"],
  categories: ["all"],
  status: true,
  generation: true,
  selectableFields: [
    { path: "spec.nodeName", alias: "spec.host" },
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    { path: "spec.hostNetwork", zero: "false" },
    "status.phase",
    "status.podIP",
    { path: "status.podIPs", read: podIps },
    "status.nominatedNodeName",
  ],
  returnsDeletedObject: true,
  graceful: true,
  columns: podColumns,
  strategy: podStrategy,
  docs: podDocs,
});

function podIps(pod: ApiObject): string {
  return objects(pod, "status", "podIPs")
    .map((entry) => text(entry, "ip"))
    .join(",");
}

function podStrategy({ clock, deleteObject, podDeletion }: KindHost): ResourceStrategy {
  return {
    prepareForCreate: (object) => ({ ...object, status: { phase: "Pending" } }),
    gracePeriod: (pod, asked) => (podDeletion === "instant" ? 0 : gracePeriod(pod, asked)),
    written: (version) => {
      if (podDeletion !== "kubelet" || version === undefined) return;
      const { deletionGracePeriodSeconds: grace = 0, deletionTimestamp } = version.object.metadata;
      if (deletionTimestamp === undefined || grace === 0) return;
      const { uid } = version.object.metadata;
      const delayMs = Date.parse(deletionTimestamp) - clock.now();
      clock.setTimeout(() => deleteObject(podNames, version.key, uid), delayMs);
    },
  };
}

// Only a pod that runs somewhere needs time to stop.
function gracePeriod(pod: ApiObject, asked: number | undefined): number {
  const spec = recordOf(pod["spec"]);
  const wanted = asked ?? spec["terminationGracePeriodSeconds"];
  const scheduled = typeof spec["nodeName"] === "string" && spec["nodeName"] !== "";
  if (!scheduled || finishedPhases.has(recordOf(pod["status"])["phase"])) return 0;
  if (typeof wanted !== "number") return 0;
  return wanted < 0 ? 1 : wanted;
}
