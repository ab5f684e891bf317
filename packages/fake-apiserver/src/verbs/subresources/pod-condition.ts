import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { objects } from "../../base/read-fields.ts";

/** A condition as its writer states it. */
interface StatedCondition {
  readonly type: string;
  readonly status: "False" | "True";
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The status of a pod with a condition in place of an earlier one of its type, at the end if there
 * is none. The time is kept while the condition's status stays: `UpdatePodCondition` of
 * k8s.io/kubernetes pkg/api/v1/pod.
 */
export function withPodCondition(
  status: unknown,
  { message, reason, ...stated }: StatedCondition,
  now: string,
): JsonObject {
  const conditions = objects(status, "conditions");
  const index = conditions.findIndex(({ type }) => type === stated.type);
  const before = conditions[index];
  const isSame = before?.["status"] === stated.status;
  const condition = {
    ...stated,
    lastProbeTime: before?.["lastProbeTime"] ?? null,
    lastTransitionTime: isSame ? before["lastTransitionTime"] : now,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  const changed = index < 0 ? [...conditions, condition] : conditions.with(index, condition);
  return { ...recordOf(status), conditions: changed };
}
