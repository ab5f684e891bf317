import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, flag, objects } from "../base/read-fields.ts";
import { setCondition, withoutCondition } from "./conditions.ts";
import { hasDeadline, replicasOf, totalReplicas, totalStatus } from "./deployment-sets.ts";
import { conditionOf } from "./pod-facts.ts";
import { rollingLimits } from "./rolling-update.ts";

/** Reason of a roll-out that is complete. */
const availableReason = "NewReplicaSetAvailable";
/** Reason of a roll-out that has not progressed in time. */
export const timedOutReason = "ProgressDeadlineExceeded";

/** A Deployment and its ReplicaSets. */
export interface DeploymentState {
  readonly deployment: ApiObject;
  /** All of them, the new one included. */
  readonly sets: readonly ApiObject[];
  readonly newSet: ApiObject | undefined;
}

/** Times of a status. */
export interface StatusTime {
  readonly now: number;
  readonly text: string;
}

/** Returns a condition of a Deployment as of now. */
export function deploymentCondition(
  time: StatusTime,
  [type, status, reason, message]: readonly [string, string, string, string],
): JsonObject {
  return {
    type,
    status,
    lastUpdateTime: time.text,
    lastTransitionTime: time.text,
    reason,
    message,
  };
}

/** Returns the counts of a Deployment's status, and whether enough pods are available. */
export function calculateStatus(
  { deployment, newSet, sets }: DeploymentState,
  time: StatusTime,
): JsonObject {
  const available = totalStatus(sets, "availableReplicas");
  const replicas = totalStatus(sets, "replicas");
  const counts = {
    replicas,
    updatedReplicas: newSet === undefined ? 0 : count(newSet, "status", "replicas"),
    readyReplicas: totalStatus(sets, "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalReplicas(sets) - available),
  };
  const collisionCount = field(deployment, "status", "collisionCount");
  const wanted = replicasOf(deployment);
  const isEnough = available >= wanted - rollingLimits(deployment).unavailable;
  const condition = isEnough
    ? (["True", "MinimumReplicasAvailable", "Deployment has minimum availability."] as const)
    : ([
        "False",
        "MinimumReplicasUnavailable",
        "Deployment does not have minimum availability.",
      ] as const);
  return {
    observedGeneration: deployment.metadata.generation,
    ...Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0)),
    terminatingReplicas: totalStatus(sets, "terminatingReplicas"),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: setCondition(
      objects(deployment, "status", "conditions"),
      deploymentCondition(time, ["Available", ...condition]),
    ),
  };
}

/** Whether all pods of a Deployment are of its template and available. */
export function isComplete(deployment: ApiObject, status: JsonObject): boolean {
  const wanted = replicasOf(deployment);
  return (
    count(status, "updatedReplicas") === wanted &&
    count(status, "replicas") === wanted &&
    count(status, "availableReplicas") === wanted &&
    count(status, "observedGeneration") >= (deployment.metadata.generation ?? 0)
  );
}

/** Returns the status during a roll-out, with the condition of its progress. */
export function rolloutStatus(state: DeploymentState, time: StatusTime): JsonObject {
  const { deployment, sets } = state;
  const status = calculateStatus(state, time);
  let conditions = objects(status, "conditions");
  const current = conditionOf(deployment, "Progressing");
  if (!hasDeadline(deployment)) conditions = withoutCondition(conditions, "Progressing");
  const isOver =
    count(status, "replicas") === count(status, "updatedReplicas") &&
    current?.["reason"] === availableReason;
  if (hasDeadline(deployment) && !isOver) {
    conditions = withProgress(state, status, conditions, time);
  }
  const failure = sets
    .map((set) => conditionOf(set, "ReplicaFailure"))
    .find((condition) => condition !== undefined);
  conditions =
    failure === undefined
      ? withoutCondition(conditions, "ReplicaFailure")
      : setCondition(conditions, { ...failure, lastUpdateTime: failure["lastTransitionTime"] });
  return { ...status, conditions };
}

function withProgress(
  state: DeploymentState,
  status: JsonObject,
  conditions: readonly JsonObject[],
  time: StatusTime,
): readonly JsonObject[] {
  const { deployment, newSet } = state;
  const current = conditionOf(deployment, "Progressing");
  const subject =
    newSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newSet.metadata.name}"`;
  const condition = (value: string, reason: string, what: string): JsonObject =>
    deploymentCondition(time, ["Progressing", value, reason, `${subject} ${what}`]);
  if (isComplete(deployment, status)) {
    const complete = condition("True", availableReason, "has successfully progressed.");
    return setCondition(conditions, complete);
  }
  if (isProgressing(deployment, status)) {
    const progressing = condition("True", "ReplicaSetUpdated", "is progressing.");
    const since = current?.["status"] === "True" ? current["lastTransitionTime"] : time.text;
    return [
      ...withoutCondition(conditions, "Progressing"),
      { ...progressing, lastTransitionTime: since },
    ];
  }
  if (untilTimeout(deployment, time.now) > 0) return conditions;
  return setCondition(conditions, condition("False", timedOutReason, "has timed out progressing."));
}

function isProgressing(deployment: ApiObject, status: JsonObject): boolean {
  const before = recordOf(deployment["status"]);
  const old = (of: JsonObject): number => count(of, "replicas") - count(of, "updatedReplicas");
  return (
    count(status, "updatedReplicas") > count(before, "updatedReplicas") ||
    old(status) < old(before) ||
    count(status, "readyReplicas") > count(before, "readyReplicas") ||
    count(status, "availableReplicas") > count(before, "availableReplicas")
  );
}

/** Returns the milliseconds until a roll-out counts as stuck: 0 if it does, Infinity if it cannot. */
export function untilTimeout(deployment: ApiObject, now: number): number {
  const condition = conditionOf(deployment, "Progressing");
  if (!hasDeadline(deployment) || condition === undefined) return Infinity;
  if (condition["reason"] === availableReason || flag(deployment, "spec", "paused")) {
    return Infinity;
  }
  if (condition["reason"] === timedOutReason) return 0;
  const updated = Date.parse(String(condition["lastUpdateTime"]));
  const deadlineMs = count(deployment, "spec", "progressDeadlineSeconds") * 1000;
  // Later than the deadline, by the second that timestamps are rounded to.
  return Math.max(0, updated + deadlineMs + 1000 - now);
}
