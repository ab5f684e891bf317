import {
  mutatingAdmissionPolicyBindingKind,
  mutatingAdmissionPolicyKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyKind,
  validatingAdmissionPolicyBindingKind,
  validatingWebhookConfigurationKind,
} from "./admission-registration.ts";
import { apiServiceKind } from "./api-service.ts";
import { bindingKind, componentStatusKind } from "./pod-subresources.ts";
import { certificateSigningRequestKind } from "./certificate-signing-request.ts";
import { configMapKind } from "./config-map.ts";
import { controllerRevisionKind } from "./controller-revision.ts";
import { cronJobKind } from "./cron-job.ts";
import { csiDriverKind, csiNodeKind, csiStorageCapacityKind, volumeAttachmentKind } from "./csi.ts";
import { customResourceDefinitionKind } from "./custom-resource-definition.ts";
import { daemonSetKind } from "./daemon-set.ts";
import { deploymentKind } from "./deployment.ts";
import {
  deviceClassKind,
  deviceTaintRuleKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceSliceKind,
} from "./device.ts";
import { endpointSliceKind } from "./endpoint-slice.ts";
import { endpointsKind } from "./endpoints.ts";
import { coreEventKind, eventKind } from "./event.ts";
import { flowSchemaKind, priorityLevelConfigurationKind } from "./flow-control.ts";
import { horizontalPodAutoscalerKind } from "./horizontal-pod-autoscaler.ts";
import { ingressClassKind, ingressKind } from "./ingress.ts";
import { jobKind } from "./job.ts";
import { leaseKind } from "./lease.ts";
import { limitRangeKind, resourceQuotaKind } from "./limits.ts";
import { namespaceKind } from "./namespace.ts";
import { networkPolicyKind } from "./network-policy.ts";
import { nodeKind } from "./node.ts";
import { persistentVolumeClaimKind, persistentVolumeKind } from "./persistent-volume.ts";
import { podKind } from "./pod.ts";
import { clusterTrustBundleKind, podCertificateRequestKind } from "./pod-certificates.ts";
import { podDisruptionBudgetKind } from "./pod-disruption-budget.ts";
import { podTemplateKind } from "./pod-template.ts";
import { clusterRoleBindingKind, clusterRoleKind, roleBindingKind, roleKind } from "./rbac.ts";
import { replicaSetKind } from "./replica-set.ts";
import { replicationControllerKind } from "./replication-controller.ts";
import { priorityClassKind } from "./priority-class.ts";
import { runtimeClassKind } from "./runtime-class.ts";
import { secretKind } from "./secret.ts";
import { serviceKind } from "./service.ts";
import { ipAddressKind, serviceCidrKind } from "./service-address.ts";
import { serviceAccountKind } from "./service-account.ts";
import { statefulSetKind } from "./stateful-set.ts";
import { storageVersionMigrationKind } from "./storage-version-migration.ts";
import { storageClassKind, volumeAttributesClassKind } from "./storage-class.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { Kind } from "./define-kind.ts";

/**
 * The built-in kinds, in the order of discovery. Review kinds that store nothing, such as
 * TokenReview, are not among them.
 */
export const builtinKinds: readonly Kind[] = [
  bindingKind,
  componentStatusKind,
  configMapKind,
  endpointsKind,
  coreEventKind,
  limitRangeKind,
  namespaceKind,
  nodeKind,
  persistentVolumeClaimKind,
  persistentVolumeKind,
  podKind,
  podTemplateKind,
  replicationControllerKind,
  resourceQuotaKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
  controllerRevisionKind,
  daemonSetKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
  horizontalPodAutoscalerKind,
  cronJobKind,
  jobKind,
  eventKind,
  certificateSigningRequestKind,
  clusterTrustBundleKind,
  podCertificateRequestKind,
  ingressClassKind,
  ingressKind,
  ipAddressKind,
  networkPolicyKind,
  serviceCidrKind,
  podDisruptionBudgetKind,
  clusterRoleBindingKind,
  clusterRoleKind,
  roleBindingKind,
  roleKind,
  csiDriverKind,
  csiNodeKind,
  csiStorageCapacityKind,
  storageClassKind,
  volumeAttachmentKind,
  volumeAttributesClassKind,
  mutatingAdmissionPolicyKind,
  mutatingAdmissionPolicyBindingKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyKind,
  validatingAdmissionPolicyBindingKind,
  validatingWebhookConfigurationKind,
  customResourceDefinitionKind,
  apiServiceKind,
  priorityClassKind,
  leaseKind,
  runtimeClassKind,
  endpointSliceKind,
  deviceClassKind,
  deviceTaintRuleKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceSliceKind,
  flowSchemaKind,
  priorityLevelConfigurationKind,
  storageVersionMigrationKind,
];

/** The resources of the built-in kinds, in the order of discovery. */
export function builtinResources(): readonly ResourceDefinition[] {
  return builtinKinds.map(({ definition }) => definition);
}
