import { specDefaults } from "./defaults/fill.ts";
import { daemonSetDefaults } from "./defaults/workloads.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { field, orNone } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { containersColumn, counter, imagesColumn, selectorColumn, workload } from "./workload.ts";
import { daemonSetRules } from "../rules/workloads/daemon-set.ts";

/** DaemonSet of apps. */
export const daemonSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  podTemplate: ["spec", "template"],
  defaults: specDefaults(daemonSetDefaults),
  rules: daemonSetRules,
  strategy: () => ({ prepareForCreate: withTemplateGeneration }),
  shortNames: ["ds"],
  columns: [
    counter(
      "Desired",
      "The total number of nodes that should be running the daemon pod.",
      "status",
      "desiredNumberScheduled",
    ),
    counter(
      "Current",
      "The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod.",
      "status",
      "currentNumberScheduled",
    ),
    counter(
      "Ready",
      "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready condition.",
      "status",
      "numberReady",
    ),
    counter(
      "Up-to-date",
      "The total number of nodes that are running updated daemon pod.",
      "status",
      "updatedNumberScheduled",
    ),
    counter(
      "Available",
      "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available.",
      "status",
      "numberAvailable",
    ),
    builtinColumn(
      "Node Selector",
      "Selector which must match a node's labels for the pod to be scheduled on that node.",
      (object) => orNone(formatLabels(field(object, "spec", "template", "spec", "nodeSelector"))),
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
});

// pkg/apis/apps/v1: `DeprecatedTemplateGeneration`, a field of the old version of the kind.
function withTemplateGeneration(object: ApiObject): ApiObject {
  const annotations = {
    "deprecated.daemonset.template.generation": "1",
    ...object.metadata.annotations,
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
