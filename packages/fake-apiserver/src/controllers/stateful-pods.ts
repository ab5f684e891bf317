import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";
import { controllerReference, type OwnerKind } from "./ownership.ts";
import type { PodFacts } from "./pod-facts.ts";
import { podFromTemplate } from "./pod-template.ts";
import { stringMap } from "./string-map.ts";

/** Label of a pod with the name of its revision. */
export const revisionLabel = "controller-revision-hash";

/** Returns the number at the end of a pod's name; -1 if the set has no such pod. */
export function ordinalOf(set: ApiObject, pod: PodFacts): number {
  const prefix = `${set.metadata.name}-`;
  const { name } = pod.stored;
  const digits = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d+$/.test(digits) ? Number(digits) : -1;
}

/** Returns the first number of a set's pods. */
export function startOf(set: ApiObject): number {
  return count(set, "spec", "ordinals", "start");
}

/** Returns a new pod of a StatefulSet (pkg/controller/statefulset `newStatefulSetPod`). */
export function statefulPod(
  kind: OwnerKind,
  set: ApiObject,
  template: JsonObject,
  { ordinal, revision }: { readonly ordinal: number; readonly revision: string },
): ApiObject {
  const { metadata, spec: given, ...pod } = podFromTemplate(kind, set, template);
  const { generateName: _prefix, labels, ...others } = metadata;
  const name = `${set.metadata.name}-${ordinal}`;
  const spec = recordOf(given);
  const claims = claimTemplates(set).map((claim) => ({
    name: text(claim, "metadata", "name"),
    persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
  }));
  const claimed = new Set(claims.map((volume) => volume.name));
  const volumes = [
    ...objects(spec, "volumes").filter((volume) => !claimed.has(text(volume, "name"))),
    ...claims,
  ];
  return {
    ...pod,
    metadata: {
      ...others,
      name,
      labels: {
        ...labels,
        "apps.kubernetes.io/pod-index": String(ordinal),
        [revisionLabel]: revision,
        "statefulset.kubernetes.io/pod-name": name,
      },
    },
    spec: {
      ...spec,
      hostname: name,
      ...(text(set, "spec", "serviceName") !== "" && {
        subdomain: text(set, "spec", "serviceName"),
      }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

/** Returns the claims of a pod of a StatefulSet. */
export function statefulClaims(
  kind: OwnerKind,
  set: ApiObject,
  ordinal: number,
): readonly ApiObject[] {
  const policy = field(set, "spec", "persistentVolumeClaimRetentionPolicy");
  const isDeleted = text(policy, "whenDeleted") === "Delete";
  return claimTemplates(set).map((claim): ApiObject => {
    const { labels, annotations } = recordOf(claim["metadata"]);
    const matchLabels = recordOf(field(set, "spec", "selector", "matchLabels"));
    const metadata: ApiObject["metadata"] = {
      name: claimName(set, claim, ordinal),
      namespace: set.metadata.namespace,
      labels: stringMap({ ...recordOf(labels), ...matchLabels }),
      ...(annotations !== undefined && { annotations: stringMap(annotations) }),
      ...(isDeleted && { ownerReferences: [controllerReference(kind, set)] }),
    };
    return { metadata, spec: claim["spec"] };
  });
}

/** Returns the names of the claims of the pod with a number. */
export function claimNames(set: ApiObject, ordinal: number): readonly string[] {
  return claimTemplates(set).map((claim) => claimName(set, claim, ordinal));
}

function claimTemplates(set: ApiObject): readonly JsonObject[] {
  return objects(set, "spec", "volumeClaimTemplates");
}

function claimName(set: ApiObject, claim: JsonObject, ordinal: number): string {
  return `${text(claim, "metadata", "name")}-${set.metadata.name}-${ordinal}`;
}
