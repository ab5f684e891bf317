import type { ApiObject } from "../api/api-object.ts";
import type { PrinterColumn, TableCell } from "../api/resource-definition.ts";
import { goJson, goNumber } from "../base/go-text.ts";
import { ageOf } from "../kinds/duration.ts";
import { compileJsonPath } from "./json-path.ts";

/** Gives the cell of one column for an object. */
export type CellReader = (object: ApiObject, now: number) => TableCell;

/** Prepares the cells of a column; a path is compiled once. */
export function cellReader({ cell, type }: PrinterColumn): CellReader {
  if (typeof cell === "function") return cell;
  const path = compileJsonPath(cell);
  if (path === undefined) return () => null;
  return (object, now) => {
    const values = path(object);
    return values.length === 0 ? null : cellOf(type, values[0], now);
  };
}

/** A value as the cell of a custom resource's column: of the column's type, or empty. */
function cellOf(type: string, value: unknown, now: number): TableCell {
  if (type === "string") return textOf(value);
  if (value === null) return null;
  if (type === "integer") return typeof value === "number" ? Math.trunc(value) : null;
  if (type === "number") return typeof value === "number" ? value : null;
  if (type === "boolean") return typeof value === "boolean" ? value : null;
  // Dates are shown as the time that has passed since.
  return type === "date" && typeof value === "string" ? dateCell(value, now) : null;
}

function dateCell(value: string, now: number): string {
  return value === "" ? "<invalid>" : ageOf(value, now);
}

/** Any value as text: containers as Go's JSON, and the words Go has for nothing. */
function textOf(value: unknown): string {
  if (value === null) return "<no value>";
  if (typeof value === "string") return value;
  return typeof value === "number" ? goNumber(value) : goJson(value);
}
