import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { specDefaults } from "./defaults/fill.ts";
import { replicationControllerDefaults, templateLabels } from "./defaults/workloads.ts";
import { field, orNone } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { replicaColumns, selectorColumn, workloadScale } from "./workload.ts";
import { replicationControllerRules } from "../rules/workloads/replication-controller.ts";
import { dropFromTemplate } from "./disabled-fields.ts";

/** ReplicationController of the core group. */
export const replicationControllerKind: Kind = defineKind({
  version: "v1",
  kind: "ReplicationController",
  dropDisabled: dropFromTemplate,
  podTemplate: ["spec", "template"],
  dependents: "kept",
  defaults: controllerWithDefaults,
  rules: replicationControllerRules,
  unconditionalUpdate: true,
  shortNames: ["rc"],
  categories: ["all"],
  status: true,
  scale: workloadScale,
  generation: true,
  selectableFields: [{ path: "status.replicas", zero: "0" }],
  columns: [
    ...replicaColumns,
    // The selector is a plain map here.
    {
      ...selectorColumn,
      cell: (object) => orNone(formatLabels(field(object, "spec", "selector"))),
    },
  ],
});

// A controller without labels has those of its pods.
function controllerWithDefaults(controller: ApiObject): ApiObject {
  const filled = specDefaults(replicationControllerDefaults)(controller);
  const found = templateLabels(recordOf(filled["spec"]));
  if (filled.metadata.labels !== undefined || found === undefined) return filled;
  return { ...filled, metadata: { ...filled.metadata, ...{ labels: stringLabels(found) } } };
}

function stringLabels(labels: object): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]));
}
