import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { each, within, withMembersOf } from "./defaults/fill.ts";

/**
 * Fields that a server knows but does not store, because they belong to features that are off in
 * 1.36: k8s.io/kubernetes pkg/api/pod/util.go, `dropDisabledFields`. Who sends them owns them.
 */
function ofPodSpec(spec: JsonObject): JsonObject {
  let kept = without(spec, "schedulingGroup");
  for (const list of ["containers", "initContainers", "ephemeralContainers"]) {
    kept = each(kept, list, (container) =>
      within(container, "lifecycle", (lifecycle) => without(lifecycle, "stopSignal")),
    );
  }
  return each(kept, "volumes", (volume) =>
    within(volume, "projected", (projected) =>
      each(projected, "sources", (source) =>
        without(without(source, "clusterTrustBundle"), "podCertificate"),
      ),
    ),
  );
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
    within(spec, "jobTemplate", (job) => within(job, "spec", ofTemplateIn));
  return withMembersOf(within(cronJob, "spec", ofJobIn), cronJob);
}

/** A StatefulSet without fields of features that are off. */
export function dropFromStatefulSet(set: ApiObject): ApiObject {
  const dropped = within(dropFromTemplate(set), "spec", (spec) =>
    within(spec, "updateStrategy", (strategy) =>
      within(strategy, "rollingUpdate", (update) => without(update, "maxUnavailable")),
    ),
  );
  return withMembersOf(dropped, set);
}

function ofTemplateIn(spec: JsonObject): JsonObject {
  return within(spec, "template", (template) => within(template, "spec", ofPodSpec));
}

function without(object: JsonObject, name: string): JsonObject {
  if (!isRecord(object) || !Object.hasOwn(object, name)) return object;
  const { [name]: _dropped, ...kept } = object;
  return kept;
}
