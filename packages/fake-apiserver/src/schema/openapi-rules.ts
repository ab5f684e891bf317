import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { flag, objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { forbidden, invalid, notSupported, required } from "../validation/field-errors.ts";
import { properties } from "./structural.ts";

const jsonTypes: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];
const metaFields: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

const unsupportedKeywords: readonly string[] = [
  "id",
  "additionalItems",
  "patternProperties",
  "definitions",
  "dependencies",
  "$ref",
];

interface Surroundings {
  readonly isRoot: boolean;
  /** Explains why defaults are not allowed here; "" if they are. */
  readonly noDefaults: string;
  readonly isInsideMeta: boolean;
}

/** Checks the restrictions of CRDs on OpenAPI v3, except structural ones. */
export function validateOpenApiRules(schema: JsonObject, path: string): readonly FieldError[] {
  return check(schema, path, { isRoot: true, noDefaults: "", isInsideMeta: false });
}

function check(schema: JsonObject, path: string, around: Surroundings): readonly FieldError[] {
  const errors = [
    ...checkKeywords(schema, path, around),
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...checkListMap(schema, path),
  ];
  const inner: Surroundings = { ...around, isRoot: false };
  const { items, additionalProperties, not } = {
    items: undefined,
    additionalProperties: undefined,
    not: undefined,
    ...schema,
  };
  if (isRecord(additionalProperties)) {
    const noDefaults = around.isInsideMeta
      ? "inside additionalProperties applying to object metadata"
      : around.noDefaults;
    const below = { ...inner, noDefaults };
    errors.push(...check(additionalProperties, `${path}.additionalProperties`, below));
  }
  const describesObject = around.isRoot || flag(schema, "x-kubernetes-embedded-resource");
  for (const [name, property] of properties(schema)) {
    const isMeta = describesObject && metaFields.has(name);
    const noDefaults = isMeta && around.isRoot ? `in top-level ${name}` : around.noDefaults;
    const below = { ...inner, noDefaults, isInsideMeta: around.isInsideMeta || isMeta };
    errors.push(...check(property, `${path}.properties[${name}]`, below));
  }
  if (isRecord(not)) errors.push(...check(not, `${path}.not`, inner));
  for (const keyword of ["allOf", "oneOf", "anyOf"]) {
    for (const [index, nested] of objects(schema, keyword).entries()) {
      errors.push(...check(nested, `${path}.${keyword}[${index}]`, inner));
    }
  }
  if (isRecord(items)) errors.push(...check(items, `${path}.items`, inner));
  return errors;
}

const unsupported = "is not supported";

/** Whether an error is about a keyword that no structural schema has, such as `$ref`. */
export function isUnsupportedKeyword({ message }: FieldError): boolean {
  return message.endsWith(` ${unsupported}`);
}

const schemaProblem = `OpenAPIV3Schema 'schema' ${unsupported}`;

/** Whether an error is about `$schema`, which a server reports at the root and after all others. */
export function isSchemaKeyword({ message }: FieldError): boolean {
  return message.endsWith(schemaProblem);
}

function checkKeywords(
  schema: JsonObject,
  path: string,
  { noDefaults, isInsideMeta }: Surroundings,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = text(schema, "type");
  if (type !== "" && !jsonTypes.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, jsonTypes));
  }
  if (type === "null") {
    const detail = "type cannot be set to null, use nullable as an alternative";
    errors.push(forbidden(`${path}.type`, detail));
  }
  const hasDefault = schema["default"] !== undefined && schema["default"] !== null;
  if (hasDefault && noDefaults !== "") {
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  }
  for (const keyword of unsupportedKeywords) {
    if (schema[keyword] === undefined) continue;
    errors.push(forbidden(`${path}.${keyword}`, `${keyword} ${unsupported}`));
  }
  if (text(schema, "$schema") !== "") errors.push(invalid(path, "", schemaProblem));
  if (Array.isArray(schema["items"])) {
    const detail = "items must be a schema object and not an array";
    errors.push(forbidden(`${path}.items`, detail));
  }
  const embedded = "x-kubernetes-embedded-resource";
  if (isInsideMeta && flag(schema, embedded)) {
    errors.push(forbidden(`${path}.${embedded}`, "must not be used inside of resource meta"));
  }
  if (flag(schema, "uniqueItems")) {
    const detail =
      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  return [...errors, ...checkUnknownFields(schema, path)];
}

