import { describeValue, isRecord } from "@listwatch/core-fifo/base";

interface Form {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const text: Form = { expected: "a text", fits: (value) => typeof value === "string" };
const list: Form = { expected: "a list", fits: Array.isArray };
const texts: Form = {
  expected: "a list of texts",
  fits: (value) => Array.isArray(value) && value.every(text.fits),
};

/** Members of a schema that contain no other schema. */
const plainMembers: readonly (readonly [keyof Schema, Form])[] = [
  ["$ref", text],
  ["description", text],
  ["type", text],
  ["format", text],
  ["enum", list],
  ["required", texts],
  ["x-kubernetes-list-map-keys", texts],
];

/** Position of a schema, for errors. */
interface Place {
  /** Name of the definition. */
  readonly definition: string;
  readonly path: string;
  /** The enclosing schemas. */
  readonly outer: readonly unknown[];
}

/**
 * Reads a schema of a definition. A member that is `null` counts as absent, like for a server.
 *
 * @throws {TypeError} if a member has a wrong type, or contains the schema itself, which aliases in
 *   YAML allow
 */
export function readSchema(value: unknown, place: Place): Schema {
  if (!isRecord(value)) throw mistyped(place, "an object", value);
  if (place.outer.includes(value)) {
    throw wrongField(place.definition, place.path, "another schema", "one that is around it");
  }
  const isGiven = ([name, member]: readonly [string, unknown]): boolean =>
    member !== null || name === "default";
  const schema = Object.fromEntries(Object.entries(value).filter(isGiven));
  for (const [name, { expected, fits }] of plainMembers) {
    const member = schema[name];
    if (member !== undefined && !fits(member)) throw mistyped(at(place, name), expected, member);
  }
  const outer = [...place.outer, value];
  return { ...schema, ...readInner(schema, { ...place, outer }) };
}

/** Reads the members that contain other schemas. */
function readInner(schema: Readonly<Record<string, unknown>>, place: Place): Schema {
  const { additionalProperties, allOf, anyOf, items, properties } = schema;
  const read = (name: string, value: unknown): Schema => readSchema(value, at(place, name));
  const readList = (name: string, values: unknown): Schema[] => {
    if (!Array.isArray(values)) throw mistyped(at(place, name), "a list", values);
    return values.map((value, index) => read(`${name}.${index}`, value));
  };
  const hasSchema = additionalProperties !== undefined && typeof additionalProperties !== "boolean";
  return {
    ...(allOf !== undefined && { allOf: readList("allOf", allOf) }),
    ...(anyOf !== undefined && { anyOf: readList("anyOf", anyOf) }),
    ...(items !== undefined && { items: read("items", items) }),
    ...(hasSchema && { additionalProperties: read("additionalProperties", additionalProperties) }),
    ...(properties !== undefined && { properties: readProperties(properties, place) }),
  };
}

function readProperties(properties: unknown, place: Place): Readonly<Record<string, Schema>> {
  if (!isRecord(properties)) throw mistyped(at(place, "properties"), "an object", properties);
  const entries = Object.entries(properties).map(
    ([name, value]) => [name, readSchema(value, at(place, `properties.${name}`))] as const,
  );
  return Object.fromEntries(entries);
}

function at(place: Place, name: string): Place {
  return { ...place, path: `${place.path}.${name}` };
}

function mistyped({ definition, path }: Place, expected: string, value: unknown): TypeError {
  return wrongField(definition, path, expected, describeValue(value));
}

export function wrongField(
  definition: string,
  field: string,
  expected: string,
  got: string,
): TypeError {
  return new TypeError(
    `Cannot read the CustomResourceDefinition ${definition}: expected ${expected} in ${field}, ` +
      `got ${got}`,
  );
}

/**
 * The part of a schema that determines a type. OpenAPI v3 documents and CustomResourceDefinitions
 * have the same form; only the former contain references.
 */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}
