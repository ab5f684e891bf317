import { recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/request.ts";
import type { Restorer } from "../server/restore.ts";
import { apiObjectOf, takeReferredUids, wasWrittenByServer } from "./manifest-identity.ts";
import { type Answer, LoadClient } from "./node-load-client.ts";
import { describePlace, ManifestError, type Manifest } from "./node-manifests.ts";

// Definitions before their objects, namespaces before what is in them, ranges before services; all
// else in the order of the files. Webhooks, which may not run here, come after what they would see.
const kindOrder = ["CustomResourceDefinition", "Namespace", "ServiceCIDR"];
const lastKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];
// Further objects without their owners are counted.
const maxOwnerLines = 10;

/** A server that manifests are loaded into. */
export interface LoadTarget extends FetchHandler {
  /** Stores objects that a server has written before. @default they are created like all others */
  readonly restorer?: Restorer | undefined;
}

/** Options of {@link loadManifests}. */
export interface LoadOptions {
  /** Called with each warning of the server for an object, and with its place. */
  readonly onWarning: (text: string) => void;
  /** Called with each object that the server refuses. */
  readonly onError: (error: ManifestError) => void;
  /** The creation time of all objects. @default that of the dump */
  readonly creationTimestamp?: string | undefined;
}

/**
 * Loads manifests into a server. An object that a server has written before, such as one that
 * `kubectl get -o yaml` printed, is stored as it is, with its uid, times, owners and status. Others
 * are created, or replace those that exist, with their status.
 *
 * @returns the number of loaded objects
 */
export async function loadManifests(
  target: LoadTarget,
  manifests: readonly Manifest[],
  options: LoadOptions,
): Promise<number> {
  const rank = ({ kind }: Manifest): number => {
    if (lastKinds.includes(kind)) return kindOrder.length + 1;
    const index = kindOrder.indexOf(kind);
    return index < 0 ? kindOrder.length : index;
  };
  const ordered = takeReferredUids(manifests).toSorted((left, right) => rank(left) - rank(right));
  const load = new Load(target, options);
  const { restorer } = target;
  const loaded = await (restorer?.load(() => load.all(ordered)) ?? load.all(ordered));
  if (restorer !== undefined) reportAbsentOwners(restorer, loaded, options);
  return loaded.length;
}

class Load {
  readonly #client: LoadClient;
  readonly #target: LoadTarget;
  readonly #options: LoadOptions;

  constructor(target: LoadTarget, options: LoadOptions) {
    this.#client = new LoadClient(target);
    this.#target = target;
    this.#options = options;
  }

