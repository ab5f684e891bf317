import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { each, within, withMembersOf } from "./defaults/fill.ts";

/** A field, and the fields in it or in its items. A field without any is dropped. */
interface Field {
  readonly name: string;
  readonly ofItems: boolean;
  readonly fields: readonly Field[];
}

const probes = ["livenessProbe", "readinessProbe", "startupProbe"];
const volumeUsers = [
  ...["secret", "configMap", "downwardAPI", "projected"].map((source) => `${source}.defaultUser`),
  ...["secret", "configMap", "downwardAPI"].flatMap((source) => [
    `${source}.items.*.user`,
    `projected.sources.*.${source}.items.*.user`,
  ]),
  ...["serviceAccountToken", "clusterTrustBundle", "podCertificate"].map(
    (source) => `projected.sources.*.${source}.user`,
  ),
];
const containerFields = [
  "lifecycle.stopSignal",
  "lifecycle.postStart.httpGet.protocol",
  "lifecycle.preStop.httpGet.protocol",
  ...probes.flatMap((probe) => [`${probe}.httpGet.protocol`, `${probe}.grpc.mode`]),
  "volumeMounts.*.bindMountOptions",
];

/**
 * Fields of a pod's spec that a server knows but does not store, because they belong to features
 * that are off in 1.37: k8s.io/kubernetes pkg/api/pod/util.go, `dropDisabledFields`. Who sends them
 * owns them.
 */
const podFields = fieldsAt([
  "schedulingGroup",
  "evictionResponders",
  ...["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    containerFields.map((name) => `${list}.*.${name}`),
  ),
  "volumes.*.emptyDir.mode",
  ...volumeUsers.map((name) => `volumes.*.${name}`),
]);
const jobSpecFields = fieldsAt(["scheduling"]);
const jobFields = fieldsAt(["spec.scheduling"]);
const sliceFields = fieldsAt(["spec.partitionTypeAttribute"]);
const csiNodeFields = fieldsAt(["status.storageHealth"]);
const nodeFields = fieldsAt([
  "spec.podPreemptionPolicy",
  // Dynamic configuration of kubelets is gone: pkg/registry/core/node/strategy.go.
  "spec.configSource",
  "status.config",
]);

function ofPodSpec(spec: JsonObject): JsonObject {
  return without(spec, podFields);
}

/** A pod without fields of features that are off. */
export function dropFromPod(pod: ApiObject): ApiObject {
  const kept = within(pod, "spec", ofPodSpec);
  return kept === pod ? pod : withMembersOf(kept, pod);
}

/** A workload whose pod template has no fields of features that are off. */
export function dropFromTemplate(workload: ApiObject): ApiObject {
  return withMembersOf(within(workload, "spec", ofTemplateIn), workload);
}

/** A PodTemplate without fields of features that are off. */
export function dropFromPodTemplate(object: ApiObject): ApiObject {
  return withMembersOf(ofTemplateIn(object), object);
}

/** A CronJob whose pod template has no fields of features that are off. */
export function dropFromJobTemplate(cronJob: ApiObject): ApiObject {
  const ofJobIn = (spec: JsonObject): JsonObject =>
    within(spec, "jobTemplate", (job) =>
      within(job, "spec", (inner) => ofTemplateIn(without(inner, jobSpecFields))),
    );
  return withMembersOf(within(cronJob, "spec", ofJobIn), cronJob);
}

/** A Job without fields of features that are off. */
export function dropFromJob(job: ApiObject): ApiObject {
  return dropFromTemplate(withMembersOf(without(job, jobFields), job));
}

/** A ResourceSlice without fields of features that are off. */
export function dropFromResourceSlice(slice: ApiObject): ApiObject {
  return withMembersOf(without(slice, sliceFields), slice);
}

/** A Node without fields of features that are off. */
export function dropFromNode(node: ApiObject): ApiObject {
  return withMembersOf(without(node, nodeFields), node);
}

/** A CSINode without fields of features that are off. */
export function dropFromCsiNode(node: ApiObject): ApiObject {
  return withMembersOf(without(node, csiNodeFields), node);
}

function ofTemplateIn(spec: JsonObject): JsonObject {
  return within(spec, "template", (template) => within(template, "spec", ofPodSpec));
}

/** The fields at paths such as `containers.*.name`. */
function fieldsAt(paths: readonly string[]): readonly Field[] {
  const below = new Map<string, string[]>();
  for (const path of paths) {
    const [name = "", ...rest] = path.split(".");
    const inside = below.get(name) ?? [];
    below.set(name, inside);
    if (rest.length > 0) inside.push(rest.join("."));
  }
  return [...below].map(([name, inside]) => {
    const ofItems = inside.some((path) => path.startsWith("*."));
    return { name, ofItems, fields: fieldsAt(inside.map((path) => path.replace(/^\*\./, ""))) };
  });
}

/** Removes the fields from an object, in one pass: this is part of each write. */
function without(object: JsonObject, fields: readonly Field[]): JsonObject {
  let kept = object;
  for (const { fields: inner, name, ofItems } of fields) {
    if (object[name] === undefined) continue;
    if (ofItems) kept = each(kept, name, (item) => without(item, inner));
    else if (inner.length > 0) kept = within(kept, name, (member) => without(member, inner));
    else {
      const { [name]: _dropped, ...others } = kept;
      kept = others;
    }
  }
  return kept;
}
