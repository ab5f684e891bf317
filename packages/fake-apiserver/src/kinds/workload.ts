import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import type { PrinterColumn, ScalePaths } from "../api/resource-definition.ts";
import { count, field, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";

/** The traits that all workloads have. */
export const workload = {
  categories: ["all"],
  status: true,
  generation: true,
  unconditionalUpdate: true,
} as const;

/** The paths of workloads that can be scaled; the selector is an object, shown as text. */
export const workloadScale: ScalePaths = {
  specReplicas: ".spec.replicas",
  statusReplicas: ".status.replicas",
  labelSelector: ".spec.selector",
};

/** The names of the containers in the pod template. */
export const containersColumn: PrinterColumn = builtinColumn(
  "Containers",
  (object) => templateContainers(object, "name"),
  { wide: true },
);

/** The images of the containers in the pod template. */
export const imagesColumn: PrinterColumn = builtinColumn(
  "Images",
  (object) => templateContainers(object, "image"),
  { wide: true },
);

/** The label selector of the workload. */
export const selectorColumn: PrinterColumn = builtinColumn(
  "Selector",
  (object) => orNone(formatLabelSelector(field(object, "spec", "selector"))),
  { wide: true },
);

/** The ratio of ready replicas to wanted ones. */
export const readyColumn: PrinterColumn = builtinColumn(
  "Ready",
  (object) => `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
);

/** The columns of controllers that keep a number of replicas, without the selector. */
export const replicaColumns: readonly PrinterColumn[] = [
  counter("Desired", "spec", "replicas"),
  counter("Current", "status", "replicas"),
  counter("Ready", "status", "readyReplicas"),
  ageColumn,
  containersColumn,
  imagesColumn,
];

/** A column with the number at a path. */
export function counter(name: string, ...path: readonly string[]): PrinterColumn {
  return builtinColumn(name, (object) => count(object, ...path), { type: "integer" });
}

/** The containers' names or images of the pod template, comma separated. */
export function templateContainers(
  object: unknown,
  name: "name" | "image",
  ...path: readonly string[]
): string {
  const template = path.length === 0 ? ["spec", "template"] : path;
  return objects(object, ...template, "spec", "containers")
    .map((container) => text(container, name))
    .join(",");
}
