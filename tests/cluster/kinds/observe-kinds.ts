import { type ApiConnection, call } from "./api-connection.ts";
import {
  type Draft,
  ObjectGenerator,
  type Schema,
  type Schemas,
  type Size,
} from "./generate-object.ts";
import { give, givenMembers } from "./given-members.ts";
import { matched } from "./matched-body.ts";
import { type Cause, ObjectRepair } from "./repair-object.ts";

/** The namespace of all objects. */
export const namespace = "kinds";

const maxTries = 150;

/** A kind with the path that creates it. */
export interface Kind {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schemas: Schemas;
  readonly schema: Schema;
}

/** A generated object, and how a server completed it. */
export interface Observation {
  readonly kind: string;
  readonly apiVersion: string;
  readonly note: string;
  readonly input: Draft;
  readonly output: unknown;
  readonly warnings: readonly string[];
}

/** A generated object that the server refused to the end. */
export interface Refusal {
  readonly subject: string;
  readonly why: string;
}

/** Generates a minimal and a maximal object of every kind that a server serves, and creates them. */
export async function* observeKinds(
  connection: ApiConnection,
): AsyncGenerator<Observation | Refusal> {
  for (const kind of await kindsOf(connection)) {
    for (const size of ["minimal", "maximal"] as const) yield observe(connection, kind, size);
  }
}

/** Creates a recorded object again. Returns what the server answered when it refused. */
export async function observeAgain(
  connection: ApiConnection,
  { path }: Kind,
  { input, ...recorded }: Observation,
): Promise<Observation | string> {
  const { body, status, warnings } = await call(connection, "POST", path, input);
  if (status !== 201) return `${status} ${String(body["message"])}`;
  return { ...recorded, input, output: matched(body, input), warnings };
}

/** Creates the namespace of the objects. */
export async function createNamespace(connection: ApiConnection): Promise<void> {
  await call(connection, "POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
}

/** The kinds that can be created, in the order of the server's documents. */
export async function kindsOf(connection: ApiConnection): Promise<readonly Kind[]> {
  const index = (await call(connection, "GET", "/openapi/v3")).body as {
    readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  };
  const kinds: Kind[] = [];
  for (const [name, { serverRelativeURL }] of Object.entries(index.paths)) {
    if (!/^(api|apis\/[^/]+)\/v\d+$/.test(name)) continue;
    const document = (await call(connection, "GET", serverRelativeURL)).body as {
      readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
      readonly components: { readonly schemas: Schemas };
    };
    const { schemas } = document.components;
    for (const [path, { post }] of Object.entries(document.paths)) {
      if (post?.["x-kubernetes-action"] !== "post" || path.includes("{name}")) continue;
      const type = post["x-kubernetes-group-version-kind"];
      const schema = Object.values(schemas).find((one) => isOf(one, type));
      const filled = path.replace("{namespace}", namespace);
      if (schema !== undefined) kinds.push({ ...type, path: filled, schemas, schema });
    }
  }
  return kinds;
}

interface TypeName {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

interface Operation {
  readonly "x-kubernetes-action": string;
  readonly "x-kubernetes-group-version-kind": TypeName;
}

function isOf(schema: Schema, { group, kind, version }: TypeName): boolean {
  const types = schema["x-kubernetes-group-version-kind"] ?? [];
  return types.some((one) => one.group === group && one.version === version && one.kind === kind);
}

async function observe(
  connection: ApiConnection,
  kind: Kind,
  size: Size,
): Promise<Observation | Refusal> {
  const generator = new ObjectGenerator(kind.schemas, size);
  const repair = new ObjectRepair(generator, kind.schema);
  const input = generate(generator, kind, size);
  const apiVersion = apiVersionOf(kind);
  let before: { readonly object: Draft; readonly causes: readonly Cause[] } | undefined;
  let why = "";
  for (let tries = 0; tries < maxTries; tries++) {
    const sent = structuredClone(input);
    const { body, status, warnings } = await call(connection, "POST", kind.path, input);
    if (status === 201) {
      const output = matched(body, sent);
      return { kind: kind.kind, apiVersion, note: `${size} object`, input: sent, output, warnings };
    }
    const { causes = [] } = (body["details"] ?? {}) as { readonly causes?: readonly Cause[] };
    why = `${status} ${String(body["message"])}`;
    if (status === 400 && before !== undefined) {
      for (const name of Object.keys(input)) delete input[name];
      Object.assign(input, before.object);
      repair.repairByRemoval(input, before.causes);
      before = undefined;
    } else {
      before = { object: sent, causes };
      if (status !== 422 || !repair.repair(input, causes)) break;
    }
  }
  return { subject: `${apiVersion} ${kind.kind}, ${size}`, why };
}

function generate(generator: ObjectGenerator, kind: Kind, size: Size): Draft {
  const { group, schema, version } = kind;
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...rest
  } = generator.object(schema, 0);
  // Two groups may store the same objects.
  const name = [size, ...group.split(".").slice(0, 1), version].filter(Boolean).join("-");
  const labelled = { name, labels: { a: "b" }, annotations: { "example.net/a": "b" } };
  const metadata = size === "minimal" ? { name } : labelled;
  const object: Draft = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest };
  give(object, givenMembers(kind, size));
  return object;
}

/** The `apiVersion` of the objects of a kind. */
export function apiVersionOf({ group, version }: TypeName): string {
  return group === "" ? version : `${group}/${version}`;
}
