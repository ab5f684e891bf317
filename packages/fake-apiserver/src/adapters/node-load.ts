import { isRecord, recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/fetch-handler.ts";
import { ManifestError, type Manifest } from "./node-manifests.ts";

// Any host: the handler looks at the path only.
const origin = "http://localhost";

// Definitions before their objects, namespaces before what is in them; all else in the order of the
// files.
const kindOrder = ["CustomResourceDefinition", "Namespace"];

/**
 * Metadata that only the server writes; manifests that were printed by `kubectl get -o yaml` have
 * it.
 */
const serverMetadata = [
  "resourceVersion",
  "uid",
  "creationTimestamp",
  "generation",
  "managedFields",
  "selfLink",
];

/**
 * Creates the objects of manifests on a server, or replaces those that exist, status included.
 *
 * @returns how many there were
 * @throws {@link ManifestError} with the server's message for the first object it refuses
 */
export async function loadManifests(
  server: FetchHandler,
  manifests: readonly Manifest[],
): Promise<number> {
  const rank = ({ kind }: Manifest): number => {
    const index = kindOrder.indexOf(kind);
    return index < 0 ? kindOrder.length : index;
  };
  const ordered = manifests.toSorted((left, right) => rank(left) - rank(right));
  for (const manifest of ordered) await loadManifest(server, manifest);
  return ordered.length;
}

async function loadManifest(server: FetchHandler, manifest: Manifest): Promise<void> {
  const { apiVersion, kind, object } = manifest;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const resources = await discover(server, root);
  const resource = resources.find((entry) => entry.kind === kind && !entry.name.includes("/"));
  if (resource === undefined) {
    throw refused(manifest, `no resource of kind ${kind} in ${apiVersion} is served`);
  }
  const metadata = recordOf(object["metadata"]);
  const namespace = stringOf(metadata["namespace"]) || "default";
  const within = resource.namespaced ? `/namespaces/${namespace}` : "";
  const collection = `${root}${within}/${resource.name}`;
  const clean = withoutServerMetadata(object, metadata);
  const stored = await store(server, manifest, collection, clean);
  const hasStatus = resources.some((entry) => entry.name === `${resource.name}/status`);
  if (object["status"] === undefined || !hasStatus) return;
  const name = stringOf(recordOf(stored["metadata"])["name"]);
  const status = { ...stored, status: object["status"] };
  await demand(server, manifest, "PUT", `${collection}/${name}/status`, status);
}

async function store(
  server: FetchHandler,
  manifest: Manifest,
  collection: string,
  object: JsonObject,
): Promise<JsonObject> {
  const created = await call(server, "POST", collection, object);
  if (created.status === 201) return created.body;
  if (created.body["reason"] !== "AlreadyExists") throw refused(manifest, messageOf(created));
  const metadata = recordOf(object["metadata"]);
  const path = `${collection}/${stringOf(metadata["name"])}`;
  const existing = await demand(server, manifest, "GET", path);
  const { resourceVersion } = recordOf(existing["metadata"]);
  const replacement = { ...object, metadata: { ...metadata, resourceVersion } };
  return demand(server, manifest, "PUT", path, replacement);
}

interface DiscoveredResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

async function discover(
  server: FetchHandler,
  root: string,
): Promise<readonly DiscoveredResource[]> {
  const { body } = await call(server, "GET", root);
  const resources = body["resources"];
  if (!Array.isArray(resources)) return [];
  return resources.filter(isRecord).map((entry) => ({
    name: stringOf(entry["name"]),
    kind: stringOf(entry["kind"]),
    namespaced: entry["namespaced"] === true,
  }));
}

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

async function demand(
  server: FetchHandler,
  manifest: Manifest,
  method: string,
  path: string,
  object?: JsonObject,
): Promise<JsonObject> {
  const answer = await call(server, method, path, object);
  if (answer.status >= 300) throw refused(manifest, messageOf(answer));
  return answer.body;
}

async function call(
  server: FetchHandler,
  method: string,
  path: string,
  object?: JsonObject,
): Promise<Answer> {
  const response = await server.fetch(
    new Request(`${origin}${path}`, {
      method,
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      ...(object === undefined ? {} : { body: JSON.stringify(object) }),
    }),
  );
  const text = await response.text();
  // An unknown group is answered in plain text.
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson ? JSON.parse(text) : { message: text.trim() };
  return { status: response.status, body: recordOf(body) };
}

function withoutServerMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([name]) => !serverMetadata.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

function refused({ file, line, kind, object }: Manifest, message: string): ManifestError {
  const name = stringOf(recordOf(object["metadata"])["name"]);
  return new ManifestError(file, line, `${kind} "${name}" was refused: ${message}`);
}

function messageOf({ status, body }: Answer): string {
  return stringOf(body["message"]) || `status ${status}`;
}
