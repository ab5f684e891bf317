import { formatLabels, formatLabelSelector } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { count, field, objects, orNone, text } from "../base/read-fields.ts";

const CONTAINERS = builtinColumn(
  "Containers",
  "Names of each container in the template.",
  (object) => templateContainers(object, "name"),
  { wide: true },
);
const IMAGES = builtinColumn(
  "Images",
  "Images referenced by each container in the template.",
  (object) => templateContainers(object, "image"),
  { wide: true },
);
const SELECTOR = builtinColumn(
  "Selector",
  "A label query over pods that should match the replica count.",
  (object) => orNone(formatLabelSelector(field(object, "spec", "selector"))),
  { wide: true },
);

/** The containers' names or images of the pod template, comma separated. */
export function templateContainers(object: unknown, name: "name" | "image"): string {
  return objects(object, "spec", "template", "spec", "containers")
    .map((container) => text(container, name))
    .join(",");
}

function counter(name: string, description: string, ...path: readonly string[]): PrinterColumn {
  return builtinColumn(name, description, (object) => count(object, ...path), { type: "integer" });
}

const DESIRED_REPLICAS = counter("Desired", "Number of desired pods.", "spec", "replicas");
const CURRENT_REPLICAS = counter(
  "Current",
  "Total number of non-terminated pods targeted by this controller.",
  "status",
  "replicas",
);
const READY_REPLICAS = counter(
  "Ready",
  "Number of pods targeted by this controller with a Ready condition.",
  "status",
  "readyReplicas",
);

/** What `kubectl get deployments` shows. */
export const deploymentColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Ready",
    "Number of the pod with ready state",
    (object) => `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
  ),
  counter(
    "Up-to-date",
    "Total number of non-terminated pods targeted by this deployment that have the desired template spec.",
    "status",
    "updatedReplicas",
  ),
  counter(
    "Available",
    "Total number of available pods (ready for at least minReadySeconds) targeted by this deployment.",
    "status",
    "availableReplicas",
  ),
  ageColumn,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

/** What `kubectl get replicasets` shows. */
export const replicaSetColumns: readonly PrinterColumn[] = [
  DESIRED_REPLICAS,
  CURRENT_REPLICAS,
  READY_REPLICAS,
  ageColumn,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

/** What `kubectl get replicationcontrollers` shows; the selector is a plain map there. */
export const replicationControllerColumns: readonly PrinterColumn[] = [
  ...replicaSetColumns.slice(0, -1),
  { ...SELECTOR, cell: (object) => orNone(formatLabels(field(object, "spec", "selector"))) },
];

/** What `kubectl get statefulsets` shows. */
export const statefulSetColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Ready",
    "Number of the pod with ready state",
    (object) => `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
  ),
  ageColumn,
  CONTAINERS,
  IMAGES,
];

/** What `kubectl get daemonsets` shows. */
export const daemonSetColumns: readonly PrinterColumn[] = [
  counter(
    "Desired",
    "The total number of nodes that should be running the daemon pod.",
    "status",
    "desiredNumberScheduled",
  ),
  counter(
    "Current",
    "The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod.",
    "status",
    "currentNumberScheduled",
  ),
  counter(
    "Ready",
    "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready condition.",
    "status",
    "numberReady",
  ),
  counter(
    "Up-to-date",
    "The total number of nodes that are running updated daemon pod.",
    "status",
    "updatedNumberScheduled",
  ),
  counter(
    "Available",
    "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available.",
    "status",
    "numberAvailable",
  ),
  builtinColumn(
    "Node Selector",
    "Selector which must match a node's labels for the pod to be scheduled on that node.",
    (object) => orNone(formatLabels(field(object, "spec", "template", "spec", "nodeSelector"))),
  ),
  ageColumn,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

/** What `kubectl get controllerrevisions` shows. */
export const controllerRevisionColumns: readonly PrinterColumn[] = [
  builtinColumn("Controller", "Controller of the object", controllerOf),
  builtinColumn(
    "Revision",
    "Revision indicates the revision of the state represented by Data.",
    (object) => count(object, "revision"),
  ),
  ageColumn,
];

function controllerOf(object: ApiObject): string {
  const owner = objects(object, "metadata", "ownerReferences").find(
    (one) => one["controller"] === true,
  );
  if (owner === undefined) return "<none>";
  const [group = ""] = text(owner, "apiVersion").includes("/")
    ? text(owner, "apiVersion").split("/")
    : [];
  const kind = text(owner, "kind").toLowerCase();
  return `${group === "" ? kind : `${kind}.${group}`}/${text(owner, "name")}`;
}
