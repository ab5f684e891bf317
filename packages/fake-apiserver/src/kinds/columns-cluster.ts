import { ageColumn, builtinColumn } from "./columns.ts";
import { humanDuration } from "./duration.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { field, flag, objects, orNone, text } from "../base/read-fields.ts";

/** What `kubectl get namespaces` shows. */
export const namespaceColumns: readonly PrinterColumn[] = [
  builtinColumn("Status", "The status of the namespace", (object) =>
    text(object, "status", "phase"),
  ),
  ageColumn,
];

/** What `kubectl get nodes` shows. */
export const nodeColumns: readonly PrinterColumn[] = [
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
  builtinColumn("OS-Image", "OS Image reported by the node.", (node) => nodeInfo(node, "osImage"), {
    wide: true,
  }),
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
];

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

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
    if (label.startsWith(ROLE_PREFIX) && label.length > ROLE_PREFIX.length) {
      roles.add(label.slice(ROLE_PREFIX.length));
    } else if (label === ROLE_LABEL && value !== "") roles.add(value);
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

/** What `kubectl get leases` shows. */
export const leaseColumns: readonly PrinterColumn[] = [
  builtinColumn("Holder", "The identity of the holder of the lease.", (lease) =>
    text(lease, "spec", "holderIdentity"),
  ),
  ageColumn,
];

/** What `kubectl get certificatesigningrequests` shows. */
export const certificateColumns: readonly PrinterColumn[] = [
  ageColumn,
  builtinColumn("SignerName", "The requested signer.", (request) =>
    orNone(text(request, "spec", "signerName")),
  ),
  builtinColumn("Requestor", "The user who created the request.", (request) =>
    text(request, "spec", "username"),
  ),
  builtinColumn("RequestedDuration", "The requested duration of validity.", (request) => {
    const seconds = field(request, "spec", "expirationSeconds");
    return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
  }),
  builtinColumn("Condition", "The conditions of the request.", certificateCondition),
];

function certificateCondition(request: ApiObject): string {
  const types = new Set(objects(request, "status", "conditions").map((one) => text(one, "type")));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  const parts = [decision];
  if (types.has("Failed")) parts.push("Failed");
  if (text(request, "status", "certificate") !== "") parts.push("Issued");
  return parts.join(",");
}

/** What `kubectl get` shows for the two kinds of webhook configurations. */
export const webhookColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Webhooks",
    "Webhooks indicates the number of webhooks registered in this configuration",
    (object) => objects(object, "webhooks").length,
    { type: "integer" },
  ),
  ageColumn,
];

/** What `kubectl get apiservices` shows. */
export const apiServiceColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Service",
    "The reference to the service that hosts this API endpoint.",
    (object) => {
      const service = field(object, "spec", "service");
      return service === undefined
        ? "Local"
        : `${text(service, "namespace")}/${text(service, "name")}`;
    },
  ),
  builtinColumn("Available", "Whether this service is available.", available),
  ageColumn,
];

function available(object: ApiObject): string {
  const condition = objects(object, "status", "conditions").find(
    (one) => text(one, "type") === "Available",
  );
  const status = text(condition, "status");
  if (status === "") return "Unknown";
  return status === "True" ? status : `${status} (${text(condition, "reason")})`;
}
