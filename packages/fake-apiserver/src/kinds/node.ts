import type { ApiObject } from "../api/resource-definition.ts";
import { flag, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

const rolePrefix = "node-role.kubernetes.io/";
const roleLabel = "kubernetes.io/role";

/** Node of the core group. */
export const nodeKind: Kind = defineKind({
  version: "v1",
  kind: "Node",
  unconditionalUpdate: true,
  shortNames: ["no"],
  cluster: true,
  status: true,
  selectableFields: [{ path: "spec.unschedulable", zero: "false" }],
  columns: [
    builtinColumn("Status", "The status of the node", nodeStatus),
    builtinColumn("Roles", "The roles of the node", nodeRoles),
    ageColumn,
    builtinColumn("Version", "Kubelet Version reported by the node.", (node) =>
      text(node, "status", "nodeInfo", "kubeletVersion"),
    ),
    builtinColumn(
      "Internal-IP",
      "List of addresses reachable to the node.",
      (node) => nodeAddress(node, "InternalIP"),
      { wide: true },
    ),
    builtinColumn(
      "External-IP",
      "List of addresses reachable to the node.",
      (node) => nodeAddress(node, "ExternalIP"),
      { wide: true },
    ),
    builtinColumn(
      "OS-Image",
      "OS Image reported by the node.",
      (node) => nodeInfo(node, "osImage"),
      {
        wide: true,
      },
    ),
    builtinColumn(
      "Kernel-Version",
      "Kernel Version reported by the node.",
      (node) => nodeInfo(node, "kernelVersion"),
      { wide: true },
    ),
    builtinColumn(
      "Container-Runtime",
      "ContainerRuntime Version reported by the node.",
      (node) => nodeInfo(node, "containerRuntimeVersion"),
      { wide: true },
    ),
  ],
  // A kubelet sends the status of its node: k8s.io/kubernetes registry/core/node/strategy.go.
  strategy: () => ({ keepsStatusOnCreate: true }),
  docs: {
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
  },
});

function nodeStatus(node: ApiObject): string {
  const ready = objects(node, "status", "conditions").find(
    (condition) => text(condition, "type") === "Ready",
  );
  const parts = [
    ready === undefined ? "Unknown" : text(ready, "status") === "True" ? "Ready" : "NotReady",
  ];
  if (flag(node, "spec", "unschedulable")) parts.push("SchedulingDisabled");
  return parts.join(",");
}

function nodeRoles(node: ApiObject): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(node.metadata.labels ?? {})) {
    if (label.startsWith(rolePrefix) && label.length > rolePrefix.length) {
      roles.add(label.slice(rolePrefix.length));
    } else if (label === roleLabel && value !== "") roles.add(value);
  }
  return orNone([...roles].toSorted().join(","));
}

function nodeAddress(node: ApiObject, type: string): string {
  const address = objects(node, "status", "addresses").find((one) => text(one, "type") === type);
  return orNone(text(address, "address"));
}

function nodeInfo(node: ApiObject, name: string): string {
  return text(node, "status", "nodeInfo", name) || "<unknown>";
}
