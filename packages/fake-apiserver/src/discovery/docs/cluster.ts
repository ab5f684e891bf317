import type { TypeDocs } from "./type-doc.ts";

/** Kinds of the network, of access and of the cluster itself. */
export const clusterDocs: TypeDocs = {
  "coordination.Lease": {
    description: "Lease is a claim that somebody holds for a time.",
    fields: { spec: ["coordination.LeaseSpec", "Who holds the lease, and since when."] },
  },
  "coordination.LeaseSpec": {
    description: "LeaseSpec is the specification of a lease.",
    fields: {
      holderIdentity: ["string", "The identity of the holder."],
      leaseDurationSeconds: [
        "integer",
        "Seconds after the last renewal before others may take the lease.",
      ],
      acquireTime: ["time", "When the current lease was acquired."],
      renewTime: ["time", "When the holder has renewed the lease last."],
      leaseTransitions: ["integer", "How often the lease has changed its holder."],
    },
  },
  "networking.Ingress": {
    description:
      "Ingress is a collection of rules that let connections from outside reach services.",
    fields: {
      spec: ["networking.IngressSpec", "The desired state of the ingress."],
      status: ["object", "The current state of the ingress."],
    },
  },
  "networking.IngressSpec": {
    description: "IngressSpec describes the ingress a user wishes.",
    fields: {
      ingressClassName: ["string", "The IngressClass that implements the ingress."],
      rules: [
        "[]networking.IngressRule",
        "Rules by host; traffic that fits none goes to the default backend.",
      ],
      defaultBackend: ["object", "The backend of requests that fit no rule."],
      tls: ["[]object", "TLS configuration by host."],
    },
  },
  "networking.IngressRule": {
    description: "IngressRule maps the paths of a host to backends.",
    fields: {
      host: ["string", "The host name, possibly with a wildcard."],
      http: ["object", "Paths and their backends."],
    },
  },
  "networking.NetworkPolicy": {
    description: "NetworkPolicy describes what traffic is allowed for a set of pods.",
    fields: { spec: ["networking.NetworkPolicySpec", "The desired behaviour of the policy."] },
  },
  "networking.NetworkPolicySpec": {
    description: "NetworkPolicySpec is the specification of a policy.",
    fields: {
      podSelector: ["meta.LabelSelector", "The pods the policy applies to."],
      ingress: ["[]object", "Rules for incoming traffic."],
      egress: ["[]object", "Rules for outgoing traffic."],
      policyTypes: ["[]string", "The directions the policy is about: Ingress, Egress."],
    },
  },
  "policy.PodDisruptionBudget": {
    description: "PodDisruptionBudget limits how many pods may be disrupted at a time.",
    fields: {
      spec: ["policy.PodDisruptionBudgetSpec", "The desired behaviour of the budget."],
      status: ["object", "The most recently observed state of the budget."],
    },
  },
  "policy.PodDisruptionBudgetSpec": {
    description: "PodDisruptionBudgetSpec describes a budget.",
    fields: {
      minAvailable: ["intOrString", "Pods that must still be available after an eviction."],
      maxUnavailable: ["intOrString", "Pods that may be unavailable after an eviction."],
      selector: ["meta.LabelSelector", "The pods the budget is about."],
      unhealthyPodEvictionPolicy: ["string", "When pods that are not ready may be evicted."],
    },
  },
  "autoscaling.HorizontalPodAutoscaler": {
    description: "HorizontalPodAutoscaler changes the number of replicas of a workload by metrics.",
    fields: {
      spec: ["autoscaling.HorizontalPodAutoscalerSpec", "The behaviour of the autoscaler."],
      status: ["object", "The current information about the autoscaler."],
    },
  },
  "autoscaling.HorizontalPodAutoscalerSpec": {
    description: "HorizontalPodAutoscalerSpec describes what is scaled, and by what.",
    fields: {
      scaleTargetRef: ["object", "The workload to scale."],
      minReplicas: ["integer", "The least number of replicas. Defaults to 1."],
      maxReplicas: ["integer", "The greatest number of replicas."],
      metrics: ["[]object", "The metrics that decide on the number."],
      behavior: ["object", "How fast is scaled up and down."],
    },
    required: ["scaleTargetRef", "maxReplicas"],
  },
  "rbac.Role": {
    description: "Role is a set of permissions within a namespace.",
    fields: { rules: ["[]rbac.PolicyRule", "The rules of the role."] },
  },
  "rbac.ClusterRole": {
    description: "ClusterRole is a set of permissions within the whole cluster.",
    fields: {
      rules: ["[]rbac.PolicyRule", "The rules of the role."],
      aggregationRule: ["object", "Which other roles the rules are taken from."],
    },
  },
  "rbac.PolicyRule": {
    description: "PolicyRule says which verbs are allowed on which resources.",
    fields: {
      verbs: ["[]string", "The verbs; * means all."],
      apiGroups: ["[]string", "The groups of the resources; * means all."],
      resources: ["[]string", "The resources; * means all."],
      resourceNames: ["[]string", "The names of objects; empty means all."],
      nonResourceURLs: ["[]string", "Paths that are no resources."],
    },
    required: ["verbs"],
  },
  "rbac.RoleBinding": {
    description: "RoleBinding gives the permissions of a role to subjects, within a namespace.",
    fields: {
      roleRef: ["object", "The role. Immutable."],
      subjects: ["[]object", "Users, groups and service accounts."],
    },
    required: ["roleRef"],
  },
  "rbac.ClusterRoleBinding": {
    description:
      "ClusterRoleBinding gives the permissions of a role to subjects, in the whole cluster.",
    fields: {
      roleRef: ["object", "The role. Immutable."],
      subjects: ["[]object", "Users, groups and service accounts."],
    },
    required: ["roleRef"],
  },
  "storage.StorageClass": {
    description:
      "StorageClass describes the parameters of volumes that are provisioned dynamically.",
    fields: {
      provisioner: ["string", "The type of the provisioner."],
      parameters: ["map", "Parameters of the provisioner."],
      reclaimPolicy: ["string", "Delete (default) or Retain."],
      volumeBindingMode: ["string", "Immediate (default) or WaitForFirstConsumer."],
      allowVolumeExpansion: ["boolean", "Whether volumes can be enlarged."],
      mountOptions: ["[]string", "Options for mounting the volumes."],
    },
    required: ["provisioner"],
  },
  "discovery.EndpointSlice": {
    description: "EndpointSlice is a set of service endpoints.",
    fields: {
      addressType: ["string", "IPv4, IPv6 or FQDN. Immutable."],
      endpoints: ["[]object", "The endpoints, at most 1000."],
      ports: ["[]object", "The ports each endpoint exposes."],
    },
    required: ["addressType", "endpoints"],
  },
  "apiextensions.CustomResourceDefinition": {
    description:
      "CustomResourceDefinition defines a resource that is served like the built-in ones.",
    fields: {
      spec: ["apiextensions.CustomResourceDefinitionSpec", "How the resource ought to appear."],
      status: ["object", "The current state of the definition."],
    },
    required: ["spec"],
  },
  "apiextensions.CustomResourceDefinitionSpec": {
    description: "CustomResourceDefinitionSpec describes how a resource ought to appear.",
    fields: {
      group: ["string", "The API group of the resource."],
      names: ["apiextensions.CustomResourceDefinitionNames", "The names of the resource."],
      scope: ["string", "Cluster or Namespaced."],
      versions: [
        "[]apiextensions.CustomResourceDefinitionVersion",
        "All versions of the resource.",
      ],
      conversion: ["object", "How objects are converted between versions."],
      preserveUnknownFields: ["boolean", "Deprecated: has to be false."],
    },
    required: ["group", "names", "scope", "versions"],
  },
  "apiextensions.CustomResourceDefinitionNames": {
    description: "The names of a custom resource.",
    fields: {
      plural: ["string", "The name in paths, in lower case."],
      singular: ["string", "The singular name, in lower case."],
      kind: ["string", "The kind, in CamelCase."],
      listKind: ["string", "The kind of lists. Defaults to the kind and List."],
      shortNames: ["[]string", "Short names, in lower case."],
      categories: ["[]string", "Groups of resources it belongs to, such as all."],
    },
    required: ["plural", "kind"],
  },
  "apiextensions.CustomResourceDefinitionVersion": {
    description: "A version of a custom resource.",
    fields: {
      name: ["string", "The name of the version."],
      served: ["boolean", "Whether the version is served."],
      storage: ["boolean", "Whether objects are stored in this version; true for exactly one."],
      schema: ["object", "The schema of the version, for validation, pruning and defaults."],
      subresources: ["object", "The subresources of the version."],
      additionalPrinterColumns: ["[]object", "Columns of tables."],
      selectableFields: ["[]object", "Fields that may be used in field selectors."],
      deprecated: ["boolean", "Whether the version is deprecated; requests get a warning."],
      deprecationWarning: ["string", "The text of that warning."],
    },
    required: ["name", "served", "storage"],
  },
};
