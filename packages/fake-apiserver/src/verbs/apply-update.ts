import { isJsonEqual, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import type { Result } from "../output/result.ts";
import type { ApiObject, ApiObjectMeta, ResourceDefinition } from "../api/resource-definition.ts";
import { conflict, invalid, staleVersion } from "../api/errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { checkChangedObject } from "./check-object.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { remove, write } from "./write.ts";

// What decides which fields a client may change.
type UpdateRules = Pick<ResourceRequest, "definition" | "info" | "served">;

/**
 * Writes a changed object over a stored one, for PUT and PATCH alike. Synchronous, so nothing comes
 * between reading and writing.
 *
 * @param existing the stored object
 * @param sent the object as the client wants it
 * @throws {ApiError} 409 and 422
 */
export function applyUpdate(
  request: ResourceRequest,
  existing: StoredObject,
  sent: ApiObject,
): Result {
  checkVersion(request.definition, existing, sent.metadata);
  return { type: "object", code: 200, stored: writeUpdate(request, existing, sent) };
}

/** As {@link applyUpdate}, without comparing resource versions. */
export function writeUpdate(
  request: ResourceRequest,
  existing: StoredObject,
  sent: ApiObject,
): StoredObject {
  const { strategy, warnings } = request;
  const stored = existing.object;
  const kept = keepSystemFields(request, stored, sent);
  const prepared = strategy.prepareForUpdate?.(kept, stored) ?? kept;
  const changed = countGeneration(request, stored, prepared);
  checkChangedObject(request, changed, stored);
  warnings.push(...(strategy.warnings?.(changed, stored) ?? []));
  const { apiVersion: _apiVersion, kind: _kind, ...updated } = changed;
  if (!isFinished(updated)) return write(request, updated, existing);
  remove(request, existing);
  return request.storage.createState(updated, existing.revision);
}

/**
 * Compares the uid and resourceVersion of an update with the stored ones.
 *
 * @throws {ApiError} 409, and 422 when a version is needed and missing
 */
export function checkVersion(
  definition: ResourceDefinition,
  existing: StoredObject,
  metadata: ApiObjectMeta,
): void {
  const { resourceVersion = "" } = metadata;
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

/**
 * Compares the uid in the body of a PUT with the stored one.
 *
 * @throws {ApiError} 409
 */
export function checkUid(
  { definition, store }: Pick<ResourceRequest, "definition" | "store">,
  existing: StoredObject,
  metadata: ApiObjectMeta,
): void {
  const stored = existing.object.metadata.uid;
  if (metadata.uid === undefined || metadata.uid === stored) return;
  const key = `/${store.resource}/${existing.key}`;
  throw conflict(
    definition,
    existing.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${stored}`,
  );
}

// Fields of the server keep their stored values, whatever the client says or leaves out.
function keepSystemFields(request: UpdateRules, stored: ApiObject, sent: ApiObject): ApiObject {
  const { metadata } = stored;
  const { info, served } = request;
  if (info.subresource === "status") return takeStatus(request.definition.custom, stored, sent);
  const {
    creationTimestamp: _created,
    deletionGracePeriodSeconds = metadata.deletionGracePeriodSeconds,
    deletionTimestamp = metadata.deletionTimestamp,
    generation: _generation,
    managedFields = metadata["managedFields"],
    resourceVersion: _version,
    selfLink: _link,
    uid = metadata.uid,
    ...kept
  } = sent.metadata;
  const { creationTimestamp, generation, resourceVersion } = metadata;
  const object: ApiObject = {
    ...sent,
    metadata: {
      ...kept,
      ...given({ creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds }),
      ...given({ uid, generation, resourceVersion, managedFields: owners(managedFields) }),
    },
  };
  if (!served.status) return object;
  const { status: _status, ...rest } = object;
  return { ...rest, ...given({ status: stored["status"] }) };
}

// The status endpoint of a custom resource takes nothing else; built-in ones also take labels and
// annotations.
function takeStatus(custom: boolean, stored: ApiObject, sent: ApiObject): ApiObject {
  const { apiVersion, kind, metadata } = sent;
  const { annotations: _annotations, labels: _labels, ...storedMeta } = stored.metadata;
  const { annotations, labels } = metadata;
  const { status: _status, ...fields } = stored;
  return {
    ...fields,
    ...given({ apiVersion, kind, status: sent["status"] }),
    metadata: custom ? stored.metadata : { ...storedMeta, ...given({ annotations, labels }) },
  };
}

// Field ownership is not tracked: what clients say of it stays, until an empty entry says "forget".
function owners(managedFields: unknown): unknown {
  return isJsonEqual(managedFields, [{}]) ? undefined : managedFields;
}

function countGeneration(request: UpdateRules, stored: ApiObject, changed: ApiObject): ApiObject {
  const { generation } = stored.metadata;
  if (generation === undefined || request.info.subresource === "status") return changed;
  if (isSameSpec(request, stored, changed)) return changed;
  return { ...changed, metadata: { ...changed.metadata, generation: generation + 1 } };
}

function isSameSpec(request: UpdateRules, stored: ApiObject, changed: ApiObject): boolean {
  if (!request.definition.custom) return isJsonEqual(stored["spec"], changed["spec"]);
  // Without a status subresource, status is a field like any other.
  const comparable = ({
    apiVersion: _apiVersion,
    kind: _kind,
    metadata: _metadata,
    status,
    ...rest
  }: ApiObject): unknown => (request.served.status ? rest : { ...rest, status });
  return isJsonEqual(comparable(stored), comparable(changed));
}

function isFinished({ metadata }: ApiObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

function given(fields: JsonObject): JsonObject {
  const present: MutableJsonObject = {};
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name];
  return present;
}
