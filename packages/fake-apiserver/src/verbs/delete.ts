import { isJsonEqual } from "@listwatch/core-fifo/base";
import { timestamp } from "../base/timestamp.ts";
import type { Result } from "../output/result.ts";
import { storageName } from "../api/registry.ts";
import type { ApiObject, ResourceDefinition } from "../api/resource-definition.ts";
import type { ServerCore } from "./server-core.ts";
import { failedPrecondition, notFound } from "../api/errors.ts";
import { successStatus } from "../api/status.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { type DeleteOptions, readDeleteOptions } from "../input/delete-options.ts";
import { foregroundFinalizer, orphanFinalizer } from "../validation/finalizers.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** What deleting needs to know; deletions also come from the server itself. */
export type DeleteContext = Pick<ResourceRequest, "core" | "definition" | "store" | "strategy">;

/** DELETE of an object. */
export async function deleteObject(request: ResourceRequest): Promise<Result> {
  const { definition, info, store } = request;
  const options = await readDeleteOptions(request.body, request.info.query);
  const existing = store.get(storageKey(info.namespace, info.name));
  if (existing === undefined) throw notFound(definition, info.name);
  return deleteStored(request, existing, options);
}

/**
 * Deletes an object, or marks it when something holds it: finalizers, a grace period. Synchronous.
 *
 * @throws {ApiError} 409 when a precondition does not hold, 403
 */
export function deleteStored(
  context: DeleteContext,
  existing: StoredObject,
  options: DeleteOptions,
): Result {
  const { core, store, strategy } = context;
  const refusal = strategy.refuseDelete?.(existing);
  if (refusal !== undefined) throw refusal;
  checkPreconditions(context, existing, options);
  const stored = existing.object;
  const finalizers = finalizersFor(stored.metadata.finalizers ?? [], options);
  const grace = strategy.gracePeriod?.(stored, options.gracePeriodSeconds) ?? 0;
  const stays = finalizers.length > 0 || grace > 0 || strategy.staysWhenDeleted?.(stored) === true;
  if (!stays) {
    if (options.dryRun) return removed(context, existing);
    const last = core.storage.remove(store, existing);
    strategy.written?.(undefined, existing);
    return removed(context, last);
  }
  const marked = mark(context, stored, finalizers, grace);
  if (isJsonEqual(marked, stored)) return { type: "object", code: 200, version: existing };
  if (options.dryRun) {
    const version = core.storage.version(marked, existing.revision);
    return { type: "object", code: 200, version };
  }
  const revision = core.storage.nextRevision;
  const metadata = { ...marked.metadata, resourceVersion: String(revision) };
  const version = core.storage.version({ ...marked, metadata }, revision);
  core.storage.put(store, version);
  strategy.written?.(version, existing);
  return { type: "object", code: 200, version };
}

/** A delete by the server itself: no preconditions, dependents are left to fend for themselves. */
export function deleteInternally(
  core: ServerCore,
  definition: ResourceDefinition,
  version: StoredObject,
): void {
  const store = core.storage.store(storageName(definition));
  deleteStored({ core, definition, store, strategy: core.strategies.of(definition) }, version, {
    dryRun: false,
    gracePeriodSeconds: 0,
    propagationPolicy: undefined,
    uid: undefined,
    resourceVersion: undefined,
  });
}

function removed({ definition }: DeleteContext, last: StoredObject): Result {
  if (definition.returnsDeletedObject) return { type: "object", code: 200, version: last };
  const { group, plural } = definition;
  const details = {
    name: last.name,
    ...(group === "" ? {} : { group }),
    kind: plural,
    uid: last.object.metadata.uid,
  };
  return { type: "document", code: 200, body: successStatus(details) };
}

function checkPreconditions(
  { definition }: DeleteContext,
  existing: StoredObject,
  { resourceVersion, uid }: DeleteOptions,
): void {
  const { metadata } = existing.object;
  if (uid !== undefined && uid !== metadata.uid) {
    throw failedPrecondition(
      definition,
      existing.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== String(existing.revision)) {
    throw failedPrecondition(
      definition,
      existing.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${existing.revision}). The object might have been modified`,
    );
  }
}

// The policy replaces what an earlier delete has asked for; without one the object's finalizers stay: api-server §1.14.
function finalizersFor(
  finalizers: readonly string[],
  { propagationPolicy }: DeleteOptions,
): readonly string[] {
  if (propagationPolicy === undefined) return finalizers;
  const others = finalizers.filter(
    (name) => name !== foregroundFinalizer && name !== orphanFinalizer,
  );
  if (propagationPolicy === "Foreground") return [...others, foregroundFinalizer];
  return propagationPolicy === "Orphan" ? [...others, orphanFinalizer] : others;
}

function mark(
  { core, strategy }: DeleteContext,
  stored: ApiObject,
  finalizers: readonly string[],
  grace: number,
): ApiObject {
  const { finalizers: _finalizers, generation, ...metadata } = stored.metadata;
  const held = finalizers.length === 0 ? {} : { finalizers };
  const remaining = metadata.deletionGracePeriodSeconds;
  if (metadata.deletionTimestamp !== undefined && (remaining ?? 0) <= grace) {
    const kept = generation === undefined ? {} : { generation };
    return { ...stored, metadata: { ...metadata, ...kept, ...held } };
  }
  // Only the first delete counts as a change of what is wanted.
  const first = metadata.deletionTimestamp === undefined ? 1 : 0;
  const object: ApiObject = {
    ...stored,
    metadata: {
      ...metadata,
      ...(generation === undefined ? {} : { generation: generation + first }),
      deletionTimestamp: timestamp(core.clock.now() + grace * 1000),
      deletionGracePeriodSeconds: grace,
      ...held,
    },
  };
  return strategy.markDeleted?.(object) ?? object;
}
