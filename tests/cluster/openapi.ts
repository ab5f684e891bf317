import { isDeepStrictEqual } from "node:util";
import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { Connection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "openapi.example";
const limitMs = 30_000;
const shownDifferences = 10;

type Send = (path: string, body?: object) => Promise<JsonObject>;

/** Compares the documents of a real server with those of the fake one; counts the documents. */
export async function runOpenApiChecks(connection: Connection): Promise<Counts> {
  const fake = new FakeApiServer({ bootstrap: "full" });
  const real = sender((request) => connection.fetch(request), connection.server);
  const ours = sender(fake.fetch, connection.server);
  const counts = { passed: 0, failed: 0 };
  let members = 0;
  try {
    for (const send of [real, ours]) {
      for (const namespaced of [true, false]) await send(definitions, definition(namespaced));
    }
    const paths = await pathsOf(real, (found) => found.includes(`apis/${group}/v2`));
    const known = new Set(await pathsOf(ours, () => true));
    for (const path of [...paths, "v2"]) {
      const url = path === "v2" ? "/openapi/v2" : `/openapi/v3/${path}`;
      const read = async (send: Send) => membersOf(withParameters(await send(url)));
      if (path !== "v2" && !known.has(path)) throw new Error(`The fake server lacks ${url}`);
      const [theirs, made] = await Promise.all([read(real), read(ours)]);
      const differing = differences(theirs, made);
      members += theirs.size;
      if (differing.length === 0) counts.passed++;
      else {
        counts.failed++;
        const shown = differing.slice(0, shownDifferences).join("\n     ");
        console.log(`FAIL openapi: ${path}: ${differing.length} members differ:\n     ${shown}`);
      }
    }
  } catch (error) {
    console.log(`FAIL openapi: ${describe(error)}`);
    counts.failed++;
  } finally {
    for (const plural of ["gardens", "orchards"]) {
      const url = new URL(`${definitions}/${plural}.${group}`, connection.server);
      await connection.fetch(new Request(url, { method: "DELETE" }));
    }
  }
  console.log(`ok   openapi: ${members} members of ${counts.passed} documents are the same`);
  return counts;
}

function sender(fetch: (request: Request) => Promise<Response>, server: string): Send {
  return async (path, body) => {
    const init = body && {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    };
    const response = await fetch(new Request(new URL(path, server), init ?? {}));
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as JsonObject;
  };
}

/** Returns the paths of the index, which a server writes some time after a definition. */
async function pathsOf(
  send: Send,
  isComplete: (paths: readonly string[]) => boolean,
): Promise<readonly string[]> {
  for (const end = performance.now() + limitMs; ;) {
    const paths = Object.keys(recordOf((await send("/openapi/v3"))["paths"]));
    if (isComplete(paths)) return paths;
    if (performance.now() > end) throw new Error(`The index has only ${paths.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Writes the parameters that operations of version 2 share where they are used. */
function withParameters({ parameters, ...document }: JsonObject): JsonObject {
  const shared = recordOf(parameters);
  const prefix = "#/parameters/";
  const text = JSON.stringify(document, (_key, value: unknown) => {
    const { $ref } = recordOf(value);
    const isShared = typeof $ref === "string" && $ref.startsWith(prefix);
    return isShared ? shared[$ref.slice(prefix.length)] : value;
  });
  return JSON.parse(text) as JsonObject;
}

/** Lists the operations, schemas and other members of a document. */
function membersOf({
  components,
  definitions: schemas,
  paths,
  ...rest
}: JsonObject): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>(Object.entries(rest));
  for (const [path, item] of Object.entries(recordOf(paths))) {
    for (const [name, part] of Object.entries(recordOf(item))) members.set(`${name} ${path}`, part);
  }
  for (const [type, parts] of Object.entries(recordOf(components))) {
    for (const [name, part] of Object.entries(recordOf(parts)))
      members.set(`${type} ${name}`, part);
  }
  for (const [name, schema] of Object.entries(recordOf(schemas))) members.set(name, schema);
  return members;
}

function differences(
  theirs: ReadonlyMap<string, unknown>,
  made: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [...new Set([...theirs.keys(), ...made.keys()])]
    .filter((name) => !isDeepStrictEqual(theirs.get(name), made.get(name)))
    .map(
      (name) => `${name}: ${JSON.stringify(theirs.get(name))} → ${JSON.stringify(made.get(name))}`,
    );
}

function definition(namespaced: boolean): object {
  const [kind, plural] = namespaced ? ["Garden", "gardens"] : ["Orchard", "orchards"];
  const schema = {
    type: "object",
    description: "Where plants grow.",
    properties: {
      spec: {
        type: "object",
        required: ["size"],
        properties: {
          size: { type: "integer", format: "int32", minimum: 1, default: 3, description: "In m²." },
          port: {
            "x-kubernetes-int-or-string": true,
            anyOf: [{ type: "integer" }, { type: "string" }],
          },
          note: { type: "string", nullable: true },
          shed: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            properties: { spec: { type: "string" } },
          },
          beds: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
          },
          any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
        "x-kubernetes-validations": [{ rule: "self.size < 9", message: "too big" }],
      },
      status: { type: "object", properties: { ready: { type: "boolean" } } },
    },
  };
  const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };
  const version = (name: string, subresources?: object) => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: schema },
    ...(subresources && { subresources }),
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, plural },
      versions: [version("v1", { status: {}, scale }), version("v2")],
    },
  };
}
