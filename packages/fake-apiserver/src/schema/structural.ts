import { isJsonEqual, isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { field, flag, objects, text } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { forbidden, invalid, required } from "../validation/field-errors.ts";
import { patternProblem } from "./pattern.ts";

type Level = "root" | "items" | "field";

const missingTypeTexts: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  items: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** The only pattern that may repeat types below anyOf. */
const intOrString: readonly unknown[] = [{ type: "integer" }, { type: "string" }];

/** Keywords that are not allowed in logical parts, with the server's messages. */
const structureOnly: readonly (readonly [keyword: string, detail: string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

/** Checks that the schema of a custom resource is structural. */
export function validateStructural(schema: JsonObject, path: string): readonly FieldError[] {
  return [...invariants(schema, "root", path), ...completeness(schema, path)];
}

function invariants(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = text(schema, "type");
  const { items, additionalProperties } = {
    items: undefined,
    additionalProperties: undefined,
    ...schema,
  };
  if (type === "array" && items === undefined) {
    errors.push(required(`${path}.items`, "must be specified"));
  }
  if (isRecord(items)) errors.push(...invariants(items, "items", `${path}.items`));
  for (const [name, property] of properties(schema)) {
    errors.push(...invariants(property, "field", `${path}.properties[${name}]`));
  }
  if (additionalProperties !== undefined && level === "root") {
    errors.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
  }
  if (isRecord(additionalProperties)) {
    errors.push(...invariants(additionalProperties, "field", `${path}.additionalProperties`));
  }
  errors.push(
    ...checkExtensions(schema, path),
    ...checkLogic(schema, path, isIntOrStringPattern(schema)),
    ...checkType(schema, level, path),
    ...checkMetadata(schema, level, path),
  );
  return errors;
}

function checkExtensions(schema: JsonObject, path: string): readonly FieldError[] {
  if (!flag(schema, "x-kubernetes-int-or-string")) return [];
  return ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]
    .filter((extension) => flag(schema, extension))
    .map((extension) =>
      invalid(`${path}.${extension}`, true, "must be false if x-kubernetes-int-or-string is true"),
    );
}

function checkType(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = text(schema, "type");
  const typePath = `${path}.type`;
  const isEmbedded = flag(schema, "x-kubernetes-embedded-resource");
  const isTyped =
    type !== "" ||
    flag(schema, "x-kubernetes-int-or-string") ||
    flag(schema, "x-kubernetes-preserve-unknown-fields");
  if (isEmbedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(typePath, detail) : invalid(typePath, type, detail));
  } else if (!isTyped) errors.push(required(typePath, missingTypeTexts[level]));
  if (isEmbedded && schema["additionalProperties"] !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(typePath, type, "must be object at the root"));
  }
  const isOpen = flag(schema, "x-kubernetes-preserve-unknown-fields");
  if (isEmbedded && !isOpen && properties(schema).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(`${path}.properties`, detail));
  }
  return errors;
}

/** The schema may repeat the types of apiVersion and kind, and restrict the names in metadata. */
function checkMetadata(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (level !== "root" && !flag(schema, "x-kubernetes-embedded-resource")) return errors;
  for (const name of ["kind", "apiVersion"]) {
    const property = field(schema, "properties", name);
    const type = text(property, "type");
    if (property === undefined || type === "string") continue;
    errors.push(invalid(`${path}.properties[${name}].type`, type, "must be string"));
  }
  const metadata = field(schema, "properties", "metadata");
  if (!isRecord(metadata)) return errors;
  const metadataPath = `${path}.properties[metadata]`;
  const type = text(metadata, "type");
  if (type !== "object") errors.push(invalid(`${metadataPath}.type`, type, "must be object"));
  if (level === "root" && !restrictsNamesOnly(metadata)) {
    const detail =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(forbidden(metadataPath, detail));
  }
  return errors;
}

function restrictsNamesOnly(metadata: JsonObject): boolean {
  const names = properties(metadata).map(([name]) => name);
  const keywords = Object.keys(metadata).filter(
    (key) => !["type", "properties", "default"].includes(key),
  );
  return keywords.length === 0 && names.every((name) => ["name", "generateName"].includes(name));
}

