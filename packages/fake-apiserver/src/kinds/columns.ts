import { count, orNone } from "../base/read-fields.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { PrinterColumn, TableCell } from "../api/resource-definition.ts";
import { ageOf } from "./duration.ts";

/** Computes a cell of a built-in type. */
export type CellFunction = (object: ApiObject, now: number) => TableCell;

/** The first column of every table. */
export const nameColumn: PrinterColumn = {
  name: "Name",
  type: "string",
  format: "name",
  priority: 0,
  cell: (object) => object.metadata.name ?? "",
};

/** The age of an object, for built-in types. */
export const ageColumn: PrinterColumn = {
  name: "Age",
  type: "string",
  format: "",
  priority: 0,
  cell: (object, now) => ageOf(object.metadata.creationTimestamp, now),
};

/** The creation time, for types without other columns. */
export const createdAtColumn: PrinterColumn = {
  name: "Created At",
  type: "date",
  format: "",
  priority: 0,
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

/** The columns of a custom resource without `additionalPrinterColumns`. */
const defaultAgeColumn: PrinterColumn = {
  ...ageColumn,
  type: "date",
  cell: ".metadata.creationTimestamp",
};

/** An entry of a CRD's `additionalPrinterColumns`. */
export interface AdditionalPrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
  readonly jsonPath: string;
}

/**
 * All columns of a version of a custom resource: the name and its own ones, or the age if it has
 * none.
 */
export function customResourceColumns(
  additional: readonly AdditionalPrinterColumn[],
): readonly PrinterColumn[] {
  if (additional.length === 0) return [nameColumn, defaultAgeColumn];
  return [nameColumn, ...additional.map(customColumn)];
}

function customColumn(column: AdditionalPrinterColumn): PrinterColumn {
  const { name, type, format = "", description = "", priority = 0, jsonPath } = column;
  return {
    name,
    type,
    format,
    description:
      description === ""
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority,
    cell: jsonPath,
  };
}

/** A column of a built-in type; `wide` ones are shown with `-o wide` only. */
export function builtinColumn(
  name: string,
  cell: CellFunction,
  options: { readonly type?: string; readonly wide?: boolean } = {},
): PrinterColumn {
  const { type = "string", wide = false } = options;
  return { name, type, format: "", priority: wide ? 1 : 0, cell };
}

// k8s.io/kubernetes printers cut off what is behind the third entry of a list.
const mostShown = 3;

/** The entries of a list in one cell; those behind the third one are only counted. */
export function shortened(entries: readonly string[]): string {
  if (entries.length <= mostShown) return orNone(entries.join(","));
  return `${entries.slice(0, mostShown).join(",")} + ${entries.length - mostShown} more...`;
}

/** The columns of a Scale of a built-in object: pkg/printers/internalversion, `addScale`. */
export const scaleColumns: readonly PrinterColumn[] = [
  { ...nameColumn, format: "" },
  ...replicaColumns(
    "replicas is the desired number of instances for the scaled object.",
    "replicas is the actual number of observed instances of the scaled object.",
  ),
  ageColumn,
];

/** The columns of a Scale of a custom resource, which have another format. */
export const customScaleColumns: readonly PrinterColumn[] = [
  nameColumn,
  ...replicaColumns("Number of desired replicas", "Number of actual replicas"),
  defaultAgeColumn,
];

function replicaColumns(desired: string, actual: string): readonly PrinterColumn[] {
  const type = "integer";
  return [
    {
      ...builtinColumn("Desired", (scale) => replicas(scale["spec"]), { type }),
      description: desired,
    },
    {
      ...builtinColumn("Available", (scale) => replicas(scale["status"]), { type }),
      description: actual,
    },
  ];
}

function replicas(part: unknown): number {
  return count(part, "replicas");
}
