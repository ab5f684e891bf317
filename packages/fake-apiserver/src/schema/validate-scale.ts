import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { textOf } from "../base/go-text.ts";
import type { ScalePaths } from "../api/resource-definition.ts";
import type { FieldError } from "../api/errors.ts";
import { invalid } from "../validation/field-errors.ts";
import { goTypeOf } from "../input/decode.ts";

const maxInt32 = 2 ** 31 - 1;

/** A part of the scale subresource's fields. */
export type ScalePart = "spec" | "status";

/** Checks the fields of the scale subresource. The server reports them with a leading dot. */
export function validateScale(
  object: JsonObject,
  scale: ScalePaths | undefined,
  parts: readonly ScalePart[],
): readonly FieldError[] {
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  if (parts.includes("spec")) errors.push(...validateReplicas(object, scale.specReplicas));
  if (!parts.includes("status")) return errors;
  errors.push(...validateReplicas(object, scale.statusReplicas));
  const { labelSelector = "" } = scale;
  const selector = labelSelector === "" ? undefined : valueAt(object, labelSelector);
  if (selector !== undefined && typeof selector !== "string") {
    errors.push(invalid(labelSelector, "", wrongType(labelSelector, selector, "string")));
  }
  return errors;
}

function validateReplicas(object: JsonObject, path: string): readonly FieldError[] {
  const value = valueAt(object, path);
  if (value === undefined) return [];
  if (typeof value !== "number" || !Number.isInteger(value)) {
    return [invalid(path, 0, wrongType(path, value, "int64"))];
  }
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  const rule = `should be less than or equal to ${maxInt32}`;
  return value > maxInt32 ? [invalid(path, value, rule)] : [];
}

function valueAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const name of path.replace(/^\./, "").split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function wrongType(path: string, value: unknown, expected: string): string {
  const actual = typeof value === "number" ? "float64" : goTypeOf(value);
  return `${path} accessor error: ${textOf(value)} is of the type ${actual}, expected ${expected}`;
}
