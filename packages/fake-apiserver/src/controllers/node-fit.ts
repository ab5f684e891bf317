import { isRecord, type JsonObject, recordOf, stringsOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { field, flag, objects, text } from "../base/read-fields.ts";
import { conditionOf } from "./pod-facts.ts";

// Admission gives it to each new node, and a kubelet's report removes it.
const notReady = "node.kubernetes.io/not-ready";
/** Taint of a cordoned node. */
const unschedulable = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Whether a pod may be assigned to a node by its selector, affinity and tolerations. */
export function fitsNode(pod: JsonObject, node: ApiObject): boolean {
  return matchesNode(pod, node) && untolerated(pod, node, ["NoSchedule", "NoExecute"]).length === 0;
}

/** Returns the taints of a node with one of these effects that a pod does not tolerate. */
export function untolerated(
  pod: JsonObject,
  node: ApiObject,
  effects: readonly string[],
): readonly JsonObject[] {
  // A node without a kubelet counts as ready.
  const ready = conditionOf(node, "Ready")?.["status"] ?? "True";
  const taints = [
    ...objects(node, "spec", "taints").filter(({ key }) => key !== notReady || ready !== "True"),
    ...(flag(node, "spec", "unschedulable") ? [unschedulable] : []),
  ];
  const tolerations = objects(pod, "spec", "tolerations");
  return taints.filter(
    (taint) =>
      effects.includes(text(taint, "effect")) &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

// k8s.io/api core/v1/toleration.go, `ToleratesTaint`.
function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const effect = text(toleration, "effect");
  if (effect !== "" && effect !== text(taint, "effect")) return false;
  const key = text(toleration, "key");
  if (key !== "" && key !== text(taint, "key")) return false;
  const isAny = text(toleration, "operator") === "Exists";
  return isAny || text(toleration, "value") === text(taint, "value");
}

/** Whether the selector and the required affinity of a pod match a node. */
export function matchesNode(pod: JsonObject, node: ApiObject): boolean {
  const labels = node.metadata.labels ?? {};
  const wanted = Object.entries(recordOf(field(pod, "spec", "nodeSelector")));
  if (wanted.some(([key, value]) => labels[key] !== value)) return false;
  const required = field(
    pod,
    ...["spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"],
  );
  if (!isRecord(required)) return true;
  const fields = { "metadata.name": node.metadata.name ?? "" };
  // Terms are alternatives; one without requirements matches no node.
  return objects(required, "nodeSelectorTerms").some((term) => {
    const expressions = objects(term, "matchExpressions");
    const matchFields = objects(term, "matchFields");
    return (
      expressions.length + matchFields.length > 0 &&
      expressions.every((one) => matchesTerm(one, labels)) &&
      matchFields.every((one) => matchesTerm(one, fields))
    );
  });
}

function matchesTerm(term: JsonObject, values: Readonly<Record<string, string>>): boolean {
  const value = values[text(term, "key")];
  const listed = stringsOf(term["values"]);
  switch (text(term, "operator")) {
    case "In":
      return value !== undefined && listed.includes(value);
    case "NotIn":
      return value === undefined || !listed.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return Number(value) > Number(listed[0]);
    case "Lt":
      return Number(value) < Number(listed[0]);
    default:
      return false;
  }
}