function checkLogic(
  schema: JsonObject,
  path: string,
  skip: "anyOf" | "allOf" | undefined,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [nested, nestedPath, keyword, index] of logicalParts(schema, path)) {
    if (keyword === "anyOf" && skip === "anyOf") continue;
    const nestedSkip = keyword === "allOf" && skip === "allOf" && index === 0 ? "anyOf" : undefined;
    errors.push(...checkNested(nested, nestedPath, nestedSkip));
  }
  const pattern = text(schema, "pattern");
  const problem = pattern === "" ? undefined : patternProblem(pattern);
  if (problem !== undefined) errors.push(invalid(`${path}.pattern`, pattern, problem));
  return errors;
}

function checkNested(
  schema: JsonObject,
  path: string,
  skip: "anyOf" | undefined,
): readonly FieldError[] {
  const errors = [...checkLogic(schema, path, skip)];
  const items = schema["items"];
  if (isRecord(items)) errors.push(...checkNested(items, `${path}.items`, undefined));
  for (const [name, property] of properties(schema)) {
    errors.push(...checkNested(property, `${path}.properties[${name}]`, undefined));
  }
  for (const [keyword, detail] of structureOnly) {
    if (isSet(schema[keyword])) errors.push(forbidden(`${path}.${keyword}`, detail));
  }
  if (field(schema, "properties", "metadata") !== undefined) {
    const detail = "must not be specified in a nested context";
    errors.push(forbidden(`${path}.properties[metadata]`, detail));
  }
  return errors;
}

/** Whether a value differs from Go's zero values. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== false && value !== "" && value !== null;
}

/** Checks that the structure contains everything that logical parts mention. */
function completeness(schema: JsonObject, path: string): readonly FieldError[] {
  return completenessOf(schema, schema, path, path);
}

function completenessOf(
  logic: JsonObject,
  structure: JsonObject,
  path: string,
  logicPath: string,
): readonly FieldError[] {
  return logicalParts(logic, logicPath).flatMap(([nested, nestedPath]) =>
    nestedCompleteness(nested, structure, path, nestedPath),
  );
}

function nestedCompleteness(
  logic: JsonObject,
  structure: JsonObject | undefined,
  path: string,
  logicPath: string,
): readonly FieldError[] {
  if (structure === undefined) return [required(path, `because it is defined in ${logicPath}`)];
  const errors = [...completenessOf(logic, structure, path, logicPath)];
  const items = logic["items"];
  if (isRecord(items)) {
    const itemStructure = isRecord(structure["items"]) ? structure["items"] : undefined;
    errors.push(...nestedCompleteness(items, itemStructure, `${path}.items`, `${logicPath}.items`));
  }
  for (const [name, property] of properties(logic)) {
    const part = `.properties[${name}]`;
    const known = field(structure, "properties", name);
    const propertyStructure = isRecord(known) ? known : undefined;
    errors.push(...nestedCompleteness(property, propertyStructure, path + part, logicPath + part));
  }
  return errors;
}

type LogicalPart = readonly [schema: JsonObject, path: string, keyword: string, index: number];

function logicalParts(schema: JsonObject, path: string): readonly LogicalPart[] {
  const parts = ["anyOf", "allOf", "oneOf"].flatMap((keyword) =>
    objects(schema, keyword).map((nested, index): LogicalPart => [
      nested,
      `${path}.${keyword}[${index}]`,
      keyword,
      index,
    ]),
  );
  const not = schema["not"];
  return isRecord(not) ? [...parts, [not, `${path}.not`, "not", 0]] : parts;
}

function isIntOrStringPattern(schema: JsonObject): "anyOf" | "allOf" | undefined {
  if (isJsonEqual(schema["anyOf"], intOrString)) return "anyOf";
  const first = objects(schema, "allOf")[0];
  return isJsonEqual(first?.["anyOf"], intOrString) ? "allOf" : undefined;
}

/** Returns the properties of a schema. */
export function properties(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(recordOf(schema["properties"])).map(([name, property]) => [
    name,
    recordOf(property),
  ]);
}
