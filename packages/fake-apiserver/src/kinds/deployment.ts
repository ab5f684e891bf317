import { specDefaults } from "./defaults/fill.ts";
import { deploymentDefaults } from "./defaults/workloads.ts";
import { count } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import {
  containersColumn,
  imagesColumn,
  readyColumn,
  selectorColumn,
  workload,
  workloadScale,
} from "./workload.ts";
import { deploymentRules } from "../rules/workloads/deployment.ts";
import { dropFromTemplate } from "./disabled-fields.ts";

/** Deployment of apps. */
export const deploymentKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "Deployment",
  dropDisabled: dropFromTemplate,
  podTemplate: ["spec", "template"],
  defaults: specDefaults(deploymentDefaults),
  rules: deploymentRules,
  shortNames: ["deploy"],
  scale: workloadScale,
  desiredState: ({ metadata, spec }) => ({ annotations: metadata.annotations, spec }),
  columns: [
    readyColumn,
    // Numbers in columns of texts, as the real server has them.
    builtinColumn("Up-to-date", (deployment) => count(deployment, "status", "updatedReplicas")),
    builtinColumn("Available", (deployment) => count(deployment, "status", "availableReplicas")),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
});
