import { timestamp } from "../base/server-clock.ts";
import { runInTurn, runSteps, type Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { type ResourceTarget, type ServerCore, targetOf } from "./server-core.ts";
import { failedPrecondition } from "../api/errors.ts";
import { successStatus } from "../api/status.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { type DeleteOptions, readDeleteOptions } from "../input/delete-options.ts";
import { foregroundFinalizer, orphanFinalizer } from "../validation/finalizers.ts";
import { existingObject } from "./get.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { currentOf, inRequestVersion, repeatWrite, runWrite } from "./run-write.ts";
import { remove, type ResourceWrite, write, type WriteTarget } from "./write.ts";
import { readList } from "./list.ts";

/** DELETE of an object. */
export async function deleteObject(request: ResourceRequest): Promise<Result> {
  const { body, definition, info, store } = request;
  const options = await readDeleteOptions(body, info.query);
  warnOfOrphans(request, options);
  return runWrite(() => deleteStored(request, existingObject(definition, store, info), options));
}

/** Warns the writer of a delete that keeps dependents by default. */
function warnOfOrphans(
  { strategy: { orphanWarning }, warnings }: ResourceWrite,
  { propagationPolicy }: DeleteOptions,
): void {
  if (orphanWarning !== undefined && propagationPolicy === undefined) warnings.push(orphanWarning);
}

/**
 * Deletes an object, or marks it when something holds it: finalizers, a grace period. Waits only
 * for webhooks.
 *
 * @throws {ApiError} 409 when a precondition does not hold, 403
 */
export function* deleteStored(
  resource: ResourceTarget & Partial<Pick<ResourceWrite, "admission" | "converter">>,
  existing: StoredObject,
  options: DeleteOptions,
): Steps<Result> {
  const { admission, definition, store, strategy } = resource;
  const error = strategy.refuseDelete?.(existing, options);
  if (error !== undefined) throw error;
  if (admission !== undefined) {
    const { converter } = resource;
    const shown = yield* inRequestVersion({ converter }, existing);
    yield* admission.check({
      operation: "DELETE",
      object: undefined,
      oldObject: shown.object,
      dryRun: options.dryRun,
      deleteOptions: options,
    });
    currentOf(store, existing);
  }
  checkPreconditions(definition, existing, options);
  const stored = existing.object;
  const finalizers = finalizersFor(stored.metadata.finalizers ?? [], options, strategy);
  const grace = strategy.gracePeriod?.(stored, options.gracePeriodSeconds) ?? 0;
  // A delete with the same grace period does not change an object that is ending.
  if (grace > 0 && grace === stored.metadata.deletionGracePeriodSeconds) {
    return { type: "object", code: 200, stored: existing };
  }
  const stays = finalizers.length > 0 || grace > 0 || strategy.staysWhenDeleted?.(stored) === true;
  const target: WriteTarget = { ...resource, dryRun: options.dryRun };
  if (!stays && !definition.graceful) return removed(definition, remove(target, existing));
  const marked = mark(resource, stored, finalizers, grace);
  if (!stays) {
    // A pod is marked before it goes, even if there is nothing to wait for.
    const last = marked === stored ? existing : write(target, marked, existing);
    return removed(definition, remove(target, last));
  }
  return { type: "object", code: 200, stored: write(target, marked, existing) };
}

/** A delete by the server itself: no preconditions, dependents stay. */
export function deleteInternally(
  core: ServerCore,
  definition: ResourceDefinition,
  stored: StoredObject,
): void {
  const options = {
    dryRun: false,
    gracePeriodSeconds: 0,
    propagationPolicy: undefined,
    uid: undefined,
    resourceVersion: undefined,
  };
  runInTurn(deleteStored(targetOf(core, definition), stored, options));
}

function removed(definition: ResourceDefinition, last: StoredObject): Result {
  if (definition.returnsDeletedObject) return { type: "object", code: 200, stored: last };
  const { group, plural } = definition;
  const details = {
    name: last.name,
    ...(group === "" ? {} : { group }),
    kind: plural,
    uid: last.object.metadata.uid,
  };
  return { type: "document", code: 200, body: successStatus(details) };
}

/** Compares an object with what a delete expects of it. @throws {ApiError} 409 */
export function checkPreconditions(
  definition: ResourceDefinition,
  existing: StoredObject,
  { resourceVersion, uid }: DeleteOptions,
): void {
  const { metadata } = existing.object;
  const stored = { ...definition, ...definition.storedAs };
  if (uid !== undefined && uid !== metadata.uid) {
    throw failedPrecondition(
      stored,
      existing.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw failedPrecondition(
      stored,
      existing.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

// The policy replaces what an earlier delete has asked for; without one the object's finalizers
// stay.
function finalizersFor(
  finalizers: readonly string[],
  { propagationPolicy }: DeleteOptions,
  { dependents }: Pick<ResourceStrategy, "dependents">,
): readonly string[] {
  if (propagationPolicy === undefined) {
    const isAsked =
      finalizers.includes(foregroundFinalizer) || finalizers.includes(orphanFinalizer);
    return isAsked || dependents !== "kept" ? finalizers : [...finalizers, orphanFinalizer];
  }
  const others = finalizers.filter(
    (name) => name !== foregroundFinalizer && name !== orphanFinalizer,
  );
  if (dependents === "none") return others;
  if (propagationPolicy === "Foreground") return [...others, foregroundFinalizer];
  return propagationPolicy === "Orphan" ? [...others, orphanFinalizer] : others;
}

function mark(
  { clock, strategy }: Pick<ResourceTarget, "clock" | "strategy">,
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
  const now = clock.now();
  const asked = startOf(metadata, now) + grace * 1000;
  const isLate = asked < now;
  // Only the first delete counts as a change of what is wanted.
  const first = metadata.deletionTimestamp === undefined ? 1 : 0;
  const object: ApiObject = {
    ...stored,
    metadata: {
      ...metadata,
      ...(generation === undefined ? {} : { generation: generation + first }),
      deletionTimestamp: timestamp(isLate ? now : asked),
      // Even if its time is over, its kubelet still has to end it.
      deletionGracePeriodSeconds: isLate ? Math.min(1, grace) : grace,
      ...held,
    },
  };
  return strategy.markDeleted?.(object) ?? object;
}

// A shorter period counts from the first delete.
function startOf(
  { deletionGracePeriodSeconds = 0, deletionTimestamp }: ApiObjectMeta,
  now: number,
): number {
  if (deletionTimestamp === undefined) return now;
  return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/** DELETE of a collection: one object after the other; answers with the list of what was there. */
export async function deleteCollection(request: ResourceRequest): Promise<Result> {
  const { body, core, info, store } = request;
  const options = await readDeleteOptions(body, info.query);
  warnOfOrphans(request, options);
  const sharded = core.settings.shardedListAndWatch;
  const { metadata, objects } = await readList(request, info, sharded);
  await runSteps(deleteEach(request, store, objects, options));
  return { type: "list", objects, metadata };
}

function* deleteEach(
  request: ResourceRequest,
  store: ResourceStore,
  listed: readonly StoredObject[],
  options: DeleteOptions,
): Steps<void> {
  for (const { key } of listed) {
    yield* repeatWrite(function* (): Steps<void> {
      const existing = store.get(key);
      if (existing !== undefined) yield* deleteStored(request, existing, options);
    });
  }
}
