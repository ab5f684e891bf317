import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, text } from "../base/read-fields.ts";
import { rollingLimits } from "./rolling-update.ts";

/** Label of pods and ReplicaSets with the hash of their template. */
export const hashLabel = "pod-template-hash";
const prefix = "deployment.kubernetes.io/";
/** Annotation with the number of a revision. */
export const revisionAnnotation: string = `${prefix}revision`;
const historyAnnotation = `${prefix}revision-history`;
const desiredAnnotation = `${prefix}desired-replicas`;
const maxAnnotation = `${prefix}max-replicas`;
// Annotations of a Deployment that its ReplicaSets do not get: pkg/controller/deployment/util.
const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

type Annotations = Readonly<Record<string, string>>;

/** Returns the wanted number of pods of a Deployment or ReplicaSet. */
export function replicasOf(object: ApiObject): number {
  return count(object, "spec", "replicas");
}

/** Returns the sum of the wanted pods of ReplicaSets. */
export function totalReplicas(sets: readonly ApiObject[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

/** Returns the sum of a number in the status of ReplicaSets. */
export function totalStatus(sets: readonly ApiObject[], name: string): number {
  return sets.reduce((sum, set) => sum + count(set, "status", name), 0);
}

/** Returns ReplicaSets, the oldest first. */
export function byAge(sets: readonly ApiObject[]): readonly ApiObject[] {
  return sets.toSorted((left, right) => {
    const [a, b] = [left.metadata, right.metadata];
    const [before = "", after = ""] = [a.creationTimestamp, b.creationTimestamp];
    if (before !== after) return before < after ? -1 : 1;
    return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
  });
}

/** Returns the revision of a ReplicaSet, or 0. */
export function revisionOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

/** Returns the oldest ReplicaSet with the template of a Deployment. */
export function findNewSet(
  deployment: ApiObject,
  sets: readonly ApiObject[],
): ApiObject | undefined {
  const wanted = field(deployment, "spec", "template");
  return byAge(sets).find((set) =>
    isJsonEqual(withoutHash(field(set, "spec", "template")), withoutHash(wanted)),
  );
}

function withoutHash(template: unknown): unknown {
  const { metadata, ...fields } = recordOf(template);
  const { labels, ...rest } = recordOf(metadata);
  const { [hashLabel]: _hash, ...others } = recordOf(labels);
  return { ...fields, metadata: { ...rest, labels: others } };
}

/** Whether the annotations of a ReplicaSet name another number of pods than the Deployment's. */
export function isScaled(deployment: ApiObject, set: ApiObject): boolean {
  const desired = set.metadata.annotations?.[desiredAnnotation];
  return desired !== undefined && Number(desired) !== replicasOf(deployment);
}

/** Returns the largest number of pods that the Deployment of a ReplicaSet had, if it is known. */
export function annotatedMaximum({ metadata }: ApiObject): number | undefined {
  const value = metadata.annotations?.[maxAnnotation];
  return value === undefined ? undefined : Number(value);
}

/** Returns the annotations with the numbers of pods that the Deployment wants. */
export function withReplicaAnnotations(
  deployment: ApiObject,
  annotations: Annotations,
): Annotations {
  const replicas = replicasOf(deployment);
  const maximum = replicas + rollingLimits(deployment).surge;
  return {
    ...annotations,
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(maximum),
  };
}

/**
 * Returns the annotations of the ReplicaSet of a Deployment's template. A set that becomes the
 * newest again keeps its former revisions.
 */
export function newSetAnnotations(
  deployment: ApiObject,
  current: Annotations,
  revision: number,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([name]) => !ownAnnotations.has(name),
  );
  const before = current[revisionAnnotation];
  const annotations = { ...current, ...Object.fromEntries(copied) };
  if (before !== undefined && Number(before) >= revision) return annotations;
  const history = current[historyAnnotation];
  const former = [history, before].filter((part) => part !== undefined && part !== "").join(",");
  return {
    ...annotations,
    [revisionAnnotation]: String(revision),
    ...(former !== "" && { [historyAnnotation]: former }),
  };
}

/** Whether a Deployment has a limit for the time of a roll-out. */
export function hasDeadline(deployment: ApiObject): boolean {
  const seconds = field(deployment, "spec", "progressDeadlineSeconds");
  // The greatest int32 stands for none: pkg/controller/deployment/util `HasProgressDeadline`.
  return typeof seconds === "number" && seconds !== 2 ** 31 - 1;
}

/** Whether the pods of a Deployment are replaced all at once. */
export function isRecreate(deployment: ApiObject): boolean {
  return text(deployment, "spec", "strategy", "type") === "Recreate";
}
