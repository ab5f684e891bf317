import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { field } from "../base/read-fields.ts";
import { controllerReference, type OwnerKind } from "./ownership.ts";

/**
 * Returns a new pod of the template in the spec of an owner (k8s.io/kubernetes pkg/controller
 * `GetPodFromTemplate`).
 */
export function podFromTemplate(
  kind: OwnerKind,
  owner: ApiObject,
  template: unknown = field(owner, "spec", "template"),
): ApiObject {
  const { annotations, finalizers, labels } = recordOf(field(template, "metadata"));
  const { name, namespace } = owner.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${name}-`,
      namespace,
      ...(isLabels(labels) && { labels }),
      ...(isLabels(annotations) && { annotations }),
      ...(Array.isArray(finalizers) && { finalizers }),
      ownerReferences: [controllerReference(kind, owner)],
    },
    spec: recordOf(field(template, "spec")),
  };
}

function isLabels(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null;
}
