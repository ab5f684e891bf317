// generator/index.ts
export { generateDefinitions, type GenerateOptions } from "./generate-definitions.ts";

// generator/generate-definitions.ts
export interface GenerateOptions {
    readonly imports?: "layers" | "listwatch" | undefined;
    readonly groups?: readonly string[] | undefined;
}
export declare function generateDefinitions(documents: readonly unknown[], options?: GenerateOptions): string;

// admissionregistration.k8s.io/v1.generated.ts
export declare const mutatingadmissionpolicies: Resource<MutatingAdmissionPolicy, "Cluster", object>;
export declare const mutatingadmissionpolicybindings: Resource<MutatingAdmissionPolicyBinding, "Cluster", object>;
export declare const mutatingwebhookconfigurations: Resource<MutatingWebhookConfiguration, "Cluster", object>;
export declare const validatingadmissionpolicies: Resource<ValidatingAdmissionPolicy, "Cluster", {
    status: ValidatingAdmissionPolicy;
}>;
export declare const validatingadmissionpolicybindings: Resource<ValidatingAdmissionPolicyBinding, "Cluster", object>;
export declare const validatingwebhookconfigurations: Resource<ValidatingWebhookConfiguration, "Cluster", object>;

// apiextensions.k8s.io/v1.generated.ts
export declare const customresourcedefinitions: Resource<CustomResourceDefinition, "Cluster", {
    status: CustomResourceDefinition;
}>;

// apiregistration.k8s.io/v1.generated.ts
export declare const apiservices: Resource<APIService, "Cluster", {
    status: APIService;
}>;

// apps/v1.generated.ts
export declare const controllerrevisions: Resource<ControllerRevision, "Namespaced", object>;
export declare const daemonsets: Resource<DaemonSet, "Namespaced", {
    status: DaemonSet;
}>;
export declare const deployments: Resource<Deployment, "Namespaced", {
    scale: Scale;
    status: Deployment;
}>;
export declare const replicasets: Resource<ReplicaSet, "Namespaced", {
    scale: Scale;
    status: ReplicaSet;
}>;
export declare const statefulsets: Resource<StatefulSet, "Namespaced", {
    scale: Scale;
    status: StatefulSet;
}>;

// authentication.k8s.io/v1.generated.ts
export declare const selfsubjectreviews: Resource<SelfSubjectReview, "Cluster", object>;
export declare const tokenreviews: Resource<TokenReview, "Cluster", object>;

// authorization.k8s.io/v1.generated.ts
export declare const localsubjectaccessreviews: Resource<LocalSubjectAccessReview, "Namespaced", object>;
export declare const selfsubjectaccessreviews: Resource<SelfSubjectAccessReview, "Cluster", object>;
export declare const selfsubjectrulesreviews: Resource<SelfSubjectRulesReview, "Cluster", object>;
export declare const subjectaccessreviews: Resource<SubjectAccessReview, "Cluster", object>;

// autoscaling/v1.generated.ts
export declare const horizontalpodautoscalers: Resource<HorizontalPodAutoscaler, "Namespaced", {
    status: HorizontalPodAutoscaler;
}>;

// autoscaling/v2.generated.ts
export declare const horizontalpodautoscalers: Resource<HorizontalPodAutoscaler, "Namespaced", {
    status: HorizontalPodAutoscaler;
}>;

// batch/v1.generated.ts
export declare const cronjobs: Resource<CronJob, "Namespaced", {
    status: CronJob;
}>;
export declare const jobs: Resource<Job, "Namespaced", {
    status: Job;
}>;

// certificates.k8s.io/v1.generated.ts
export declare const certificatesigningrequests: Resource<CertificateSigningRequest, "Cluster", {
    approval: CertificateSigningRequest;
    status: CertificateSigningRequest;
}>;

// coordination.k8s.io/v1.generated.ts
export declare const leases: Resource<Lease, "Namespaced", object>;

