import type { ResourceDefinition } from "../api/resource-definition.ts";
import { builtinResource, WORKLOAD_SCALE } from "./builtin-definition.ts";
import type { BuiltinTraits } from "./builtin-definition.ts";
import { autoscalerColumns, cronJobColumns, jobColumns } from "./columns-batch.ts";
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  statefulSetColumns,
} from "./columns-workload.ts";

/** What all workloads have in common. */
const WORKLOAD = {
  categories: ["all"],
  status: true,
  generation: true,
  unconditionalUpdate: true,
} as const;

const APPS: readonly BuiltinTraits[] = [
  { kind: "ControllerRevision", unconditionalUpdate: true, columns: controllerRevisionColumns },
  { ...WORKLOAD, kind: "DaemonSet", shortNames: ["ds"], columns: daemonSetColumns },
  {
    ...WORKLOAD,
    kind: "Deployment",
    shortNames: ["deploy"],
    scale: WORKLOAD_SCALE,
    columns: deploymentColumns,
  },
  {
    ...WORKLOAD,
    kind: "ReplicaSet",
    shortNames: ["rs"],
    scale: WORKLOAD_SCALE,
    fields: ["status.replicas"],
    columns: replicaSetColumns,
  },
  {
    ...WORKLOAD,
    kind: "StatefulSet",
    shortNames: ["sts"],
    scale: WORKLOAD_SCALE,
    columns: statefulSetColumns,
  },
];

const BATCH: readonly BuiltinTraits[] = [
  { ...WORKLOAD, kind: "CronJob", shortNames: ["cj"], columns: cronJobColumns },
  { ...WORKLOAD, kind: "Job", fields: ["status.successful"], columns: jobColumns },
];

const AUTOSCALING: readonly BuiltinTraits[] = [
  {
    ...WORKLOAD,
    kind: "HorizontalPodAutoscaler",
    shortNames: ["hpa"],
    generation: false,
    columns: autoscalerColumns,
  },
];

/** `apps/v1`, `autoscaling/v2` and `batch/v1`. */
export const workloadResources: readonly ResourceDefinition[] = [
  ...APPS.map((traits) => builtinResource("apps", "v1", traits)),
  ...AUTOSCALING.map((traits) => builtinResource("autoscaling", "v2", traits)),
  ...BATCH.map((traits) => builtinResource("batch", "v1", traits)),
];
