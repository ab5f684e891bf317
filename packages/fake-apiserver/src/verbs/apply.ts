import { recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import { conflict, notFound, plainServerError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { conform, type ObjectDecoder } from "../input/decode-object.ts";
import { checkApplyOptions } from "../input/write-options.ts";
import type { Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import { type Applied, applyConfiguration } from "../ownership/apply-configuration.ts";
import { ApplyWriter, storedEntries, withoutEntries } from "../ownership/field-writer.ts";
import { conflictsOf, withLastApplied } from "../ownership/last-applied.ts";
import { ManagedEntries } from "../ownership/managed-fields.ts";
import type { OwnershipRequest } from "../ownership/ownership-request.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { applyUpdate, checkVersionText } from "./apply-update.ts";
import {
  checkConfiguration,
  checkConflicts,
  readConfiguration,
  unconvertible,
  withoutSystemFields,
} from "./configuration.ts";
import { insertObject } from "./create.ts";
import { ownershipRequest } from "./field-writers.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { inRequestVersion, runWrite } from "./run-write.ts";
import { checkAddress, placeObject } from "./update.ts";

/** PATCH by server-side apply. */
export async function applyObject(request: ResourceRequest): Promise<Result> {
  const { body, core, definition, info, served, strategy, warnings } = request;
  const { query } = info;
  const text = await body.text();
  checkApplyOptions(query);
  const kind = { apiVersion: apiVersionOf(definition.group, served.name), kind: definition.kind };
  const configuration = await readConfiguration(text, kind, { query, warnings });
  const owner = await ownershipRequest(request, info, core.clock, "Apply");
  const decoder = await strategy.decoder?.(served);
  return runWrite(() => writeApplied(request, configuration, owner, decoder));
}

function* writeApplied(
  request: ResourceRequest,
  configuration: JsonObject,
  owner: OwnershipRequest,
  decoder: ObjectDecoder | undefined,
): Steps<Result> {
  const { core, definition, info, store } = request;
  const found = store.get(storageKey(info.namespace, info.name));
  const existing = found && (yield* inRequestVersion(request, found));
  if (existing === undefined && info.subresource !== "") throw notFound(definition, info.name);
  if (existing === undefined) checkUidOfMissing(definition, info.name, configuration);
  checkConfiguration(configuration, owner);
  const applied = merge(request, existing, configuration, owner);
  checkConflicts(info.query, applied.conflicts);
  const object = conformApplied(request, configuration, applied.object, decoder);
  checkAddress(definition, info, object.metadata);
  const writer = new ApplyWriter(applied.entries);
  if (existing === undefined) {
    checkVersionText(object.metadata);
    const stored = yield* insertObject(request, core, info, object, writer);
    return { type: "object", code: 201, stored };
  }
  const placed = placeObject(info.namespace, object);
  return yield* applyUpdate(request, info.subresource, existing, placed, writer);
}

function checkUidOfMissing(
  definition: ResourceDefinition,
  name: string,
  configuration: JsonObject,
): void {
  const uid = stringOf(recordOf(configuration["metadata"])["uid"]);
  if (uid === "") return;
  throw conflict(
    definition,
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

function merge(
  { presenter }: ResourceRequest,
  existing: StoredObject | undefined,
  configuration: JsonObject,
  owner: OwnershipRequest,
): Applied {
  const live = existing && presenter.object(existing);
  const entries = live === undefined ? new ManagedEntries() : storedEntries(live);
  const type = { apiVersion: configuration["apiVersion"], kind: configuration["kind"] };
  const bare = live && { ...type, ...withoutEntries(live) };
  const applied = applyConfiguration(bare, withoutSystemFields(configuration), entries, owner);
  return {
    ...applied,
    object: withLastApplied(applied.object, configuration, owner.owner.manager),
    conflicts: conflictsOf(applied.conflicts, bare, owner),
  };
}

// Fields that the owner gave up are null: a built-in object loses them, a custom one has to allow
// null.
function conformApplied(
  request: ResourceRequest,
  configuration: JsonObject,
  merged: JsonObject,
  decoder: ObjectDecoder | undefined,
): ApiObject {
  const options = { decoder, from: "patch", nulls: "kept" } as const;
  const errorOf = request.definition.custom
    ? plainServerError
    : (why: string) => unconvertible(configuration, why);
  return conform(request, merged, request.served, errorOf, options).object;
}
