import { timestamp } from "../clock.ts";
import type { Answer } from "../http/answer.ts";
import { randomNameSuffix, randomUuid } from "../random.ts";
import type { ApiObject, ApiObjectMeta } from "../resources/resource-definition.ts";
import {
  alreadyExists,
  badRequest,
  generatedNameTaken,
  plainServerError,
} from "../status/errors.ts";
import { storageKey } from "../storage/stored-version.ts";
import { decodeObject } from "./decode-object.ts";
import type { ResourceRequest } from "./resource-request.ts";

// k8s.io/apiserver names.go: `maxGeneratedNameLength` without the five random characters.
const generatedPrefixLength = 58;
// k8s.io/apiserver store.go: `maxNameGenerationCreateAttempts`.
const generateAttempts = 8;

/** POST to a collection. */
export async function createObject(request: ResourceRequest): Promise<Answer> {
  const { core, definition, info, store } = request;
  const { object } = await decodeObject(request);
  const namespace = placedIn(request, object.metadata);
  const version = object.metadata.resourceVersion ?? "";
  if (version !== "" && version !== "0") {
    throw plainServerError("resourceVersion should not be set on objects to be created");
  }
  const name = chooseName(request, object.metadata, namespace);
  const metadata = systemMetadata(request, object.metadata, name, namespace);
  const key = storageKey(namespace, name);
  const existing = store.get(key);
  if (existing !== undefined) {
    const terminating = existing.object.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(definition, name, terminating);
  }
  const complete: ApiObject = { ...object, metadata };
  if (info.query.getAll("dryRun").length > 0) {
    return { type: "object", code: 201, version: core.storage.version(complete, 0) };
  }
  const revision = core.storage.nextRevision;
  const stored = core.storage.version(
    { ...complete, metadata: { ...metadata, resourceVersion: String(revision) } },
    revision,
  );
  core.storage.put(store, stored);
  return { type: "object", code: 201, version: stored };
}

/**
 * The namespace of a new object: the one of the address.
 *
 * @throws {ApiError} 400 when the body names another one
 */
function placedIn(request: ResourceRequest, metadata: ApiObjectMeta): string {
  const { namespace } = request.info;
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return namespace;
}

function chooseName(request: ResourceRequest, metadata: ApiObjectMeta, namespace: string): string {
  const { core, definition, store } = request;
  const { generateName = "", name = "" } = metadata;
  if (name !== "" || generateName === "") return name;
  const prefix = generateName.slice(0, generatedPrefixLength);
  let candidate = "";
  for (let attempt = 0; attempt < generateAttempts; attempt++) {
    candidate = prefix + randomNameSuffix(core.random);
    if (store.get(storageKey(namespace, candidate)) === undefined) return candidate;
  }
  throw generatedNameTaken(definition, candidate);
}

// What a client says about these fields is dropped: api-server §1.11.
function systemMetadata(
  request: ResourceRequest,
  metadata: ApiObjectMeta,
  name: string,
  namespace: string,
): ApiObjectMeta {
  const {
    creationTimestamp: _created,
    deletionGracePeriodSeconds: _grace,
    deletionTimestamp: _deleted,
    generation: _generation,
    managedFields: _managers,
    resourceVersion: _version,
    selfLink: _link,
    uid: _uid,
    ...kept
  } = metadata;
  const { core, definition } = request;
  return {
    ...kept,
    name,
    ...(namespace === "" ? {} : { namespace }),
    uid: randomUuid(core.random),
    creationTimestamp: timestamp(core.clock.now()),
    ...(definition.hasGeneration ? { generation: 1 } : {}),
  };
}
