import type { ResourceDefinition } from "../api/resource-definition.ts";
import { builtinResource, WORKLOAD_SCALE } from "./builtin-definition.ts";
import type { BuiltinTraits } from "./builtin-definition.ts";
import {
  configMapColumns,
  eventColumns,
  secretColumns,
  serviceAccountColumns,
} from "./columns-core.ts";
import { endpointsColumns, serviceColumns } from "./columns-network.ts";
import { namespaceColumns, nodeColumns } from "./columns-cluster.ts";
import { podColumns } from "./columns-pod.ts";
import { replicationControllerColumns } from "./columns-workload.ts";
import { volumeClaimColumns, volumeColumns } from "./columns-storage.ts";

const POD_FIELDS = [
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "spec.hostNetwork",
  "status.phase",
  "status.podIP",
  "status.podIPs",
  "status.nominatedNodeName",
];

const EVENT_FIELDS = [
  "involvedObject.kind",
  "involvedObject.namespace",
  "involvedObject.name",
  "involvedObject.uid",
  "involvedObject.apiVersion",
  "involvedObject.resourceVersion",
  "involvedObject.fieldPath",
  "reason",
  "reportingComponent",
  "source",
  "type",
];

const TRAITS: readonly BuiltinTraits[] = [
  { kind: "ConfigMap", shortNames: ["cm"], columns: configMapColumns },
  {
    kind: "Endpoints",
    plural: "endpoints",
    shortNames: ["ep"],
    createOnUpdate: true,
    columns: endpointsColumns,
  },
  {
    kind: "Event",
    shortNames: ["ev"],
    createOnUpdate: true,
    fields: EVENT_FIELDS,
    columns: eventColumns,
  },
  { kind: "LimitRange", shortNames: ["limits"], createOnUpdate: true },
  {
    kind: "Namespace",
    shortNames: ["ns"],
    cluster: true,
    status: true,
    fields: ["status.phase"],
    columns: namespaceColumns,
    returnsDeletedObject: true,
  },
  {
    kind: "Node",
    shortNames: ["no"],
    cluster: true,
    status: true,
    fields: ["spec.unschedulable"],
    columns: nodeColumns,
  },
  {
    kind: "PersistentVolumeClaim",
    shortNames: ["pvc"],
    status: true,
    columns: volumeClaimColumns,
    returnsDeletedObject: true,
  },
  {
    kind: "PersistentVolume",
    shortNames: ["pv"],
    cluster: true,
    status: true,
    columns: volumeColumns,
    returnsDeletedObject: true,
  },
  {
    kind: "Pod",
    shortNames: ["po"],
    categories: ["all"],
    status: true,
    generation: true,
    fields: POD_FIELDS,
    columns: podColumns,
    returnsDeletedObject: true,
    graceful: true,
  },
  { kind: "PodTemplate", generation: true, returnsDeletedObject: true },
  {
    kind: "ReplicationController",
    shortNames: ["rc"],
    categories: ["all"],
    status: true,
    scale: WORKLOAD_SCALE,
    generation: true,
    fields: ["status.replicas"],
    columns: replicationControllerColumns,
  },
  { kind: "ResourceQuota", shortNames: ["quota"], status: true, returnsDeletedObject: true },
  { kind: "Secret", fields: ["type"], columns: secretColumns },
  {
    kind: "ServiceAccount",
    shortNames: ["sa"],
    columns: serviceAccountColumns,
    returnsDeletedObject: true,
  },
  {
    kind: "Service",
    shortNames: ["svc"],
    categories: ["all"],
    status: true,
    createOnUpdate: true,
    fields: ["spec.clusterIP", "spec.type"],
    columns: serviceColumns,
    returnsDeletedObject: true,
  },
];

/** The resources of the core group, `v1`. All of them allow updates without a resourceVersion. */
export const coreResources: readonly ResourceDefinition[] = TRAITS.map((traits) =>
  builtinResource("", "v1", { ...traits, unconditionalUpdate: true }),
);
