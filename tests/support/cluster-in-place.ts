/**
 * Puts a cluster in the place of the fake API server of an example, so that the example itself
 * needs no other form for a cluster:
 *
 * ```
 * node --import ./tests/support/cluster-in-place.ts examples/NAME.ts --context NAME | --server URL
 * ```
 *
 * The cluster has objects of others, which an example must neither change nor print. So the
 * requests go to separate namespaces, whose names have a suffix that the answers lack. Lists and
 * watches select the objects of this run by a label.
 */
import { registerHooks } from "node:module";
import { parseArgs } from "node:util";
import { createClient, createConnection, isAlreadyExists, isNotFound, objectName } from "listwatch";
import { connect } from "listwatch/node";

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "listwatch/fake-apiserver" ? import.meta.url : specifier, context),
});

const { values: options } = parseArgs({
  options: { context: { type: "string" }, server: { type: "string" } },
});
const cluster =
  options.server === undefined
    ? await connect({ context: options.context })
    : createConnection({ server: options.server });
const client = createClient(cluster);

const run = Math.random().toString(36).slice(2, 8);
const suffix = `-listwatch-${run}`;
const labels = { "created-by": "listwatch-examples", "example-run": run };

interface SeedObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: object;
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}

/** The part of the fake API server that examples for a cluster use. */
export class FakeApiServer {
  readonly #watches = new Set<TransformStreamDefaultController>();
  readonly #ready: Promise<void>;
  readonly control = {
    watches: {
      reset: (): void => {
        for (const watch of this.#watches) watch.error(new TypeError("connection reset"));
        this.#watches.clear();
      },
    },
  };

  constructor({ objects = [] }: { readonly objects?: Iterable<SeedObject> } = {}) {
    this.#ready = create(objects);
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    await this.#ready;
    const response = await forward(request);
    if (response.body === null || !request.url.includes("watch=")) return response;
    const { headers, status } = response;
    return new Response(response.body.pipeThrough(this.#breakable()), { headers, status });
  };

  #breakable(): TransformStream<Uint8Array, Uint8Array> {
    const watches = this.#watches;
    let relaying: TransformStreamDefaultController | undefined;
    return new TransformStream({
      start(controller) {
        relaying = controller;
        watches.add(controller);
      },
      flush() {
        if (relaying !== undefined) watches.delete(relaying);
      },
    });
  }
}

/** Creates the objects that the program's server begins with. */
async function create(objects: Iterable<SeedObject>): Promise<void> {
  const own = createClient(createConnection({ server: "http://cluster", fetch: forward }));
  for (const object of objects) {
    const { apiVersion = "", kind = "", status } = object;
    const type = await client.discovery.forKind({ apiVersion, kind });
    if (type === undefined) throw new Error(`Cannot create an object: there is no kind ${kind}`);
    const { namespace, name } = objectName(await own.resource(type).create(object));
    if (status !== undefined) {
      await own.resource(type).patchStatus(`${namespace}/${name}`, { status });
    }
  }
}

/** The path of a collection, with its namespace if it has one, and its resource. */
const collection = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)$/;

/** Sends a request to the cluster, with the names and labels of this run. */
async function forward(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const { method } = request;
  const [, namespace] = /\/namespaces\/([^/]+)/.exec(url.pathname) ?? [];
  const path = url.pathname.replace(/\/namespaces\/[^/]+/, `$&${suffix}`);
  if (namespace !== undefined) await createNamespace(namespace);
  const [isCollection = "", , resource = ""] = collection.exec(url.pathname) ?? [];
  if (method === "GET" && isCollection !== "" && resource !== "customresourcedefinitions") {
    const selectors = [url.searchParams.get("labelSelector") ?? "", `example-run=${run}`];
    url.searchParams.set("labelSelector", selectors.filter((part) => part !== "").join(","));
  }
  const creates =
    (method === "POST" && isCollection !== "") ||
    /apply-patch/.test(request.headers.get("content-type") ?? "");
  const text = (await request.text()).replaceAll(/(?<="namespace":"[^"]+)(?=")/g, suffix);
  const response = await cluster.fetch(
    new Request(cluster.server + path + url.search, {
      method,
      headers: request.headers,
      signal: request.signal,
      body: text === "" ? null : creates && namespace !== undefined ? marked(text) : text,
    }),
  );
  if (response.status === 201 && namespace === undefined) atEnd(path);
  return withoutSuffix(response);
}

/** The body of a create, with the labels of this run. The scheduler ignores its pods. */
function marked(text: string): string {
  const object = JSON.parse(text);
  object.metadata.labels = { ...object.metadata.labels, ...labels };
  if (object.kind === "Pod") object.spec.schedulingGates = [{ name: "example.com/never" }];
  return JSON.stringify(object);
}

/** Every event of a watch is a line, which is passed on at once. */
function withoutSuffix(response: Response): Response {
  if (response.body === null) return response;
  let rest = "";
  const renamed = new TransformStream<string, string>({
    transform(chunk, controller) {
      const text = rest + chunk;
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      if (end > 0) controller.enqueue(text.slice(0, end).replaceAll(suffix, ""));
    },
    flush: (controller) => controller.enqueue(rest.replaceAll(suffix, "")),
  });
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(renamed)
    .pipeThrough(new TextEncoderStream());
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(body, { headers, status: response.status });
}

const namespaces = new Map<string, Promise<void>>();

/** Creates a namespace of this run when it is first used. */
function createNamespace(name: string): Promise<void> {
  const created = namespaces.get(name) ?? newNamespace(`${name}${suffix}`);
  namespaces.set(name, created);
  return created;
}

async function newNamespace(name: string): Promise<void> {
  await client.request({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { metadata: { name, labels } },
  });
  atEnd(`/api/v1/namespaces/${name}`);
  // Pods are refused before it exists. A cluster's controllers create it, maybe later than needed.
  const path = `/api/v1/namespaces/${name}/serviceaccounts`;
  const body = { metadata: { name: "default" } };
  await client.request({ method: "POST", path, body }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

const left: string[] = [];

/** Deletes the object at a path when the program ends. */
function atEnd(path: string): void {
  left.push(path);
}

async function deleteLeft(): Promise<void> {
  for (const path of left.splice(0).toReversed()) {
    await client.request({ method: "DELETE", path }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function endEarly(failure?: unknown): Promise<void> {
  if (failure !== undefined) console.error(failure);
  await deleteLeft().finally(() => process.exit(1));
}

process.once("beforeExit", () => void deleteLeft());
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void endEarly());
process.once("uncaughtException", (failure) => void endEarly(failure));
