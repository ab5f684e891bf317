import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { each, within, withMembersOf } from "./defaults/fill.ts";

/** A path to a field; `*` stands for each item of a list. */
type Path = readonly string[];

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
const podFields: readonly Path[] = [
  "schedulingGroup",
  "evictionResponders",
  ...["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    containerFields.map((name) => `${list}.*.${name}`),
  ),
  "volumes.*.emptyDir.mode",
  ...volumeUsers.map((name) => `volumes.*.${name}`),
].map((path) => path.split("."));

function ofPodSpec(spec: JsonObject): JsonObject {
  return podFields.reduce((kept, path) => without(kept, path, 0), spec);
}

/** A pod without fields of features that are off. */
export function dropFromPod(pod: ApiObject): ApiObject {
  return withMembersOf(within(pod, "spec", ofPodSpec), pod);
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
      within(job, "spec", (inner) => ofTemplateIn(without(inner, ["scheduling"], 0))),
    );
  return withMembersOf(within(cronJob, "spec", ofJobIn), cronJob);
}

/** A Job without fields of features that are off. */
export function dropFromJob(job: ApiObject): ApiObject {
  return dropFromTemplate(withMembersOf(without(job, ["spec", "scheduling"], 0), job));
}

/** A ResourceSlice without fields of features that are off. */
export function dropFromResourceSlice(slice: ApiObject): ApiObject {
  return withMembersOf(without(slice, ["spec", "partitionTypeAttribute"], 0), slice);
}

/** A Node without fields of features that are off. */
export function dropFromNode(node: ApiObject): ApiObject {
  const fields: readonly Path[] = [
    ["spec", "podPreemptionPolicy"],
    // Dynamic configuration of kubelets is gone: pkg/registry/core/node/strategy.go.
    ["spec", "configSource"],
    ["status", "config"],
  ];
  return withMembersOf(
    fields.reduce<JsonObject>((kept, path) => without(kept, path, 0), node),
    node,
  );
}

/** A CSINode without fields of features that are off. */
export function dropFromCsiNode(node: ApiObject): ApiObject {
  return withMembersOf(without(node, ["status", "storageHealth"], 0), node);
}

function ofTemplateIn(spec: JsonObject): JsonObject {
  return within(spec, "template", (template) => within(template, "spec", ofPodSpec));
}

/** Removes the field at a path, of which `at` members have been followed. */
function without(object: JsonObject, path: Path, at: number): JsonObject {
  const name = path[at]!;
  if (!isRecord(object) || !Object.hasOwn(object, name)) return object;
  if (at < path.length - 1) {
    return path[at + 1] === "*"
      ? each(object, name, (item) => without(item, path, at + 2))
      : within(object, name, (member) => without(member, path, at + 1));
  }
  const { [name]: _dropped, ...kept } = object;
  return kept;
}
