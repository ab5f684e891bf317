import { specDefaults } from "./defaults/fill.ts";
import { replicaSetDefaults } from "./defaults/workloads.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { replicaColumns, selectorColumn, workload, workloadScale } from "./workload.ts";
import { replicaSetRules } from "../rules/workloads/replica-set.ts";
import { dropFromTemplate } from "./disabled-fields.ts";

/** ReplicaSet of apps. */
export const replicaSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  dropDisabled: dropFromTemplate,
  podTemplate: ["spec", "template"],
  defaults: specDefaults(replicaSetDefaults),
  rules: replicaSetRules,
  shortNames: ["rs"],
  scale: workloadScale,
  columns: [...replicaColumns, selectorColumn],
});
