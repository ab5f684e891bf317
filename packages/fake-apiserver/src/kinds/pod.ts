import { timestamp } from "../base/server-clock.ts";
import { specDefaults } from "./defaults/fill.ts";
import { admitChangedPod, admitPod, newPodStatus, podDefaults } from "./defaults/pod.ts";
import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { text } from "../base/read-fields.ts";
import { type Kind, defineKind, type KindHost } from "./define-kind.ts";
import { withKeptStatus } from "./pod-status.ts";
import { checkLimits, withLimits } from "./admission/limit-ranges.ts";
import { withPriority } from "./admission/priority.ts";
import { withRuntime } from "./admission/runtime-class.ts";
import { podColumns } from "./pod-columns.ts";
import { podSubresources, podUpdates } from "./pod-subresources.ts";
import type { ResourceStrategy } from "./strategy.ts";
import { podRules } from "../rules/pods/pod-rules.ts";
import { dropFromPod } from "./disabled-fields.ts";

const podNames = { group: "", plural: "pods" };
const finishedPhases = new Set<unknown>(["Succeeded", "Failed"]);

/** Pod of the core group. */
export const podKind: Kind = defineKind({
  version: "v1",
  kind: "Pod",
  dropDisabled: dropFromPod,
  podTemplate: [],
  defaults: specDefaults(podDefaults),
  rules: podRules,
  unconditionalUpdate: true,
  shortNames: ["po"],
  categories: ["all"],
  status: true,
  subresources: podSubresources,
  generation: true,
  selectableFields: [
    { path: "spec.nodeName", alias: "spec.host" },
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    { path: "spec.hostNetwork", zero: "false" },
    "status.phase",
    "status.podIP",
    // Can be named, but is not among the fields that the server compares.
    { path: "status.podIPs", read: () => "" },
    "status.nominatedNodeName",
  ],
  returnsDeletedObject: true,
  graceful: true,
  columns: podColumns,
  rowConditions: completion,
  strategy: podStrategy,
});

// kubectl hides or greys pods that have ended: k8s.io/kubernetes pkg/printers/internalversion.
function completion(pod: ApiObject): readonly JsonObject[] {
  const phase = text(pod, "status", "phase");
  const messages: ReadonlyMap<string, string> = new Map([
    ["Succeeded", "The pod has completed successfully."],
    ["Failed", "The pod failed."],
  ]);
  const message = messages.get(phase);
  if (message === undefined) return [];
  return [{ type: "Completed", status: "True", reason: phase, message }];
}

function podStrategy(host: KindHost): ResourceStrategy {
  const { clock, deleteObject, podDeletion } = host;
  const admitNew = (sent: ApiObject): ApiObject => {
    const object = withLimits(withRuntime(withPriority(sent, host), host), host);
    return { ...object, spec: admitPod(recordOf(object["spec"])) };
  };
  return {
    subresourceUpdates: podUpdates(host),
    admitNew,
    prepareForCreate: (sent) => {
      const object = admitNew(sent);
      const spec = recordOf(object["spec"]);
      return { ...object, status: newPodStatus(spec, timestamp(clock.now())) };
    },
    prepareForUpdate: (object, stored) => {
      const spec = recordOf(object["spec"]);
      const admitted = admitChangedPod(spec, recordOf(stored["spec"]));
      return withKeptStatus(admitted === spec ? object : { ...object, spec: admitted }, stored);
    },
    admit: (pod, stored) => {
      if (stored === undefined) checkLimits(pod, host);
    },
    gracePeriod: (pod, asked) => (podDeletion === "instant" ? 0 : gracePeriod(pod, asked)),
    written: (version) => {
      if (podDeletion !== "kubelet" || version === undefined) return;
      const { deletionGracePeriodSeconds: grace = 0, deletionTimestamp } = version.object.metadata;
      if (deletionTimestamp === undefined || grace === 0) return;
      const { uid } = version.object.metadata;
      const delayMs = Math.max(0, Date.parse(deletionTimestamp) - clock.now());
      clock.setTimeout(() => deleteObject(podNames, version.key, uid), delayMs);
    },
  };
}

// Only a pod that runs on a node needs time to stop. A pod that is stopping has its time already.
function gracePeriod(pod: ApiObject, asked: number | undefined): number {
  const { deletionGracePeriodSeconds: remaining = 0, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    return Math.min(remaining, asked === undefined ? remaining : atLeastOne(asked));
  }
  const spec = recordOf(pod["spec"]);
  const wanted = asked ?? spec["terminationGracePeriodSeconds"];
  const scheduled = typeof spec["nodeName"] === "string" && spec["nodeName"] !== "";
  if (!scheduled || finishedPhases.has(recordOf(pod["status"])["phase"])) return 0;
  if (typeof wanted !== "number") return 0;
  return atLeastOne(wanted);
}

function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}
