import type { TypeDocs } from "./type-doc.ts";

/** The kinds of the core group, but pods. */
export const coreDocs: TypeDocs = {
  "core.ConfigMap": {
    description: "ConfigMap holds configuration data for pods to consume.",
    fields: {
      data: ["map", "The configuration data as texts, by their keys."],
      binaryData: ["map", "The configuration data that is no text, in base64, by their keys."],
      immutable: ["boolean", "If true, data cannot be changed any more, only the metadata can."],
    },
  },
  "core.Secret": {
    description: "Secret holds secret data of a certain type, at most 1 MiB in all.",
    fields: {
      type: ["string", "Facilitates the programmatic handling of the data. Immutable."],
      data: ["map", "The secret data in base64, by their keys."],
      stringData: ["map", "Secret data as texts, merged into data on a write and never read back."],
      immutable: ["boolean", "If true, data cannot be changed any more, only the metadata can."],
    },
  },
  "core.Namespace": {
    description: "Namespace provides a scope for names.",
    fields: {
      spec: ["core.NamespaceSpec", "The behaviour of the namespace."],
      status: ["core.NamespaceStatus", "The current state of the namespace."],
    },
  },
  "core.NamespaceSpec": {
    description: "NamespaceSpec describes the attributes of a namespace.",
    fields: {
      finalizers: ["[]string", "Must be empty before the namespace is removed from the store."],
    },
  },
  "core.NamespaceStatus": {
    description: "NamespaceStatus is information about the current state of a namespace.",
    fields: {
      phase: ["string", "Phase in the life of the namespace: Active or Terminating."],
      conditions: ["[]meta.Condition", "The latest observations of the namespace's state."],
    },
  },
  "core.Node": {
    description: "Node is a worker machine of the cluster.",
    fields: {
      spec: ["core.NodeSpec", "The behaviour of the node."],
      status: ["core.NodeStatus", "The most recently observed state of the node. Read-only."],
    },
  },
  "core.NodeSpec": {
    description: "NodeSpec describes the attributes a node is created with.",
    fields: {
      unschedulable: ["boolean", "If true, no new pods are scheduled onto the node."],
      taints: [
        "[]core.Taint",
        "The node's taints, which keep pods away that do not tolerate them.",
      ],
      podCIDR: ["string", "The range of addresses for the pods of the node."],
      podCIDRs: [
        "[]string",
        "The ranges of addresses for the pods of the node, at most one per family.",
      ],
      providerID: ["string", "The node's id at the cloud provider."],
    },
  },
  "core.Taint": {
    description: "A taint has its effect on every pod that does not tolerate it.",
    fields: {
      key: ["string", "The key of the taint."],
      value: ["string", "The value of the taint."],
      effect: ["string", "NoSchedule, PreferNoSchedule or NoExecute."],
      timeAdded: ["time", "When the taint was added."],
    },
    required: ["key", "effect"],
  },
  "core.NodeStatus": {
    description: "NodeStatus is information about the current state of a node.",
    fields: {
      capacity: ["map[quantity]", "The total resources of the node."],
      allocatable: ["map[quantity]", "The resources of the node that are there for pods."],
      conditions: ["[]meta.Condition", "The observed conditions of the node, such as Ready."],
      addresses: ["[]core.NodeAddress", "Addresses the node can be reached at."],
      nodeInfo: ["core.NodeSystemInfo", "Ids and versions the node reports."],
      images: ["[]object", "The container images on the node."],
      phase: ["string", "Deprecated: never populated."],
    },
  },
  "core.NodeAddress": {
    description: "NodeAddress is an address of a node.",
    fields: {
      type: ["string", "Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS."],
      address: ["string", "The address."],
    },
    required: ["type", "address"],
  },
  "core.NodeSystemInfo": {
    description: "NodeSystemInfo is a set of ids and versions that identify the node.",
    fields: {
      kubeletVersion: ["string", "Version of the kubelet."],
      containerRuntimeVersion: ["string", "Name and version of the container runtime."],
      kernelVersion: ["string", "Version of the kernel."],
      osImage: ["string", "Name of the operating system's image."],
      operatingSystem: ["string", "The operating system."],
      architecture: ["string", "The architecture of the machine."],
      machineID: ["string", "The machine's id."],
    },
  },
  "core.Service": {
    description:
      "Service is a named abstraction of a network service: a port to listen at, and a selector that says which pods answer.",
    fields: {
      spec: ["core.ServiceSpec", "The behaviour of the service."],
      status: ["core.ServiceStatus", "The most recently observed state of the service. Read-only."],
    },
  },
  "core.ServiceSpec": {
    description: "ServiceSpec describes the attributes a user sets on a service.",
    fields: {
      type: [
        "string",
        "How the service is exposed: ClusterIP (default), NodePort, LoadBalancer or ExternalName.",
      ],
      selector: ["map", "The labels of the pods traffic is routed to."],
      ports: ["[]core.ServicePort", "The ports the service exposes."],
      clusterIP: [
        "string",
        "The address of the service, or None for a headless one. Cannot be changed.",
      ],
      clusterIPs: ["[]string", "The addresses of the service, one per family."],
      externalIPs: ["[]string", "Addresses at which nodes accept traffic for the service as well."],
      externalName: [
        "string",
        "The name that is given as an alias, for services of type ExternalName.",
      ],
      sessionAffinity: ["string", "ClientIP or None (default)."],
      externalTrafficPolicy: [
        "string",
        "How nodes distribute traffic from outside: Cluster or Local.",
      ],
      internalTrafficPolicy: [
        "string",
        "How nodes distribute traffic from inside: Cluster or Local.",
      ],
      ipFamilies: ["[]string", "The address families of the service: IPv4, IPv6."],
      ipFamilyPolicy: ["string", "SingleStack, PreferDualStack or RequireDualStack."],
      publishNotReadyAddresses: [
        "boolean",
        "Whether addresses of pods that are not ready are published.",
      ],
    },
  },
  "core.ServicePort": {
    description: "ServicePort contains information on a service's port.",
    fields: {
      name: [
        "string",
        "The name of the port, unique within the service; optional if there is only one.",
      ],
      port: ["integer", "The port the service exposes."],
      targetPort: ["intOrString", "Number or name of the port of the pods."],
      nodePort: ["integer", "The port on each node, for services that have one."],
      protocol: ["string", "TCP (default), UDP or SCTP."],
      appProtocol: ["string", "The application protocol of the port, as a hint."],
    },
    required: ["port"],
  },
  "core.ServiceStatus": {
    description: "ServiceStatus is the current state of a service.",
    fields: {
      loadBalancer: ["object", "The current state of the load balancer, if there is one."],
      conditions: ["[]meta.Condition", "The current state of the service."],
    },
  },
  "core.ServiceAccount": {
    description: "ServiceAccount is an identity for processes in pods.",
    fields: {
      automountServiceAccountToken: ["boolean", "Whether pods get a token mounted by default."],
      imagePullSecrets: ["[]object", "References to secrets for pulling images."],
      secrets: ["[]object", "References to secrets that pods with this account may use."],
    },
  },
  "core.Event": {
    description:
      "Event is a report of something that happened in the cluster. Events are kept for a limited time.",
    fields: {
      involvedObject: ["object", "The object the event is about."],
      reason: ["string", "Why the event was reported, in one word."],
      message: ["string", "A human readable description."],
      type: ["string", "Normal or Warning."],
      count: ["integer", "How often the event has occurred."],
      firstTimestamp: ["time", "When the event was recorded first."],
      lastTimestamp: ["time", "When the event was recorded last."],
      eventTime: ["time", "When the event was observed first."],
      source: ["object", "The component that reports the event."],
      reportingComponent: ["string", "Name of the controller that reports the event."],
      reportingInstance: ["string", "Id of the controller's instance."],
      series: ["object", "Data about the series this event represents."],
      action: ["string", "What was done or failed regarding the object."],
      related: ["object", "A second object, for more complex actions."],
    },
    required: ["involvedObject"],
  },
  "core.Endpoints": {
    description:
      "Endpoints is the set of addresses that implement a service. EndpointSlices replace it.",
    fields: { subsets: ["[]object", "Sets of addresses with common ports."] },
  },
  "core.PersistentVolumeClaim": {
    description: "PersistentVolumeClaim is a user's request for a persistent volume.",
    fields: {
      spec: [
        "core.PersistentVolumeClaimSpec",
        "The characteristics of the volume that is asked for.",
      ],
      status: ["core.PersistentVolumeClaimStatus", "The current state of the claim. Read-only."],
    },
  },
  "core.PersistentVolumeClaimSpec": {
    description: "PersistentVolumeClaimSpec describes what is asked for.",
    fields: {
      accessModes: ["[]string", "The access modes the volume should have."],
      resources: ["object", "The least resources the volume should have."],
      storageClassName: ["string", "The name of the StorageClass the claim requires."],
      volumeName: ["string", "The volume that backs the claim."],
      volumeMode: ["string", "Filesystem (default) or Block."],
      selector: ["meta.LabelSelector", "A query over the volumes to consider."],
      dataSource: ["object", "A snapshot or another claim the volume is filled from."],
    },
  },
  "core.PersistentVolumeClaimStatus": {
    description: "PersistentVolumeClaimStatus is the current state of a claim.",
    fields: {
      phase: ["string", "Pending, Bound or Lost."],
      accessModes: ["[]string", "The actual access modes of the volume."],
      capacity: ["map[quantity]", "The actual resources of the volume."],
      conditions: ["[]meta.Condition", "The current condition of the claim."],
    },
  },
};