function checkUnknownFields(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const additional = schema["additionalProperties"];
  if (additional !== undefined && additional !== true && properties(schema).length > 0) {
    const detail = "additionalProperties and properties are mutual exclusive";
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
  const preserve = "x-kubernetes-preserve-unknown-fields";
  if (schema[preserve] === false) {
    errors.push(invalid(`${path}.${preserve}`, false, "must be true or undefined"));
  }
  return errors;
}

function checkMapType(schema: JsonObject, path: string): readonly FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return [];
  const errors = [...checkOwnType(schema, path, "object", "x-kubernetes-map-type")];
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
  return errors;
}

function checkOwnType(
  schema: JsonObject,
  path: string,
  expected: string,
  keyword: string,
): readonly FieldError[] {
  const type = text(schema, "type");
  if (type === expected) return [];
  const detail = `must be ${expected} if ${keyword} is specified`;
  return [type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail)];
}

function checkListType(schema: JsonObject, path: string): readonly FieldError[] {
  const keyword = "x-kubernetes-list-type";
  const listType = schema[keyword];
  if (listType === undefined) return [];
  const errors = [...checkOwnType(schema, path, "array", keyword)];
  const items = schema["items"];
  if (errors.length === 0 && listType === "set" && isRecord(items)) {
    const detail = `must be atomic as item of a list with ${keyword}=set`;
    const type = text(items, "type");
    const inner = items[keyword];
    if (type === "array" && inner !== undefined && inner !== "atomic") {
      errors.push(invalid(`${path}.items.${keyword}`, inner, detail));
    }
    if (type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
      errors.push(invalid(`${path}.items.x-kubernetes-map-type`, inner ?? null, detail));
    }
  }
  if (listType !== "atomic" && listType !== "set" && listType !== "map") {
    errors.push(notSupported(`${path}.${keyword}`, listType, ["atomic", "set", "map"]));
  }
  return errors;
}

function checkListMap(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const listType = schema["x-kubernetes-list-type"];
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  const keys = texts(schema, "x-kubernetes-list-map-keys");
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    const typePath = `${path}.x-kubernetes-list-type`;
    errors.push(
      listType === undefined ? required(typePath, detail) : invalid(typePath, listType, detail),
    );
  }
  if (listType !== "map" && listType !== "set") return errors;
  const items = schema["items"];
  if (listType === "map") {
    if (keys.length === 0) {
      errors.push(required(keysPath, "must not be empty if x-kubernetes-list-type is map"));
    }
    if (items === undefined) {
      const detail = "must have a schema if x-kubernetes-list-type is map";
      errors.push(required(`${path}.items`, detail));
    } else if (isRecord(items)) errors.push(...checkKeys(items, keys, path));
  }
  if (isRecord(items) && flag(items, "nullable")) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbidden(`${path}.items.nullable`, detail));
  }
  return errors;
}

function checkKeys(
  items: JsonObject,
  keys: readonly string[],
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  const type = text(items, "type");
  if (type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(`${path}.items.type`, type, detail));
  }
  const known = new Map(properties(items));
  const requiredKeys = new Set(texts(items, "required"));
  const repeated = repeatedIndexes(keys);
  for (const [index, key] of keys.entries()) {
    const property = known.get(key);
    const propertyPath = `${path}.items.properties[${key}]`;
    if (type === "object" && property === undefined) {
      errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
    }
    if (type === "object" && repeated.has(index)) {
      errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
    }
    if (property === undefined) continue;
    if (type === "object" && ["array", "object"].includes(text(property, "type"))) {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(`${propertyPath}.type`, type, detail));
    }
    if (!requiredKeys.has(key) && property["default"] === undefined) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      errors.push(required(`${propertyPath}.default`, detail));
    }
    if (flag(property, "nullable")) {
      const detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      errors.push(forbidden(`${propertyPath}.nullable`, detail));
    }
  }
  return errors;
}
