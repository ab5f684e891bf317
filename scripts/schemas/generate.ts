// Generates the table of all built-in types from the OpenAPI documents of a Kubernetes API server:
//
//   node scripts/schemas/generate.ts [--check]
//
// The documents are in packages/fake-apiserver/openapi-v3, as a server sent them, each as gzip.
// They do not say which fields the server writes although they are empty, and which it leaves out
// when they are zero, nor what the server checks of them: that is in presence.json and rules.json,
// which go-modules.ts reads from the tags of Kubernetes' Go types.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Presence {
  /** Fields that are written although they are empty. */
  readonly w: readonly string[];
  /** Fields that are left out when they are zero. */
  readonly e: readonly string[];
  /** Fields of `w` that are pointers in Go: written as null. */
  readonly p?: readonly string[];
  /** The types that decoding errors name. */
  readonly t?: Readonly<Record<string, string>>;
  /** The embedded structs in front of a field in decoding errors. */
  readonly i?: Readonly<Record<string, string>>;
}

type TypeCode = string | number | readonly unknown[] | Readonly<Record<string, unknown>>;

const documents = new URL("../../packages/fake-apiserver/openapi-v3/", import.meta.url);
const output = new URL(
  "../../packages/fake-apiserver/src/schema/schema-table.generated.ts",
  import.meta.url,
);
const presence = JSON.parse(
  readFileSync(new URL("presence.json", import.meta.url), "utf8"),
) as Readonly<Record<string, Presence>>;

const rules = JSON.parse(readFileSync(new URL("rules.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>;

const schemas = new Map<string, Schema>();
// The documents of groups without a version only describe discovery.
for (const file of readdirSync(documents)
  .filter((name) => /__v\d/.test(name))
  .toSorted()) {
  const text = gunzipSync(readFileSync(new URL(file, documents))).toString();
  const { components } = JSON.parse(text) as Document;
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) schemas.set(name, schema);
}
const names = [...schemas.keys()].toSorted();
const indexes = new Map(names.map((name, index) => [name, index]));

// Types that the documents describe by less than their JSON form.
const special: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "q",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "x",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "t",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "tm",
};
const codes: Readonly<Record<string, string>> = {
  "string/byte": "sy",
  "string/date-time": "t",
  "string/": "s",
  "integer/int32": "i4",
  "integer/int64": "i8",
  "number/double": "nd",
  "boolean/": "b",
};

function typeOf(schema: Schema): TypeCode {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return indexes.get(reference.slice(reference.lastIndexOf("/") + 1))!;
  if (schema.type === "array") return [itemOf(schema.items ?? {})];
  if (schema.type === "object") {
    const { additionalProperties } = schema;
    return additionalProperties === undefined ? "?" : { "*": itemOf(additionalProperties) };
  }
  return codes[`${schema.type ?? ""}/${schema.format ?? ""}`] ?? "?";
}

// The defaults of items are their zero values, which no list or map has on its own.
function itemOf(schema: Schema): TypeCode {
  return typeOf(schema);
}

function fieldOf(
  name: string,
  schema: Schema,
  owner: Schema,
  tags: Presence,
  checks: readonly string[] | undefined,
): TypeCode {
  const type = typeOf(schema);
  const attributes = {
    l: schema["x-kubernetes-list-type"],
    k: schema["x-kubernetes-list-map-keys"],
    m: schema["x-kubernetes-map-type"],
    p: schema["x-kubernetes-patch-strategy"],
    g: schema["x-kubernetes-patch-merge-key"],
    d:
      schema.default !== undefined && JSON.stringify(schema.default) !== "{}"
        ? schema.default
        : undefined,
    z: JSON.stringify(schema.default) === "{}" ? 1 : undefined,
    r: owner.required?.includes(name) === true ? 1 : undefined,
    w: tags.w.includes(name) ? (tags.p?.includes(name) === true ? 2 : 1) : undefined,
    o: tags.e.includes(name) ? 1 : undefined,
    n: tags.t?.[name],
    i: tags.i?.[name],
    c: checks,
  };
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return given.length === 0 ? type : [type, Object.fromEntries(given)];
}

function entryOf(name: string): readonly unknown[] {
  const schema = schemas.get(name)!;
  const known = special[name];
  if (known !== undefined) return [name, known];
  if (schema.properties === undefined) return [name, schema.type === "object" ? {} : "?"];
  const tags = presence[name] ?? { w: [], e: [] };
  const fields = Object.fromEntries(
    Object.entries(schema.properties).map(([field, property]) => [
      field,
      fieldOf(field, property, schema, tags, rules[name]?.[field]),
    ]),
  );
  const map = schema["x-kubernetes-map-type"];
  return map === undefined ? [name, fields] : [name, fields, { m: map }];
}

// The type of each kind, `apps/v1 Deployment`.
function kindsOf(): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const name of names) {
    const versions = schemas.get(name)?.["x-kubernetes-group-version-kind"] as
      | readonly { group: string; version: string; kind: string }[]
      | undefined;
    // Options of requests and events of watches are in every group.
    if (versions?.length !== 1) continue;
    const [{ group, kind, version }] = versions as [(typeof versions)[0]];
    kinds[`${group === "" ? version : `${group}/${version}`} ${kind}`] = indexes.get(name)!;
  }
  return kinds;
}

// As the formatter writes it: in the quotes that need fewer escapes.
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

const table = JSON.stringify({ types: names.map(entryOf), kinds: kindsOf() });
const source = `// Generated by scripts/schemas/generate.ts; not to be edited.
/** The types of all built-in kinds; \`schema-table.ts\` says how to read it. */
export const schemaTableJson: string =
  ${quoted(table)};
`;
if (process.argv.includes("--check")) {
  if (readFileSync(output, "utf8") !== source) {
    console.log("schema-table.generated.ts is out of date: run npm run gen -- schemas");
    process.exitCode = 1;
  }
} else {
  writeFileSync(output, source);
}
console.log(`${names.length} types`);
