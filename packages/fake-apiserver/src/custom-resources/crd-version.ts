import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { field, objects, text } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { duplicate, invalid, required, tooMany } from "../validation/field-errors.ts";

/** k8s.io/apiextensions-apiserver, apis/apiextensions/validation (MaxSelectableFields). */
const maxSelectableFields = 8;
const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];
const selectableTypes: ReadonlySet<string> = new Set(["string", "boolean", "integer"]);

/** Checks a version's `additionalPrinterColumns`. */
export function validateColumns(version: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, column] of objects(version, "additionalPrinterColumns").entries()) {
    const columnPath = `${path}[${index}]`;
    const type = text(column, "type");
    const format = text(column, "format");
    const jsonPath = text(column, "jsonPath");
    if (text(column, "name") === "") errors.push(required(`${columnPath}.name`));
    const typeDetail = `must be one of ${columnTypes.join(",")}`;
    if (type === "") errors.push(required(`${columnPath}.type`, typeDetail));
    else if (!columnTypes.includes(type)) {
      errors.push(invalid(`${columnPath}.type`, type, typeDetail));
    }
    if (format !== "" && !columnFormats.includes(format)) {
      const detail = `must be one of ${columnFormats.join(",")}`;
      errors.push(invalid(`${columnPath}.format`, format, detail));
    }
    if (jsonPath === "") errors.push(required(`${columnPath}.JSONPath`));
    else errors.push(...checkSimplePath(`${columnPath}.JSONPath`, jsonPath));
  }
  return errors;
}

/** Checks a version's scale subresource. */
export function validateSubresources(version: JsonObject, path: string): readonly FieldError[] {
  const scale = field(version, "subresources", "scale");
  if (scale === undefined) return [];
  const selector = text(scale, "labelSelectorPath");
  return [
    ...checkScalePath(scale, `${path}.scale`, "specReplicasPath", ".spec"),
    ...checkScalePath(scale, `${path}.scale`, "statusReplicasPath", ".status"),
    ...checkSelectorPath(`${path}.scale.labelSelectorPath`, selector),
  ];
}

function checkScalePath(
  scale: unknown,
  path: string,
  name: string,
  root: string,
): readonly FieldError[] {
  const value = text(scale, name);
  if (value === "") return [required(`${path}.${name}`)];
  const errors = checkSimplePath(`${path}.${name}`, value);
  if (errors.length > 0 || value.startsWith(`${root}.`)) return errors;
  return [invalid(`${path}.${name}`, value, `should be a json path under ${root}`)];
}

function checkSelectorPath(path: string, value: string): readonly FieldError[] {
  if (value === "") return [];
  const errors = checkSimplePath(path, value);
  if (errors.length > 0 || /^\.(spec|status)\./.test(value)) return errors;
  return [invalid(path, value, "should be a json path under either .spec or .status")];
}

function checkSimplePath(path: string, value: string): readonly FieldError[] {
  if (value.startsWith(".")) return [];
  return [invalid(path, value, "must be a simple json path starting with .")];
}

/** Checks a version's `selectableFields` against its schema. */
export function validateSelectableFields(version: JsonObject, path: string): readonly FieldError[] {
  const schema = field(version, "schema", "openAPIV3Schema");
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, selectable] of objects(version, "selectableFields").entries()) {
    const jsonPath = text(selectable, "jsonPath");
    const fieldPath = `${path}[${index}].jsonPath`;
    if (jsonPath === "") {
      errors.push(required(fieldPath));
      continue;
    }
    const found = findSchema(schema, jsonPath);
    if (typeof found === "string") {
      errors.push(invalid(fieldPath, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (/^\.metadata(\.|$)/.test(jsonPath)) {
      errors.push(invalid(fieldPath, jsonPath, "must not point to fields in metadata"));
    }
    if (!selectableTypes.has(text(found, "type"))) {
      const detail =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      errors.push(invalid(fieldPath, jsonPath, detail));
    }
    if (seen.has(jsonPath)) errors.push(duplicate(fieldPath, jsonPath));
    seen.add(jsonPath);
  }
  if (seen.size > maxSelectableFields) {
    errors.push(tooMany(path, seen.size, maxSelectableFields));
  }
  return errors;
}

function findSchema(schema: unknown, jsonPath: string): JsonObject | string {
  if (!jsonPath.startsWith(".")) return `expected [ or . but got: ${jsonPath.split(".")[0]}`;
  let found: unknown = schema;
  const [plain = ""] = jsonPath.slice(1).split("[");
  for (const name of plain.split(".")) {
    found = field(found, "properties", name) ?? field(found, "additionalProperties");
    if (!isRecord(found)) return "does not refer to a valid field";
  }
  if (plain.length < jsonPath.length - 1) return "array notation is not allowed";
  return isRecord(found) ? found : "does not refer to a valid field";
}
