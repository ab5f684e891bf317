import type { JsonObject } from "@listwatch/core-fifo/base";
import { count, memoized, objects, text } from "../base/read-fields.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { controllerOf } from "./controller.ts";

/** Parts of a pod that controllers look at. */
export interface PodFacts {
  readonly stored: StoredObject;
  /** Uid of its controller, or "". */
  readonly owner: string;
  readonly phase: string;
  readonly node: string;
  readonly isReady: boolean;
  /** Start of its current readiness, in milliseconds since 1970. */
  readonly readySinceMs: number;
  readonly createdMs: number;
  readonly restarts: number;
  readonly isTerminating: boolean;
  /** Whether it has neither ended nor been deleted. */
  readonly isActive: boolean;
  readonly deletionCost: number;
}

/** Returns the facts of a pod. Each state of a pod is read once. */
export const podFacts: (stored: StoredObject) => PodFacts = memoized((stored: StoredObject) => {
  const pod = stored.object;
  const phase = text(pod, "status", "phase");
  const ready = conditionOf(pod, "Ready");
  const statuses = objects(pod, "status", "containerStatuses");
  const cost = Number(
    pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? 0,
  );
  return {
    stored,
    owner: controllerOf(pod)?.uid ?? "",
    phase,
    node: text(pod, "spec", "nodeName"),
    isReady: text(ready, "status") === "True",
    readySinceMs: Date.parse(text(ready, "lastTransitionTime")) || 0,
    createdMs: Date.parse(pod.metadata.creationTimestamp ?? "") || 0,
    restarts: Math.max(0, ...statuses.map((status) => count(status, "restartCount"))),
    isTerminating: stored.isTerminating,
    isActive: !stored.isTerminating && phase !== "Succeeded" && phase !== "Failed",
    deletionCost: Number.isFinite(cost) ? cost : 0,
  };
});

/** Returns the condition of a type; `undefined` if the object does not have it. */
export function conditionOf(object: unknown, type: string): JsonObject | undefined {
  return objects(object, "status", "conditions").find((one) => one["type"] === type);
}

/** Returns the time in milliseconds until a ready pod is available; 0 if it is, Infinity if never. */
export function untilAvailable(pod: PodFacts, minReadySeconds: number, now: number): number {
  if (!pod.isReady) return Infinity;
  if (minReadySeconds === 0) return 0;
  return Math.max(0, pod.readySinceMs + minReadySeconds * 1000 - now);
}

/**
 * Orders pods: the first ones are deleted first (k8s.io/kubernetes pkg/controller
 * `ActivePodsWithRanks`). Pods on nodes with more of them go before others.
 */
export function inOrderOfDeletion(pods: readonly PodFacts[]): readonly PodFacts[] {
  const perNode = new Map<string, number>();
  for (const { node } of pods) perNode.set(node, (perNode.get(node) ?? 0) + 1);
  const rank = ({ node }: PodFacts): number => (node === "" ? 0 : (perNode.get(node) ?? 0));
  const phases = ["Pending", "Unknown", "Running"];
  const keys: readonly ((pod: PodFacts) => number)[] = [
    ({ node }) => (node === "" ? 0 : 1),
    ({ phase }) => phases.indexOf(phase),
    ({ isReady }) => Number(isReady),
    ({ deletionCost }) => deletionCost,
    (pod) => -rank(pod),
    ({ readySinceMs }) => -readySinceMs,
    ({ restarts }) => -restarts,
    ({ createdMs }) => -createdMs,
  ];
  return pods.toSorted((left, right) => {
    for (const key of keys) {
      const difference = key(left) - key(right);
      if (difference !== 0) return difference;
    }
    // Equal seconds are frequent on a simulated clock. The revision orders writes.
    return right.stored.revision - left.stored.revision;
  });
}