  /** Returns the manifests that the server took. */
  async all(manifests: readonly Manifest[]): Promise<readonly Manifest[]> {
    const { onError, onWarning } = this.#options;
    const loaded: Manifest[] = [];
    for (const manifest of manifests) {
      try {
        for (const text of new Set(await this.#one(manifest))) {
          onWarning(`${describePlace(manifest)}: ${named(manifest)}: ${text}`);
        }
        loaded.push(manifest);
      } catch (error) {
        if (!(error instanceof ManifestError)) throw error;
        onError(error);
      }
    }
    return loaded;
  }

  /** Returns the warnings of the server. */
  async #one(manifest: Manifest): Promise<Iterable<string>> {
    const { restorer } = this.#target;
    if (restorer === undefined || !(wasWrittenByServer(manifest.object) || isRange(manifest))) {
      return createOrReplace(this.#client, manifest);
    }
    await resourcesOf(this.#client, manifest);
    const { creationTimestamp } = this.#options;
    const object = apiObjectOf(manifest.object, {
      ...recordOf(manifest.object["metadata"]),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    });
    try {
      return await restorer.restore(object);
    } catch (error) {
      throw refused(manifest, error instanceof Error ? error.message : String(error), error);
    }
  }
}

// The ranges of a server are a setting, which cannot be changed as an object.
function isRange({ kind, object }: Manifest): boolean {
  return kind === "ServiceCIDR" && recordOf(object["metadata"])["name"] === "kubernetes";
}

function reportAbsentOwners(
  restorer: Restorer,
  loaded: readonly Manifest[],
  { onWarning }: LoadOptions,
): void {
  let count = 0;
  for (const manifest of loaded) {
    const { metadata } = manifest.object;
    if (!Array.isArray(recordOf(metadata)["ownerReferences"])) continue;
    const owners = restorer.absentOwners(apiObjectOf(manifest.object, recordOf(metadata)));
    if (owners.length === 0) continue;
    count++;
    if (count > maxOwnerLines) continue;
    const absent = `${owners.join(", ")} is not there`;
    const until = "it stays until its owner references change";
    onWarning(`${describePlace(manifest)}: ${named(manifest)}: its owner ${absent}; ${until}`);
  }
  const more = count - maxOwnerLines;
  if (more > 0) onWarning(`${more} more objects have owners that are not there`);
}

interface Resources {
  readonly root: string;
  readonly name: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
}

async function resourcesOf(client: LoadClient, manifest: Manifest): Promise<Resources> {
  const { apiVersion, kind } = manifest;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const resources = await client.resources(root);
  const resource = resources.find((entry) => entry.kind === kind && !entry.name.includes("/"));
  if (resource === undefined) {
    throw refused(manifest, `no resource of kind ${kind} in ${apiVersion} is served`);
  }
  const { name, namespaced } = resource;
  const hasStatus = resources.some((entry) => entry.name === `${name}/status`);
  return { root, name, namespaced, hasStatus };
}

/** Returns what the server warns of. */
async function createOrReplace(client: LoadClient, manifest: Manifest): Promise<Iterable<string>> {
  const { kind, object } = manifest;
  const { hasStatus, name: resource, namespaced, root } = await resourcesOf(client, manifest);
  const metadata = recordOf(object["metadata"]);
  const namespace = stringOf(metadata["namespace"]) || "default";
  const collection = `${root}${namespaced ? `/namespaces/${namespace}` : ""}/${resource}`;
  const clean = withoutServerMetadata(object, metadata);
  const stored = await store(client, manifest, collection, clean);
  // The status of a definition is the server's own business.
  const isOwn = kind === "CustomResourceDefinition";
  const { status } = object;
  if (status === undefined || !hasStatus || isOwn) return stored.warnings;
  const path = `${collection}/${stringOf(recordOf(stored.body["metadata"])["name"])}`;
  const { warnings } = await replace(client, manifest, `${path}/status`, stored, (existing) => ({
    ...existing,
    status,
  }));
  return [...stored.warnings, ...warnings];
}

async function store(
  client: LoadClient,
  manifest: Manifest,
  collection: string,
  object: JsonObject,
): Promise<Answer> {
  const created = await client.send("POST", collection, object);
  if (created.status === 201) return created;
  const metadata = recordOf(object["metadata"]);
  const name = stringOf(metadata["name"]);
  // Without a name, the path would be that of the collection.
  if (name === "") throw refused(manifest, messageOf(created));
  const path = `${collection}/${name}`;
  const existing = await client.send("GET", path);
  // A create may be refused for another reason than its name: the address of a service is taken by
  // the service itself.
  const mayExist = created.body["reason"] === "AlreadyExists" || created.status === 422;
  if (!mayExist || existing.status !== 200) throw refused(manifest, messageOf(created));
  return replace(client, manifest, path, existing, ({ metadata: stored }) => ({
    ...object,
    metadata: { ...metadata, resourceVersion: recordOf(stored)["resourceVersion"] },
  }));
}

/**
 * Replaces what is at a path. Another writer, such as the controller of definitions, may overtake
 * the version that was read; then the newest one is read again.
 */
async function replace(
  client: LoadClient,
  manifest: Manifest,
  path: string,
  existing: Answer,
  change: (object: JsonObject) => JsonObject,
): Promise<Answer> {
  for (let { body } = existing; ;) {
    const answer = await client.send("PUT", path, change(body));
    if (answer.status < 300) return answer;
    if (answer.body["reason"] !== "Conflict") throw refused(manifest, messageOf(answer));
    const newest = await client.send("GET", path);
    if (newest.status >= 300) throw refused(manifest, messageOf(newest));
    ({ body } = newest);
  }
}

/** Metadata that only the server writes. */
const serverMetadata: readonly string[] = [
  "resourceVersion",
  "uid",
  "creationTimestamp",
  "generation",
  "managedFields",
  "selfLink",
];

function withoutServerMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([name]) => !serverMetadata.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

function refused(manifest: Manifest, message: string, cause?: unknown): ManifestError {
  const options = cause === undefined ? {} : { cause };
  return new ManifestError(manifest, `${named(manifest)} was refused: ${message}`, options);
}

function named({ kind, object }: Manifest): string {
  return `${kind} "${stringOf(recordOf(object["metadata"])["name"])}"`;
}

function messageOf({ status, body }: Answer): string {
  return stringOf(body["message"]) || `status ${status}`;
}
