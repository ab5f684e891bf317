import { field, orNone } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { replicaColumns, selectorColumn, workloadScale } from "./workload.ts";

/** ReplicationController of the core group. */
export const replicationControllerKind: Kind = defineKind({
  version: "v1",
  kind: "ReplicationController",
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
