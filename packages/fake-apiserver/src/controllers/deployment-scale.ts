import type { ApiObject } from "../api/api-object.ts";
import { count } from "../base/read-fields.ts";
import {
  annotatedMaximum,
  byAge,
  isRecreate,
  replicasOf,
  totalReplicas,
} from "./deployment-sets.ts";
import type { DeploymentState } from "./deployment-status.ts";
import { rollingLimits } from "./rolling-update.ts";

type Sizes = readonly (readonly [set: ApiObject, size: number])[];

/**
 * Returns the sizes of ReplicaSets after the number of pods of their Deployment has changed: the
 * one that has pods gets all of them; of several, each gets its share (k8s.io/kubernetes
 * pkg/controller/deployment/sync.go, `scale`).
 */
export function scaledSizes({ deployment, newSet, sets }: DeploymentState): Sizes {
  const wanted = replicasOf(deployment);
  const active = byAge(sets.filter((set) => replicasOf(set) > 0));
  const [only = newSet ?? byAge(sets).at(-1)] = active;
  if (active.length <= 1) return only === undefined ? [] : [[only, wanted]];
  if (newSet !== undefined && isSaturated(deployment, newSet)) {
    return active.filter((set) => set.metadata.uid !== newSet.metadata.uid).map((set) => [set, 0]);
  }
  return isRecreate(deployment) ? [] : proportionalSizes(deployment, active);
}

function isSaturated(deployment: ApiObject, newSet: ApiObject): boolean {
  const wanted = replicasOf(deployment);
  return replicasOf(newSet) === wanted && count(newSet, "status", "availableReplicas") === wanted;
}

function proportionalSizes(deployment: ApiObject, active: readonly ApiObject[]): Sizes {
  const wanted = replicasOf(deployment);
  const { surge } = rollingLimits(deployment);
  const toAdd = (wanted > 0 ? wanted + surge : 0) - totalReplicas(active);
  // The largest set takes what rounding leaves over; growing prefers newer sets, shrinking older.
  const aged = toAdd > 0 ? active.toReversed() : active;
  const sorted = aged.toSorted((left, right) => replicasOf(right) - replicasOf(left));
  let added = 0;
  const sizes = sorted.map((set): [ApiObject, number] => {
    const size = replicasOf(set);
    const allowed = toAdd - added;
    const share = shareOf(deployment, set, wanted + surge);
    const part = toAdd > 0 ? Math.min(share, allowed) : Math.max(share, allowed);
    const change = size === 0 || allowed === 0 ? 0 : part;
    added += change;
    return [set, size + change];
  });
  const [first] = sizes;
  if (first !== undefined) first[1] = Math.max(0, first[1] + toAdd - added);
  return sizes;
}

function shareOf(deployment: ApiObject, set: ApiObject, maximum: number): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  const before = annotatedMaximum(set) ?? count(deployment, "status", "replicas");
  return Math.round((size * maximum) / before) - size;
}
