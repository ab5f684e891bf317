import type { RequestAdmission } from "../admission/request-admission.ts";
import type { FoundResource } from "../api/registry.ts";
import type { UserInfo } from "../api/access.ts";
import { badRequest } from "../api/errors.ts";
import { isDeeper } from "../base/read-fields.ts";
import type { ApiObject } from "../api/api-object.ts";
import { isSameButTimes } from "../ownership/field-writer.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { Storage } from "../storage/storage.ts";
import type { ObjectConverter } from "../webhooks/object-conversions.ts";
import type { StoredObject } from "../storage/stored-object.ts";

// A real server stores 10,000 levels. YAML of that many would have 100 million spaces, and writing
// it would exceed the stack. Every runtime can write 500 levels as YAML.
const maxStoredDepth = 500;

/** Where a verb writes; the server's own writes have no request. */
export interface WriteTarget {
  readonly storage: Storage;
  readonly store: ResourceStore;
  readonly strategy: ResourceStrategy;
  /** Nothing may be changed; the results are as if. */
  readonly dryRun: boolean;
}

/** A client's write to a resource: by what it is measured and where it goes. */
export interface ResourceWrite extends FoundResource, WriteTarget {
  /** Who sends it. */
  readonly user: UserInfo;
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
  /** Asks the admission plugins; undefined if there are none. */
  readonly admission: RequestAdmission | undefined;
  /** Converts objects by a webhook; undefined if none does. */
  readonly converter: ObjectConverter | undefined;
}

/** Collects what the resource warns of an accepted object; `stored` is undefined for a new one. */
export function warn(
  { strategy, warnings }: ResourceWrite,
  object: ApiObject,
  stored: ApiObject | undefined,
): void {
  for (const text of strategy.warnings?.(object, stored) ?? []) warnings.push(text);
  for (const text of strategy.unevaluated?.(object) ?? []) warnings.push(text);
}

/**
 * The one way of an object into storage: with the next revision, unless it equals the stored one.
 * Synchronous, like all that leads here from reading the stored object, so that no other request
 * comes between.
 *
 * @param previous what is stored under the same key
 * @throws {ApiError} 400 if it is nested too deeply, whatever made it so
 */
export function write(
  { dryRun, storage, store, strategy }: WriteTarget,
  object: ApiObject,
  previous: StoredObject | undefined,
): StoredObject {
  if (isDeeper(object, maxStoredDepth)) throw badRequest("exceeded max depth");
  if (previous !== undefined && isSameButTimes(previous.object, object)) return previous;
  if (dryRun) return storage.createState(object, previous?.revision ?? 0);
  const stored = storage.write(store, object);
  strategy.written?.(stored, previous);
  return stored;
}

/** Takes an object out of storage. Returns its last state, with the revision of the deletion. */
export function remove(
  { dryRun, storage, store, strategy }: WriteTarget,
  previous: StoredObject,
): StoredObject {
  if (dryRun) return previous;
  const last = storage.remove(store, previous);
  strategy.written?.(undefined, previous);
  return last;
}
