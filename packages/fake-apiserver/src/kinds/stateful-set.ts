import { specDefaults } from "./defaults/fill.ts";
import { statefulSetDefaults } from "./defaults/workloads.ts";
import { ageColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import {
  containersColumn,
  imagesColumn,
  readyColumn,
  workload,
  workloadScale,
} from "./workload.ts";
import { statefulSetRules } from "../rules/workloads/stateful-set.ts";
import { checkDnsLabel } from "../validation/names.ts";
import { dropFromTemplate } from "./disabled-fields.ts";

/** StatefulSet of apps. */
export const statefulSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  nameRule: checkDnsLabel,
  dropDisabled: dropFromTemplate,
  podTemplate: ["spec", "template"],
  defaults: specDefaults(statefulSetDefaults),
  rules: statefulSetRules,
  shortNames: ["sts"],
  scale: workloadScale,
  columns: [readyColumn, ageColumn, containersColumn, imagesColumn],
});
