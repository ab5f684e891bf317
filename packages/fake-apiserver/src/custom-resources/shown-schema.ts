import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";

/**
 * Fields of the server's internal type of a schema, in its order: k8s.io/apiextensions-apiserver
 * pkg/apis/apiextensions/types_jsonschema.go. Zero values are printed, too.
 */
const texts = ["ID", "Schema", "Description", "Type", "Format", "Title", "Pattern"];
const flags = ["Nullable", "ExclusiveMaximum", "ExclusiveMinimum", "UniqueItems"];
const fields =
  "ID Schema Ref Description Type Nullable Format Title Default Maximum ExclusiveMaximum Minimum " +
  "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Enum " +
  "MaxProperties MinProperties Required Items AllOf OneOf AnyOf Not Properties " +
  "AdditionalProperties PatternProperties Dependencies AdditionalItems Definitions ExternalDocs " +
  "Example";

/** A schema as the server quotes it in an error. */
export function shownSchema(schema: JsonObject): JsonObject {
  const shown: [string, unknown][] = fields.split(" ").map((name) => {
    const value = schema[keywords[name] ?? `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`];
    return [name, value === undefined ? zeroOf(name) : shownValue(name, value)];
  });
  const own = (keyword: string): unknown => schema[`x-kubernetes-${keyword}`];
  return {
    ...Object.fromEntries(shown),
    XPreserveUnknownFields: own("preserve-unknown-fields") ?? null,
    XEmbeddedResource: own("embedded-resource") === true,
    XIntOrString: own("int-or-string") === true,
    XListMapKeys: own("list-map-keys") ?? null,
    XListType: own("list-type") ?? null,
    XMapType: own("map-type") ?? null,
    XValidations: shownRules(own("validations")),
  };
}

const keywords: Readonly<Record<string, string>> = { ID: "id", Schema: "$schema", Ref: "$ref" };

function zeroOf(name: string): unknown {
  if (texts.includes(name)) return "";
  return flags.includes(name) ? false : null;
}

function shownValue(name: string, value: unknown): unknown {
  if (name === "Items") {
    return Array.isArray(value)
      ? { Schema: null, JSONSchemas: shownList(value) }
      : { Schema: shownPart(value), JSONSchemas: null };
  }
  if (name === "AdditionalProperties" || name === "AdditionalItems") {
    if (typeof value === "boolean") return { Allows: value, Schema: null };
    return { Allows: true, Schema: shownPart(value) };
  }
  if (["AllOf", "OneOf", "AnyOf"].includes(name)) return shownList(value);
  if (name === "Not") return shownPart(value);
  if (["Properties", "PatternProperties", "Definitions"].includes(name) && isRecord(value)) {
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([key, one]) => [key, shownPart(one)]));
  }
  return value;
}

function shownPart(schema: unknown): unknown {
  return isRecord(schema) ? shownSchema(schema) : schema;
}

function shownList(schemas: unknown): unknown {
  return Array.isArray(schemas) ? schemas.map(shownPart) : schemas;
}

function shownRules(rules: unknown): unknown {
  if (!Array.isArray(rules)) return null;
  return rules.filter(isRecord).map((rule) => ({
    Rule: rule["rule"] ?? "",
    Message: rule["message"] ?? "",
    MessageExpression: rule["messageExpression"] ?? "",
    Reason: rule["reason"] ?? null,
    FieldPath: rule["fieldPath"] ?? "",
    OptionalOldSelf: rule["optionalOldSelf"] ?? null,
  }));
}
