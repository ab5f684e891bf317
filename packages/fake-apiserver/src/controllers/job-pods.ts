import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text } from "../base/read-fields.ts";
import type { OwnerKind } from "./ownership.ts";
import type { PodFacts } from "./pod-facts.ts";
import { podFromTemplate } from "./pod-template.ts";

/** Finalizer of pods that are not counted yet. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
const indexKey = "batch.kubernetes.io/job-completion-index";

/** Returns the index of a pod of an indexed Job; `undefined` for other pods. */
export function indexOf({ stored }: PodFacts): number | undefined {
  const index = stored.object.metadata.annotations?.[indexKey];
  return index === undefined ? undefined : Number(index);
}

/** Returns a new pod of a Job. */
export function jobPod(kind: OwnerKind, job: ApiObject, index: number | undefined): ApiObject {
  const pod = podFromTemplate(kind, job);
  const { annotations, labels, finalizers = [] } = pod.metadata;
  const tracked = { ...pod.metadata, finalizers: [...finalizers, trackingFinalizer] };
  if (index === undefined) return { ...pod, metadata: tracked };
  const number = { [indexKey]: String(index) };
  const spec = recordOf(pod["spec"]);
  const fieldPath = `metadata.labels['${indexKey}']`;
  const variable = { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef: { fieldPath } } };
  const withIndex = (container: object): object => {
    const env = objects(container, "env");
    const isSet = env.some((one) => text(one, "name") === variable.name);
    return isSet ? container : { ...container, env: [...env, variable] };
  };
  return {
    ...pod,
    metadata: {
      ...tracked,
      generateName: `${job.metadata.name}-${index}-`,
      annotations: { ...annotations, ...number },
      labels: { ...labels, ...number },
    },
    spec: {
      ...spec,
      hostname: `${job.metadata.name}-${index}`,
      containers: objects(spec, "containers").map(withIndex),
      ...(spec["initContainers"] !== undefined && {
        initContainers: objects(spec, "initContainers").map(withIndex),
      }),
    },
  };
}

/** Reads indexes such as `1,3-5`. */
export function readIndexes(indexes: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of indexes.split(",").filter((one) => one !== "")) {
    const [from = 0, to = from] = part.split("-").map(Number);
    for (let index = from; index <= to; index++) found.add(index);
  }
  return found;
}

/** Formats indexes as `1,3-5`. */
export function formatIndexes(indexes: Iterable<number>): string {
  const parts: [from: number, to: number][] = [];
  for (const index of Array.from(indexes).toSorted((left, right) => left - right)) {
    const last = parts.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else parts.push([index, index]);
  }
  // Two neighbours have a comma: pkg/controller/job/indexed_job_utils.go.
  return parts
    .map(([from, to]) => (from === to ? `${from}` : `${from}${to - from === 1 ? "," : "-"}${to}`))
    .join(",");
}
