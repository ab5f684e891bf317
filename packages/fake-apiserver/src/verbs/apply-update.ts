import { chargeQuotas } from "../admission/resource-quota.ts";
import type { Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import { type FieldWriter, withEntries } from "../ownership/field-writer.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { ApiError } from "../api/api-error.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { conflict, invalid, plainServerError, staleVersion } from "../api/errors.ts";
import { type ObjectAddress, storageKey, type StoredObject } from "../storage/stored-object.ts";
import { withoutRepeatedOwners } from "../validation/owner-references.ts";
import { checkChangedObject } from "./check-object.ts";
import { countGeneration, keepStoredFields, withStoredSpec } from "./kept-fields.ts";
import { currentOf, inStoredVersion } from "./run-write.ts";
import { uint64Complaint } from "./revisions.ts";
import { remove, type ResourceWrite, warn, write } from "./write.ts";

/**
 * Writes a changed object over a stored one, for PUT and PATCH alike. Waits only for webhooks, and
 * starts again if another write came between reading and writing.
 *
 * @param subresource which part of the object it changes; "" = all but the status
 * @param existing the stored object
 * @param sent the object as the client wants it
 * @param writer says who owns its fields
 * @throws {ApiError} 409 and 422
 */
export function* applyUpdate(
  target: ResourceWrite,
  subresource: string,
  existing: StoredObject,
  sent: ApiObject,
  writer: FieldWriter,
): Steps<Result> {
  checkVersion(target.definition, existing, sent.metadata);
  const stored = yield* writeUpdate(target, subresource, existing, sent, writer);
  return { type: "object", code: 200, stored };
}

/** As {@link applyUpdate}, without comparing resource versions. */
export function* writeUpdate(
  target: ResourceWrite,
  subresource: string,
  existing: StoredObject,
  sent: ApiObject,
  writer: FieldWriter,
): Steps<StoredObject> {
  const { admission, storage, store, strategy, warnings } = target;
  const stored = existing.object;
  const part = strategy.subresourceUpdates?.[subresource];
  const keep = (object: ApiObject): ApiObject => {
    const kept = keepStoredFields(target, subresource, stored, object);
    return part === undefined ? kept : part.take(kept, stored);
  };
  const kept = keep(sent);
  const entries = writer.entriesAfter(stored, sent.metadata["managedFields"], kept);
  const owned = withEntries(kept, entries);
  const operation = "UPDATE";
  const update = {
    operation,
    object: owned,
    oldObject: stored,
    sent: sent.metadata,
  } as const;
  const mutated = admission === undefined ? owned : yield* admission.admit(update);
  const suffix = " after mutating admission happens";
  const admitted = withoutRepeatedOwners(mutated, warnings, suffix);
  const wanted = admitted === owned ? owned : withEntries(keep(admitted), entries);
  const prepared =
    part === undefined ? (strategy.prepareForUpdate?.(wanted, stored) ?? wanted) : wanted;
  const isStatus = subresource === "status";
  const changed = isStatus
    ? prepared
    : countGeneration(strategy, target, stored, withStoredSpec(prepared, stored));
  checkChangedObject(target, subresource, changed, stored);
  if (!isStatus) warn(target, changed, stored);
  strategy.admit?.(changed, stored);
  if (admission !== undefined) {
    yield* admission.validate({ operation, object: changed, oldObject: stored });
  }
  const charge =
    subresource === "" ? chargeQuotas({ ...target, object: changed, stored }) : undefined;
  const { apiVersion: _apiVersion, kind: _kind, ...updated } = changed;
  const isFinished = hasEnded(updated) && strategy.staysWhenDeleted?.(updated) !== true;
  const form = isFinished ? updated : yield* inStoredVersion(target, updated);
  const current = currentOf(store, existing);
  if (!target.dryRun) charge?.();
  const { converter } = target;
  if (!isFinished) {
    // An object of another version is written again, even if the update changes nothing.
    const isOutdated = converter?.isOutdated(current) === true;
    const written = write(target, form, isOutdated ? undefined : current);
    converter?.keepNewest(written);
    return written;
  }
  remove(target, current);
  const { revision } = current;
  return converter?.shown(updated, revision) ?? storage.createState(updated, revision);
}

/**
 * Compares the uid and resourceVersion of an update with the stored ones.
 *
 * @throws {ApiError} 409, 422 when a version is needed and missing, 500 for one that is none
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
  checkVersionText(metadata);
  if (resourceVersion !== existing.object.metadata.resourceVersion)
    throw staleVersion(definition, existing.name);
}

/**
 * Refuses a resourceVersion that is not a number.
 *
 * @throws {ApiError} 500
 */
export function checkVersionText({ resourceVersion = "" }: ApiObjectMeta): void {
  const complaint = uint64Complaint(resourceVersion);
  if (complaint !== undefined) throw plainServerError(complaint);
}

/**
 * Compares the uid in the body of a PUT with the stored one.
 *
 * @throws {ApiError} 409
 */
export function checkUid(
  definition: ResourceDefinition,
  existing: StoredObject,
  metadata: ApiObjectMeta,
): void {
  const { key, name, object } = existing;
  const { uid: stored = "" } = object.metadata;
  if (metadata.uid === undefined || metadata.uid === stored) return;
  throw wrongUid(definition, { key, name }, metadata.uid, stored);
}

/**
 * Refuses the uid in the body of a PUT that would create its object.
 *
 * @throws {ApiError} 409
 */
export function checkAbsentUid(
  definition: ResourceDefinition,
  address: ObjectAddress,
  { uid = "" }: ApiObjectMeta,
): void {
  if (uid === "") return;
  const key = storageKey(address.namespace, address.name);
  throw wrongUid(definition, { key, name: address.name }, uid, "");
}

// k8s.io/kubernetes pkg/kubeapiserver, `SpecialDefaultResourcePrefixes`: the folders of the first
// releases.
const oldFolders: ReadonlyMap<string, string> = new Map([
  ["endpoints", "services/endpoints"],
  ["ingresses", "ingress"],
  ["nodes", "minions"],
  ["replicationcontrollers", "controllers"],
  ["services", "services/specs"],
]);

function wrongUid(
  definition: ResourceDefinition,
  { key, name }: Pick<StoredObject, "key" | "name">,
  sent: string,
  stored: string,
): ApiError {
  const { custom, group, plural } = definition;
  const place = `/registry/${custom ? `${group}/` : ""}${oldFolders.get(plural) ?? plural}/${key}`;
  return conflict(
    definition,
    name,
    `StorageError: invalid object, Code: 4, Key: ${place}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${sent}, UID in object meta: ${stored}`,
  );
}

function hasEnded({ metadata }: ApiObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}
