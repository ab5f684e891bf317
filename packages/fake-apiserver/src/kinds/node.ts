import { nodeRules } from "../rules/node.ts";
import { newNode, nodeDefaults } from "./defaults/registrations.ts";
import type { ApiObject } from "../api/api-object.ts";
import { flag, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { dropFromNode } from "./disabled-fields.ts";
import { type Kind, defineKind } from "./define-kind.ts";

const rolePrefix = "node-role.kubernetes.io/";
const roleLabel = "kubernetes.io/role";

/** Node of the core group. */
export const nodeKind: Kind = defineKind({
  version: "v1",
  kind: "Node",
  dropDisabled: dropFromNode,
  rules: nodeRules,
  unconditionalUpdate: true,
  subresources: [
    {
      name: "proxy",
      kind: "NodeProxyOptions",
      verbs: ["create", "delete", "get", "patch", "update"],
    },
  ],
  shortNames: ["no"],
  cluster: true,
  status: true,
  selectableFields: [{ path: "spec.unschedulable", zero: "false" }],
  columns: [
    builtinColumn("Status", nodeStatus),
    builtinColumn("Roles", nodeRoles),
    ageColumn,
    builtinColumn("Version", (node) => text(node, "status", "nodeInfo", "kubeletVersion")),
    builtinColumn("Internal-IP", (node) => nodeAddress(node, "InternalIP"), { wide: true }),
    builtinColumn("External-IP", (node) => nodeAddress(node, "ExternalIP"), { wide: true }),
    builtinColumn("OS-Image", (node) => nodeInfo(node, "osImage"), {
      wide: true,
    }),
    builtinColumn("Kernel-Version", kernel, { wide: true }),
    builtinColumn("Container-Runtime", (node) => nodeInfo(node, "containerRuntimeVersion"), {
      wide: true,
    }),
  ],
  // A kubelet sends the status of its node: k8s.io/kubernetes registry/core/node/strategy.go.
  defaults: nodeDefaults,
  strategy: () => ({ keepsStatusOnCreate: true, prepareForCreate: newNode }),
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

function kernel(node: ApiObject): string {
  const architecture = text(node, "status", "nodeInfo", "architecture");
  const version = nodeInfo(node, "kernelVersion");
  return architecture === "" ? version : `${version} (${architecture})`;
}
