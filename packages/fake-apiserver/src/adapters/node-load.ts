import { recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/request.ts";
import { type Answer, LoadClient } from "./node-load-client.ts";
import { ManifestError, type Manifest } from "./node-manifests.ts";

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
 * @param onWarning called with each warning of the server for an object, and with its place
 * @returns how many there were
 * @throws {@link ManifestError} with the server's message for the first object it refuses
 */
export async function loadManifests(
  server: FetchHandler,
  manifests: readonly Manifest[],
  onWarning: (text: string) => void,
): Promise<number> {
  const rank = ({ kind }: Manifest): number => {
    const index = kindOrder.indexOf(kind);
    return index < 0 ? kindOrder.length : index;
  };
  const ordered = manifests.toSorted((left, right) => rank(left) - rank(right));
  const client = new LoadClient(server);
  for (const manifest of ordered) {
    for (const text of await loadManifest(client, manifest)) {
      onWarning(`${manifest.file}:${manifest.line}: ${named(manifest)}: ${text}`);
    }
  }
  return ordered.length;
}

/** Returns what the server warns of. */
async function loadManifest(client: LoadClient, manifest: Manifest): Promise<Iterable<string>> {
  const { apiVersion, kind, object } = manifest;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const resources = await client.resources(root);
  const resource = resources.find((entry) => entry.kind === kind && !entry.name.includes("/"));
  if (resource === undefined) {
    throw refused(manifest, `no resource of kind ${kind} in ${apiVersion} is served`);
  }
  const metadata = recordOf(object["metadata"]);
  const namespace = stringOf(metadata["namespace"]) || "default";
  const within = resource.namespaced ? `/namespaces/${namespace}` : "";
  const collection = `${root}${within}/${resource.name}`;
  const clean = withoutServerMetadata(object, metadata);
  const stored = await store(client, manifest, collection, clean);
  const hasStatus = resources.some((entry) => entry.name === `${resource.name}/status`);
  if (object["status"] === undefined || !hasStatus) return new Set(stored.warnings);
  const name = stringOf(recordOf(stored.body["metadata"])["name"]);
  const status = { ...stored.body, status: object["status"] };
  const { warnings } = await demand(
    client,
    manifest,
    "PUT",
    `${collection}/${name}/status`,
    status,
  );
  return new Set([...stored.warnings, ...warnings]);
}

async function store(
  client: LoadClient,
  manifest: Manifest,
  collection: string,
  object: JsonObject,
): Promise<Answer> {
  const created = await client.send("POST", collection, object);
  if (created.status === 201) return created;
  if (created.body["reason"] !== "AlreadyExists") throw refused(manifest, messageOf(created));
  const metadata = recordOf(object["metadata"]);
  const path = `${collection}/${stringOf(metadata["name"])}`;
  const existing = await demand(client, manifest, "GET", path);
  const { resourceVersion } = recordOf(existing.body["metadata"]);
  const replacement = { ...object, metadata: { ...metadata, resourceVersion } };
  return demand(client, manifest, "PUT", path, replacement);
}

async function demand(
  client: LoadClient,
  manifest: Manifest,
  method: string,
  path: string,
  object?: JsonObject,
): Promise<Answer> {
  const answer = await client.send(method, path, object);
  if (answer.status >= 300) throw refused(manifest, messageOf(answer));
  return answer;
}

function withoutServerMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([name]) => !serverMetadata.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

function refused(manifest: Manifest, message: string): ManifestError {
  const { file, line } = manifest;
  return new ManifestError(file, line, `${named(manifest)} was refused: ${message}`);
}

function named({ kind, object }: Manifest): string {
  return `${kind} "${stringOf(recordOf(object["metadata"])["name"])}"`;
}

function messageOf({ status, body }: Answer): string {
  return stringOf(body["message"]) || `status ${status}`;
}
