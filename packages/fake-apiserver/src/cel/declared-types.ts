import type { JsonSchema } from "../api/json-schema.ts";

/** Words that are not identifiers in the language. */
const reserved: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

const literalWords: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

const symbolNames: Readonly<Record<string, string>> = {
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
  __: "__underscores__",
};

/** Returns the name of a property in expressions; undefined if expressions cannot name it. */
function escapedName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][\w.\-/]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[.\-/]/g, (symbol) => symbolNames[symbol] ?? symbol);
}

const metadataSchema: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, generateName: { type: "string" } },
};

/**
 * Adds the fields that each object of Kubernetes has, as far as rules may read them. A schema that
 * declares them itself stays as it is.
 */
export function withTypeMeta(schema: JsonSchema): JsonSchema {
  const { apiVersion, kind, metadata } = schema.properties ?? {};
  const names = [metadata?.properties?.["name"], metadata?.properties?.["generateName"]];
  const declared = [apiVersion, kind, ...names].every((one) => one?.type === "string");
  if (declared && metadata?.type === "object") return schema;
  return {
    ...schema,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      ...schema.properties,
      metadata: metadataSchema,
    },
  };
}

/** The fields that expressions see of an object, by their names in expressions. */
export interface DeclaredField {
  readonly property: string;
  readonly schema: JsonSchema;
}

const knownFields = new WeakMap<JsonSchema, ReadonlyMap<string, DeclaredField>>();

/** Returns the fields of an object schema that have a type in expressions. */
export function declaredFields(schema: JsonSchema): ReadonlyMap<string, DeclaredField> {
  const known = knownFields.get(schema);
  if (known !== undefined) return known;
  const fields = new Map<string, DeclaredField>();
  for (const [property, one] of Object.entries(schema.properties ?? {})) {
    const name = escapedName(property);
    if (name === undefined || kindOf(one) === "none") continue;
    fields.set(name, { property, schema: one });
    // The grammar allows most reserved words as the names of fields.
    if (reserved.has(property) && !literalWords.has(property)) {
      fields.set(property, { property, schema: one });
    }
  }
  knownFields.set(schema, fields);
  return fields;
}

/** How expressions see the values of a schema; "none" if they do not. */
export type ValueKind =
  | "boolean"
  | "bytes"
  | "date"
  | "double"
  | "duration"
  | "dyn"
  | "int"
  | "list"
  | "map"
  | "none"
  | "object"
  | "string";

const stringKinds: Readonly<Record<string, ValueKind>> = {
  byte: "bytes",
  date: "date",
  "date-time": "date",
  duration: "duration",
};

/** Returns how expressions see the values of a schema. */
export function kindOf(schema: JsonSchema): ValueKind {
  if (schema["x-kubernetes-int-or-string"] === true) return "dyn";
  switch (schema.type ?? "") {
    case "boolean":
      return "boolean";
    case "integer":
      return "int";
    case "number":
      return "double";
    case "string":
      return stringKinds[schema.format ?? ""] ?? "string";
    case "array":
      return schema.items === undefined || kindOf(schema.items) === "none" ? "none" : "list";
    case "object":
      if (typeof schema.additionalProperties === "object") {
        return kindOf(schema.additionalProperties) === "none" ? "none" : "map";
      }
      return "object";
    default:
      return "none";
  }
}

/** Registers the object types of a schema. */
export interface TypeRegistry {
  registerType(name: string, fields: Readonly<Record<string, string>>): void;
}

const scalarTypes: Partial<Record<ValueKind, string>> = {
  boolean: "bool",
  bytes: "bytes",
  date: "google.protobuf.Timestamp",
  double: "double",
  duration: "google.protobuf.Duration",
  dyn: "dyn",
  int: "int",
  string: "string",
};

/**
 * Declares the types of a schema for the checker.
 *
 * @param name of the type if it is an object; nested types are below it
 * @param isRoot whether the values are objects of Kubernetes
 * @returns the name of the type; undefined if expressions cannot see the value
 */
export function declareType(
  registry: TypeRegistry,
  schema: JsonSchema,
  name: string,
  isRoot: boolean,
): string | undefined {
  const kind = kindOf(schema);
  const scalar = scalarTypes[kind];
  if (scalar !== undefined) return scalar;
  if (kind === "list" && schema.items !== undefined) {
    const items = declareType(registry, schema.items, `${name}._idx`, isEmbedded(schema.items));
    return items === undefined ? undefined : `list<${items}>`;
  }
  const { additionalProperties } = schema;
  if (kind === "map" && typeof additionalProperties === "object") {
    const nested = `${name}._elem`;
    const values = declareType(
      registry,
      additionalProperties,
      nested,
      isEmbedded(additionalProperties),
    );
    return values === undefined ? undefined : `map<string, ${values}>`;
  }
  if (kind !== "object") return undefined;
  const fields: Record<string, string> = {};
  for (const [field, declared] of declaredFields(isRoot ? withTypeMeta(schema) : schema)) {
    const nested = `${name}.${field}`;
    const type = declareType(registry, declared.schema, nested, isEmbedded(declared.schema));
    if (type !== undefined) fields[field] = type;
  }
  registry.registerType(name, fields);
  return name;
}

/** Whether the values of a schema are objects of Kubernetes inside another object. */
export function isEmbedded(schema: JsonSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/** Returns the schema of a property, unlike a member of JavaScript's objects. */
export function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties = {} } = schema ?? {};
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
