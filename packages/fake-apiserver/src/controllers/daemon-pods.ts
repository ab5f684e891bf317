import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, flag, objects, text } from "../base/read-fields.ts";
import { matchesNode, untolerated } from "./node-fit.ts";
import type { OwnerKind } from "./ownership.ts";
import { type PodFacts, untilAvailable } from "./pod-facts.ts";
import { podFromTemplate } from "./pod-template.ts";

/** A node as a DaemonSet sees it. */
export interface DaemonNode {
  readonly name: string;
  /** Whether a pod of the set should start there. */
  readonly runs: boolean;
  /** Whether a running pod may stay. */
  readonly stays: boolean;
  /** Pods of the set on the node, oldest first. */
  readonly pods: readonly PodFacts[];
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const nameField = "metadata.name";
const prefix = "node.kubernetes.io/";
// k8s.io/kubernetes pkg/controller/daemon/util `AddOrUpdateDaemonPodTolerations`.
const tolerations: readonly JsonObject[] = [
  ...["not-ready", "unreachable"].map((key) => tolerate(key, "NoExecute")),
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((key) =>
    tolerate(key, "NoSchedule"),
  ),
];

function tolerate(key: string, effect: string): JsonObject {
  return { key: `${prefix}${key}`, operator: "Exists", effect };
}

/** Returns the nodes, and where the pods of a set run or should run. */
export function daemonNodes(
  set: ApiObject,
  nodes: readonly ApiObject[],
  pods: readonly PodFacts[],
): readonly DaemonNode[] {
  const spec = withTolerations(recordOf(field(set, "spec", "template", "spec")));
  const byNode = Map.groupBy(pods, nodeOf);
  return nodes.map((node) => {
    const { name = "" } = node.metadata;
    const fixed = text(spec, "nodeName");
    const isMatched = (fixed === "" || fixed === name) && matchesNode({ spec }, node);
    const leaves = untolerated({ spec }, node, ["NoExecute"]).length > 0;
    const refuses = untolerated({ spec }, node, ["NoSchedule", "NoExecute"]).length > 0;
    const found = byNode.get(name) ?? [];
    return {
      name,
      runs: isMatched && !refuses,
      stays: isMatched && !leaves,
      pods: found.toSorted((left, right) => left.createdMs - right.createdMs),
    };
  });
}

// A pod that is not scheduled yet names its node in its affinity.
function nodeOf({ node, stored }: PodFacts): string {
  if (node !== "") return node;
  const terms = objects(
    stored.object,
    ...["spec", "affinity", "nodeAffinity", required, "nodeSelectorTerms"],
  );
  const fields = terms.flatMap((term) => objects(term, "matchFields"));
  const values = fields.find(({ key }) => key === nameField)?.["values"];
  return Array.isArray(values) ? String(values[0]) : "";
}

function withTolerations(spec: JsonObject): JsonObject {
  const network = flag(spec, "hostNetwork") ? [tolerate("network-unavailable", "NoSchedule")] : [];
  const given = objects(spec, "tolerations");
  return { ...spec, tolerations: [...given, ...tolerations, ...network] };
}

/** Returns a new pod of a DaemonSet for a node. */
export function daemonPod(kind: OwnerKind, set: ApiObject, node: string, hash: string): ApiObject {
  const pod = podFromTemplate(kind, set);
  const spec = withTolerations(recordOf(pod["spec"]));
  const affinity = recordOf(spec["affinity"]);
  const nodeAffinity = recordOf(affinity["nodeAffinity"]);
  const matchFields = [{ key: nameField, operator: "In", values: [node] }];
  const terms = objects(nodeAffinity, required, "nodeSelectorTerms");
  const placed = (terms.length === 0 ? [{}] : terms).map((term) =>
    Object.assign({}, term, { matchFields }),
  );
  const generation = set.metadata.annotations?.["deprecated.daemonset.template.generation"];
  const labels = {
    ...pod.metadata.labels,
    "controller-revision-hash": hash,
    ...(generation !== undefined && { "pod-template-generation": generation }),
  };
  const placement = { ...recordOf(nodeAffinity[required]), nodeSelectorTerms: placed };
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: {
      ...spec,
      affinity: { ...affinity, nodeAffinity: { ...nodeAffinity, [required]: placement } },
    },
  };
}

/** Returns the counts in the status of a DaemonSet. */
export function daemonStatus(
  set: ApiObject,
  nodes: readonly DaemonNode[],
  { isCurrent, now }: { readonly now: number; readonly isCurrent: (pod: PodFacts) => boolean },
): JsonObject {
  const minReadySeconds = count(set, "spec", "minReadySeconds");
  const wanted = nodes.filter(({ runs }) => runs);
  const scheduled = wanted.filter(({ pods }) => pods.some(({ isActive }) => isActive));
  const countNodes = (matches: (pod: PodFacts) => boolean): number =>
    wanted.filter(({ pods }) => pods.some((pod) => pod.isActive && matches(pod))).length;
  const available = countNodes((pod) => untilAvailable(pod, minReadySeconds, now) === 0);
  const updated = countNodes(isCurrent);
  const unavailable = wanted.length - available;
  return {
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: nodes.filter(({ pods, runs }) => !runs && pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: countNodes(({ isReady }) => isReady),
    ...(updated > 0 && { updatedNumberScheduled: updated }),
    ...(available > 0 && { numberAvailable: available }),
    ...(unavailable > 0 && { numberUnavailable: unavailable }),
  };
}
