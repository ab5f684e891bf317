import { timestamp } from "../base/timestamp.ts";
import type { Result } from "../output/result.ts";
import { randomNameSuffix, randomUuid } from "../base/random-text.ts";
import type { ApiObject, ApiObjectMeta } from "../api/resource-definition.ts";
import { alreadyExists, badRequest, generatedNameTaken, plainServerError } from "../api/errors.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { checkNewObject } from "./check-object.ts";
import { decodeObject } from "../input/decode-object.ts";
import { checkNamespace } from "./namespaces.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { write } from "./write.ts";
import { checkWriteOptions } from "../input/write-options.ts";

// k8s.io/apiserver names.go: `maxGeneratedNameLength` without the five random characters.
const generatedPrefixLength = 58;
// k8s.io/apiserver store.go: `maxNameGenerationCreateAttempts`.
const generateAttempts = 8;

/** POST to a collection. */
export async function createObject(request: ResourceRequest): Promise<Result> {
  checkWriteOptions(request.info.query, "CreateOptions");
  const { body, info, warnings } = request;
  const object = await decodeObject(request, body, { query: info.query, warnings });
  return { type: "object", code: 201, stored: insertObject(request, object) };
}

/**
 * Stores a new object. Synchronous, so nothing comes between looking and writing.
 *
 * @throws {ApiError} for everything that is wrong with it
 */
export function insertObject(request: ResourceRequest, sent: ApiObject): StoredObject {
  const { core, definition, served, store, strategy } = request;
  checkNamespaceOf(request, sent.metadata);
  const { namespace } = request.info;
  const { name, taken } = chooseName(request, sent.metadata, namespace);
  const error = strategy.refuseCreate?.(definition, name);
  if (error !== undefined) throw error;
  if (definition.namespaced) checkNamespace(core, definition, namespace, name);
  const metadata = systemMetadata(request, sent.metadata, name, namespace);
  const { status: _status, ...fields } = sent;
  // The status of a new object is for its controller to say.
  const dropsStatus = served.status && strategy.keepsStatusOnCreate !== true;
  const named: ApiObject = dropsStatus ? { ...fields, metadata } : { ...sent, metadata };
  const object = strategy.prepareForCreate?.(named) ?? named;
  checkNewObject(request, object);
  request.warnings.push(...(strategy.warnings?.(object, undefined) ?? []));
  const { resourceVersion = "" } = sent.metadata;
  if (resourceVersion !== "" && resourceVersion !== "0") {
    throw plainServerError("resourceVersion should not be set on objects to be created");
  }
  if (taken) throw generatedNameTaken(definition, name);
  const existing = store.get(storageKey(namespace, name));
  if (existing !== undefined) {
    const terminating = existing.object.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(definition, name, terminating);
  }
  return write(request, object, undefined);
}

/**
 * Compares the namespace of a body with the one of the address. A missing one is filled in later,
 * that of a cluster-scoped object is dropped.
 *
 * @throws {ApiError} 400
 */
export function checkNamespaceOf(
  { definition, info }: Pick<ResourceRequest, "definition" | "info">,
  metadata: ApiObjectMeta,
): void {
  const { namespace = "" } = metadata;
  if (!definition.namespaced || namespace === "") return;
  if (namespace !== info.namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

function chooseName(
  request: ResourceRequest,
  metadata: ApiObjectMeta,
  namespace: string,
): { readonly name: string; readonly taken: boolean } {
  const { core, info, store } = request;
  const { generateName = "", name = info.name } = metadata;
  if (name !== "" || generateName === "") return { name, taken: false };
  const prefix = generateName.slice(0, generatedPrefixLength);
  let candidate = "";
  for (let attempt = 0; attempt < generateAttempts; attempt++) {
    candidate = prefix + randomNameSuffix(core.random);
    if (store.get(storageKey(namespace, candidate)) === undefined) {
      return { name: candidate, taken: false };
    }
  }
  return { name: candidate, taken: true };
}

// What a client says about these fields is dropped.
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
    name: _name,
    namespace: _namespace,
    resourceVersion: _version,
    selfLink: _link,
    uid: _uid,
    ...kept
  } = metadata;
  const { core, definition } = request;
  return {
    ...kept,
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    uid: randomUuid(core.random),
    creationTimestamp: timestamp(core.clock.now()),
    ...(definition.hasGeneration ? { generation: 1 } : {}),
  };
}
