// The cluster of the examples: a fake API server in the same program, reached over `fetch` like any
// server. `--context NAME` selects the cluster of that context in the kubeconfig instead.
// `--server URL` selects the API server at that address, without credentials, such as
// `kubectl proxy`.
//
// Such a cluster has objects of others, which an example neither changes nor prints. It works in
// separate namespaces, and selects by the label of its run when it watches all namespaces.
import {
  createClient,
  createConnection,
  isAlreadyExists,
  isNotFound,
  type Connection,
  type FetchFunction,
} from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { argument } from "./arguments.ts";
import type * as Kubeconfig from "./kubeconfig.ts";

const given = await givenConnection();
const target =
  given ?? createConnection({ server: "http://cluster", fetch: new FakeApiServer().fetch });

/** The open watches. */
const watches = new Set<TransformStreamDefaultController>();

export const connection: Connection = { ...target, fetch: breakable(target.fetch) };

/** Breaks the connection of each watch, as a network does. */
export function breakConnections(): void {
  for (const watch of watches) watch.error(new TypeError("connection reset"));
  watches.clear();
}

// Each program on a cluster has a different suffix.
const run: string = given === undefined ? "fake" : Math.random().toString(36).slice(2, 8);

/** The labels of the objects that an example creates, and the selector for those of this run. */
export const labels: Readonly<Record<string, string>> = {
  "created-by": "listwatch-examples",
  "example-run": run,
};
export const labelSelector: string = `example-run=${run}`;

const client = createClient(target);
const namespaces = client.resource({ group: "", version: "v1", resource: "namespaces" });
const accounts = client.resource({ group: "", version: "v1", resource: "serviceaccounts" });
const own = new Map<string, Promise<string>>();

/**
 * Creates a namespace for this run, once for each name, and returns its full name. On a selected
 * cluster that has a suffix, such as `shop-listwatch-k3x9qa`, and is deleted when the program
 * ends.
 */
export function ownNamespace(name: string): Promise<string> {
  const known = own.get(name);
  if (known !== undefined) return known;
  const fullName = given === undefined ? name : `${name}-listwatch-${run}`;
  const created = createNamespace(fullName);
  own.set(name, created).set(fullName, created);
  return created;
}

async function createNamespace(name: string): Promise<string> {
  await namespaces.create({ metadata: { name, labels } });
  if (given === undefined) return name;
  atEnd(async () => {
    await namespaces.delete(name);
  });
  // Pods are refused before it exists. A cluster's controllers create it, maybe later than needed.
  await accounts.create({ metadata: { namespace: name, name: "default" } }).catch((error) => {
    if (!isAlreadyExists(error)) throw error;
  });
  return name;
}

const removals: (() => Promise<void>)[] = [];

/** Removes an object from a selected cluster when the program ends. The fake one ends with it. */
export function atEnd(remove: () => Promise<void>): void {
  if (given !== undefined) removals.push(remove);
}

async function removeAll(): Promise<void> {
  for (const remove of removals.splice(0).toReversed()) {
    await remove().catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function endEarly(failure?: unknown): Promise<void> {
  if (failure !== undefined) console.error(failure);
  await removeAll().finally(() => process.exit(1));
}

if (given !== undefined) {
  process.once("beforeExit", () => void removeAll());
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void endEarly());
  process.once("uncaughtException", (failure) => void endEarly(failure));
}

async function givenConnection(): Promise<Connection | undefined> {
  const [server, context] = [argument("server"), argument("context")];
  if (context === undefined) {
    return server === undefined ? undefined : createConnection({ server });
  }
  if (server !== undefined) throw new Error("Expected --server or --context, got both");
  // The name is not in the import, so that a bundler for the page does not follow it.
  const file = "./kubeconfig.ts";
  const kubeconfig = (await import(/* @vite-ignore */ file)) as typeof Kubeconfig;
  return kubeconfig.connectTo(context);
}

/** A `fetch` whose watches can be broken. */
function breakable(fetch: FetchFunction): FetchFunction {
  return async (request) => {
    const response = await fetch(request);
    if (response.body === null || !request.url.includes("watch=")) return response;
    const { headers, status, statusText } = response;
    let relaying: TransformStreamDefaultController | undefined;
    const relay = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        relaying = controller;
        watches.add(controller);
      },
      flush() {
        if (relaying !== undefined) watches.delete(relaying);
      },
    });
    const body = response.body.pipeThrough(relay);
    return new Response(body, { headers, status, statusText });
  };
}
