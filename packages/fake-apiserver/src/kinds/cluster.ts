import type { ResourceDefinition } from "../api/resource-definition.ts";
import { builtinResource } from "./builtin-definition.ts";
import type { BuiltinTraits } from "./builtin-definition.ts";
import {
  apiServiceColumns,
  certificateColumns,
  leaseColumns,
  webhookColumns,
} from "./columns-cluster.ts";
import {
  endpointSliceColumns,
  ingressClassColumns,
  ingressColumns,
  networkPolicyColumns,
} from "./columns-network.ts";
import { disruptionBudgetColumns, roleBindingColumns, roleColumns } from "./columns-policy.ts";
import {
  csiDriverColumns,
  csiNodeColumns,
  priorityClassColumns,
  runtimeClassColumns,
  storageClassColumns,
  volumeAttachmentColumns,
} from "./columns-storage.ts";
import { eventsGroupColumns, storedAsCoreEvents } from "./events.ts";

/** As k8s.io/kubernetes pkg/apis/events/v1 `AddFieldLabelConversionsForEvent`. */
const EVENT_FIELDS = [
  "reason",
  "regarding.kind",
  "regarding.namespace",
  "regarding.name",
  "regarding.uid",
  "regarding.apiVersion",
  "regarding.resourceVersion",
  "regarding.fieldPath",
  "reportingController",
  "source",
  "type",
];

/** RBAC kinds: PUT to a missing name creates, and needs no resourceVersion. */
const ROLE = { createOnUpdate: true, unconditionalUpdate: true } as const;
const API_EXTENSION = { categories: ["api-extensions"], cluster: true } as const;

/** Group and version to the resources in it, in the order of discovery. */
const GROUPS: readonly (readonly [string, string, readonly BuiltinTraits[]])[] = [
  [
    "events.k8s.io",
    "v1",
    [
      {
        kind: "Event",
        shortNames: ["ev"],
        createOnUpdate: true,
        fields: EVENT_FIELDS,
        unconditionalUpdate: true,
        columns: eventsGroupColumns,
        storedAs: storedAsCoreEvents,
      },
    ],
  ],
  [
    "certificates.k8s.io",
    "v1",
    [
      {
        kind: "CertificateSigningRequest",
        shortNames: ["csr"],
        cluster: true,
        status: true,
        unconditionalUpdate: true,
        fields: ["spec.signerName"],
        columns: certificateColumns,
      },
    ],
  ],
  [
    "networking.k8s.io",
    "v1",
    [
      {
        kind: "IngressClass",
        plural: "ingressclasses",
        cluster: true,
        generation: true,
        unconditionalUpdate: true,
        columns: ingressClassColumns,
      },
      {
        kind: "Ingress",
        plural: "ingresses",
        shortNames: ["ing"],
        status: true,
        generation: true,
        unconditionalUpdate: true,
        columns: ingressColumns,
      },
      {
        kind: "NetworkPolicy",
        plural: "networkpolicies",
        shortNames: ["netpol"],
        generation: true,
        unconditionalUpdate: true,
        columns: networkPolicyColumns,
      },
    ],
  ],
  [
    "policy",
    "v1",
    [
      {
        kind: "PodDisruptionBudget",
        shortNames: ["pdb"],
        status: true,
        generation: true,
        columns: disruptionBudgetColumns,
      },
    ],
  ],
  [
    "rbac.authorization.k8s.io",
    "v1",
    [
      { ...ROLE, kind: "ClusterRoleBinding", cluster: true, columns: roleBindingColumns },
      { ...ROLE, kind: "ClusterRole", cluster: true, columns: roleColumns },
      { ...ROLE, kind: "RoleBinding", columns: roleBindingColumns },
      { ...ROLE, kind: "Role", columns: roleColumns },
    ],
  ],
  [
    "storage.k8s.io",
    "v1",
    [
      { kind: "CSIDriver", cluster: true, generation: true, columns: csiDriverColumns },
      { kind: "CSINode", cluster: true, columns: csiNodeColumns },
      {
        kind: "StorageClass",
        plural: "storageclasses",
        shortNames: ["sc"],
        cluster: true,
        unconditionalUpdate: true,
        returnsDeletedObject: true,
        columns: storageClassColumns,
      },
      {
        kind: "VolumeAttachment",
        cluster: true,
        status: true,
        returnsDeletedObject: true,
        columns: volumeAttachmentColumns,
      },
    ],
  ],
  [
    "admissionregistration.k8s.io",
    "v1",
    [
      {
        ...API_EXTENSION,
        kind: "MutatingWebhookConfiguration",
        generation: true,
        columns: webhookColumns,
      },
      {
        ...API_EXTENSION,
        kind: "ValidatingAdmissionPolicy",
        plural: "validatingadmissionpolicies",
        status: true,
        generation: true,
      },
      { ...API_EXTENSION, kind: "ValidatingAdmissionPolicyBinding", generation: true },
      {
        ...API_EXTENSION,
        kind: "ValidatingWebhookConfiguration",
        generation: true,
        columns: webhookColumns,
      },
    ],
  ],
  [
    "apiextensions.k8s.io",
    "v1",
    [
      {
        ...API_EXTENSION,
        kind: "CustomResourceDefinition",
        shortNames: ["crd", "crds"],
        status: true,
        generation: true,
      },
    ],
  ],
  [
    "apiregistration.k8s.io",
    "v1",
    [{ ...API_EXTENSION, kind: "APIService", status: true, columns: apiServiceColumns }],
  ],
  [
    "scheduling.k8s.io",
    "v1",
    [
      {
        kind: "PriorityClass",
        plural: "priorityclasses",
        shortNames: ["pc"],
        cluster: true,
        generation: true,
        unconditionalUpdate: true,
        columns: priorityClassColumns,
      },
    ],
  ],
  ["coordination.k8s.io", "v1", [{ kind: "Lease", createOnUpdate: true, columns: leaseColumns }]],
  [
    "node.k8s.io",
    "v1",
    [
      {
        kind: "RuntimeClass",
        plural: "runtimeclasses",
        cluster: true,
        createOnUpdate: true,
        columns: runtimeClassColumns,
      },
    ],
  ],
  [
    "discovery.k8s.io",
    "v1",
    [{ kind: "EndpointSlice", generation: true, columns: endpointSliceColumns }],
  ],
  [
    "flowcontrol.apiserver.k8s.io",
    "v1",
    [
      {
        kind: "FlowSchema",
        cluster: true,
        status: true,
        generation: true,
        unconditionalUpdate: true,
      },
      {
        kind: "PriorityLevelConfiguration",
        cluster: true,
        status: true,
        generation: true,
        unconditionalUpdate: true,
      },
    ],
  ],
];

/** The resources of all groups but the core one and the workloads'. */
export const clusterResources: readonly ResourceDefinition[] = GROUPS.flatMap(
  ([group, version, resources]) =>
    resources.map((traits) => builtinResource(group, version, traits)),
);