// core/v1.generated.ts
export declare const bindings: Resource<Binding, "Namespaced", object>;
export declare const componentstatuses: Resource<ComponentStatus, "Cluster", object>;
export declare const configmaps: Resource<ConfigMap, "Namespaced", object>;
export declare const endpoints: Resource<Endpoints, "Namespaced", object>;
export declare const events: Resource<Event, "Namespaced", object>;
export declare const limitranges: Resource<LimitRange, "Namespaced", object>;
export declare const namespaces: Resource<Namespace, "Cluster", {
    finalize: Namespace;
    status: Namespace;
}>;
export declare const nodes: Resource<Node, "Cluster", {
    status: Node;
}>;
export declare const persistentvolumeclaims: Resource<PersistentVolumeClaim, "Namespaced", {
    status: PersistentVolumeClaim;
}>;
export declare const persistentvolumes: Resource<PersistentVolume, "Cluster", {
    status: PersistentVolume;
}>;
export declare const pods: Resource<Pod, "Namespaced", PodSubresources>;
export declare const podtemplates: Resource<PodTemplate, "Namespaced", object>;
export declare const replicationcontrollers: Resource<ReplicationController, "Namespaced", {
    scale: Scale;
    status: ReplicationController;
}>;
export declare const resourcequotas: Resource<ResourceQuota, "Namespaced", {
    status: ResourceQuota;
}>;
export declare const secrets: Resource<Secret, "Namespaced", object>;
export declare const serviceaccounts: Resource<ServiceAccount, "Namespaced", {
    token: TokenRequest;
}>;
export declare const services: Resource<Service, "Namespaced", {
    status: Service;
}>;

// discovery.k8s.io/v1.generated.ts
export declare const endpointslices: Resource<EndpointSlice, "Namespaced", object>;

// events.k8s.io/v1.generated.ts
export declare const events: Resource<Event, "Namespaced", object>;

// flowcontrol.apiserver.k8s.io/v1.generated.ts
export declare const flowschemas: Resource<FlowSchema, "Cluster", {
    status: FlowSchema;
}>;
export declare const prioritylevelconfigurations: Resource<PriorityLevelConfiguration, "Cluster", {
    status: PriorityLevelConfiguration;
}>;

// meta/v1.generated.ts

// networking.k8s.io/v1.generated.ts
export declare const ingressclasses: Resource<IngressClass, "Cluster", object>;
export declare const ingresses: Resource<Ingress, "Namespaced", {
    status: Ingress;
}>;
export declare const ipaddresses: Resource<IPAddress, "Cluster", object>;
export declare const networkpolicies: Resource<NetworkPolicy, "Namespaced", object>;
export declare const servicecidrs: Resource<ServiceCIDR, "Cluster", {
    status: ServiceCIDR;
}>;

// node.k8s.io/v1.generated.ts
export declare const runtimeclasses: Resource<RuntimeClass, "Cluster", object>;

// policy/v1.generated.ts
export declare const poddisruptionbudgets: Resource<PodDisruptionBudget, "Namespaced", {
    status: PodDisruptionBudget;
}>;

// rbac.authorization.k8s.io/v1.generated.ts
export declare const clusterrolebindings: Resource<ClusterRoleBinding, "Cluster", object>;
export declare const clusterroles: Resource<ClusterRole, "Cluster", object>;
export declare const rolebindings: Resource<RoleBinding, "Namespaced", object>;
export declare const roles: Resource<Role, "Namespaced", object>;

// resource.k8s.io/v1.generated.ts
export declare const deviceclasses: Resource<DeviceClass, "Cluster", object>;
export declare const resourceclaims: Resource<ResourceClaim, "Namespaced", {
    status: ResourceClaim;
}>;
export declare const resourceclaimtemplates: Resource<ResourceClaimTemplate, "Namespaced", object>;
export declare const resourceslices: Resource<ResourceSlice, "Cluster", object>;

// scheduling.k8s.io/v1.generated.ts
export declare const priorityclasses: Resource<PriorityClass, "Cluster", object>;

// storage.k8s.io/v1.generated.ts
export declare const csidrivers: Resource<CSIDriver, "Cluster", object>;
export declare const csinodes: Resource<CSINode, "Cluster", object>;
export declare const csistoragecapacities: Resource<CSIStorageCapacity, "Namespaced", object>;
export declare const storageclasses: Resource<StorageClass, "Cluster", object>;
export declare const volumeattachments: Resource<VolumeAttachment, "Cluster", {
    status: VolumeAttachment;
}>;
export declare const volumeattributesclasses: Resource<VolumeAttributesClass, "Cluster", object>;
