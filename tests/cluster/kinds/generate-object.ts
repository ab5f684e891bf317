/** A JSON schema of an OpenAPI v3 document, as far as objects are generated from it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly kind: string;
    readonly version: string;
  }[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A JSON object that is still being built. */
export type Draft = Record<string, unknown>;

const prefix = "#/components/schemas/";
// Templates of pods below this depth, and schemas that contain themselves.
const maxDepth = 14;
// Items of a list of objects have one alternative each down to this depth: volumes of a pod have
// all sources, those of templates one of them.
const alternativesDepth = 3;

/** How much of a schema an object has. */
export type Size = "minimal" | "maximal";

/** Generates values of schemas: the same for the same schema and name. */
export class ObjectGenerator {
  readonly #schemas: Schemas;
  readonly #size: Size;

  constructor(schemas: Schemas, size: Size) {
    this.#schemas = schemas;
    this.#size = size;
  }

  /** Follows references and single members of `allOf`. */
  resolve(schema: Schema): Schema {
    const ref = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
    if (ref === undefined) return schema;
    const name = ref.slice(prefix.length);
    return isScalarType(name) ? { format: name } : (this.#schemas[name] ?? {});
  }

  /** Returns a value for the member `name` of an object. */
  value(schema: Schema, name: string, depth: number): unknown {
    const found = this.resolve(schema);
    const special = scalarTypes[shortName(found.format ?? "")];
    if (special !== undefined) return structuredClone(special);
    if (found.enum !== undefined) return found.enum.find((one) => one !== "") ?? "";
    if (found.type === "array") return this.#items(found, name, depth);
    if (found.type === "boolean") return name !== "hostProcess";
    if (found.type === "integer" || found.type === "number") return 1;
    if (found.type === "string") return textOf(found, name);
    if (found.properties !== undefined) return this.object(found, depth);
    if (typeof found.additionalProperties === "object") {
      const value = this.value(found.additionalProperties, name, depth + 1);
      const names = value === quantity ? resourceNames : ["a"];
      return Object.fromEntries(names.map((key) => [key, value]));
    }
    if (found.oneOf !== undefined) return 1;
    return {};
  }

  /** Returns an object with all members, or with those that its schema requires. */
  object({ properties = {}, required = [] }: Schema, depth: number): Draft {
    const draft: Draft = {};
    if (depth > maxDepth) return draft;
    for (const [name, schema] of Object.entries(properties)) {
      if (this.#size === "minimal" && !required.includes(name)) continue;
      draft[name] = this.value(schema, name, depth + 1);
    }
    return draft;
  }

  #items({ items = {} }: Schema, name: string, depth: number): readonly unknown[] {
    const first = this.value(items, name, depth + 1);
    const { properties = {} } = this.resolve(items);
    const nested = Object.keys(properties).filter((member) => this.#isObject(properties[member]));
    if (this.#size === "minimal" || nested.length < 2 || depth > alternativesDepth) return [first];
    const alternatives = nested.map((kept) => {
      const members = Object.entries(first as Draft);
      const chosen = members.filter(([member]) => member === kept || !nested.includes(member));
      return named(Object.fromEntries(chosen), kept);
    });
    return [first, ...alternatives];
  }

  #isObject(schema: Schema = {}): boolean {
    return this.resolve(schema).properties !== undefined;
  }
}

// Items of a list have different names.
function named(item: Draft, name: string): Draft {
  const own = name.toLowerCase();
  const unique: Draft = { ...item };
  if (typeof unique["name"] === "string") unique["name"] = own;
  if (typeof unique["mountPath"] === "string") unique["mountPath"] = `/${own}`;
  if (typeof unique["devicePath"] === "string") unique["devicePath"] = `/${own}`;
  // Alternatives are often named by their type.
  if (typeof unique["type"] === "string") {
    unique["type"] = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  }
  return unique;
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function isScalarType(name: string): boolean {
  return Object.hasOwn(scalarTypes, shortName(name));
}

const quantity = "1";
// Those that a kind does not know are removed by the repair.
const resourceNames = ["cpu", "memory", "storage", "example.net/a"];

const scalarTypes: Readonly<Record<string, unknown>> = {
  IntOrString: 1,
  "int-or-string": 1,
  Quantity: quantity,
  Time: "2024-05-06T07:08:09Z",
  "date-time": "2024-05-06T07:08:09Z",
  MicroTime: "2024-05-06T07:08:09.000001Z",
  Duration: "1m0s",
  RawExtension: { a: 1 },
  FieldsV1: {},
  // Selectors match the templates beside them.
  LabelSelector: { matchLabels: { a: "a" } },
  ObjectMeta: { labels: { a: "a" } },
  byte: "YQ==",
};

// Values that a member of this name may have; others are found by the repair.
const texts: Readonly<Record<string, string>> = {
  admissionReviewVersions: "v1",
  apiGroup: "example.net",
  apiVersion: "v1",
  cidr: "10.1.0.0/16",
  expression: "true",
  image: "registry.example.net/a:1",
  ip: "192.0.2.1",
  kind: "ConfigMap",
  messageExpression: "'a'",
  mountPath: "/a",
  namespace: "kinds",
  loadBalancerSourceRanges: "10.1.0.0/16",
  path: "/a",
  podCIDR: "10.1.0.0/16",
  podCIDRs: "10.1.0.0/16",
  schedule: "0 0 * * *",
  valueExpression: "'a'",
  url: "https://a.example.net/a",
};

function textOf({ format }: Schema, name: string): string {
  if (format === "date-time") return "2024-05-06T07:08:09Z";
  return texts[name] ?? "a";
}
