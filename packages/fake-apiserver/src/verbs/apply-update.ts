import type { Answer } from "../http/answer.ts";
import { jsonEquals } from "../json.ts";
import type { ApiObject } from "../resources/resource-definition.ts";
import { conflict, invalid, staleVersion } from "../status/errors.ts";
import type { StoredVersion } from "../storage/stored-version.ts";
import type { ResourceRequest } from "./resource-request.ts";

/**
 * Writes a changed object over a stored one, for PUT and PATCH alike. Synchronous, so nothing comes between reading and
 * writing.
 *
 * @param existing the stored object
 * @param sent the object as the client wants it
 */
export function applyUpdate(
  request: ResourceRequest,
  existing: StoredVersion,
  sent: ApiObject,
): Answer {
  const { core, store } = request;
  checkPreconditions(request, existing, sent);
  const updated = keepSystemFields(request, existing.object, sent);
  if (jsonEquals(updated, existing.object)) return answer(existing);
  if (isFinished(updated)) {
    if (!isDryRun(request)) core.storage.remove(store, existing);
    return answer(core.storage.version(updated, existing.revision));
  }
  if (isDryRun(request)) return answer(core.storage.version(updated, existing.revision));
  const revision = core.storage.nextRevision;
  const metadata = { ...updated.metadata, resourceVersion: String(revision) };
  const version = core.storage.version({ ...updated, metadata }, revision);
  core.storage.put(store, version);
  return answer(version);
}

function answer(version: StoredVersion): Answer {
  return { type: "object", code: 200, version };
}

/** True for requests that must not change anything. */
export function isDryRun(request: ResourceRequest): boolean {
  return request.info.query.getAll("dryRun").length > 0;
}

function checkPreconditions(
  request: ResourceRequest,
  existing: StoredVersion,
  sent: ApiObject,
): void {
  const { definition } = request;
  const { resourceVersion = "", uid } = sent.metadata;
  const storedUid = existing.object.metadata.uid;
  if (uid !== undefined && uid !== storedUid) {
    throw conflict(
      definition,
      existing.name,
      `StorageError: invalid object, Code: 4, Key: /${request.store.resource}/${existing.key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${storedUid}`,
    );
  }
  if (resourceVersion === "" || resourceVersion === "0") {
    if (definition.unconditionalUpdate) return;
    throw invalid(definition.group, definition.plural, existing.name, [
      {
        reason: "FieldValueInvalid",
        field: "metadata.resourceVersion",
        message: "Invalid value: 0: must be specified for an update",
      },
    ]);
  }
  if (resourceVersion !== String(existing.revision)) throw staleVersion(definition, existing.name);
}

// Fields of the server keep their stored values: api-server §1.12.
function keepSystemFields(request: ResourceRequest, stored: ApiObject, sent: ApiObject): ApiObject {
  const { apiVersion: _apiVersion, kind: _kind, ...fields } = sent;
  const { creationTimestamp, deletionGracePeriodSeconds, deletionTimestamp, uid } = stored.metadata;
  const { generation, resourceVersion } = stored.metadata;
  const metadata = {
    ...sent.metadata,
    ...given({ creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds }),
    ...given({ uid, generation, resourceVersion }),
  };
  const updated: ApiObject = { ...fields, metadata };
  if (generation === undefined || sameSpec(request, stored, updated)) return updated;
  return { ...updated, metadata: { ...metadata, generation: generation + 1 } };
}

function sameSpec(request: ResourceRequest, stored: ApiObject, updated: ApiObject): boolean {
  const statusCounts = request.definition.custom && !request.served.status;
  const comparable = (object: ApiObject): unknown => {
    if (!request.definition.custom) return object["spec"];
    const { metadata: _metadata, status, ...rest } = object;
    return statusCounts ? { ...rest, status } : rest;
  };
  return jsonEquals(comparable(stored), comparable(updated));
}

function isFinished({ metadata }: ApiObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
