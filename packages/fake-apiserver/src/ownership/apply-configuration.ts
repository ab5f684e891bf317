import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { takeChanges, type Conflict } from "./changes.ts";
import { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import { ManagedEntries, type ManagedEntry } from "./managed-fields.ts";
import { mergeValues } from "./merge-values.ts";
import { ownable, type OwnedVersion, type OwnershipRequest } from "./ownership-request.ts";
import { removeFields } from "./remove-fields.ts";

/** Manager of fields that were written before the first apply. */
const beforeFirstApply = "before-first-apply";

/** Result of an apply, or the conflicts that prevent it. */
export interface Applied {
  readonly object: JsonObject;
  readonly entries: ManagedEntries;
  /** Fields taken from other owners. Conflicts refuse an apply unless it is forced. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Applies a configuration and updates the owners (structured-merge-diff `Updater.Apply`,
 * merge/update.go). Merges it into the live object. Removes fields that its owner applied before
 * and omits now, unless they have another owner.
 *
 * @param live without managedFields; `undefined` for a new object
 * @param configuration has been validated, without fields that the server writes
 */
export function applyConfiguration(
  live: JsonObject | undefined,
  configuration: JsonObject,
  entries: ManagedEntries,
  request: OwnershipRequest,
): Applied {
  const { owner, now, reset, versionOf } = request;
  const version = versionOf(owner.apiVersion);
  if (version === undefined) throw new Error(`${owner.apiVersion} is not served`);
  const known =
    live !== undefined && entries.size === 0 ? entriesBeforeFirstApply(live, request) : entries;
  const last = known.get(owner);
  // The name is kept until the end, so that metadata stays when its other fields are removed.
  const fields = keepSet(last, fieldsOf(configuration, version.type).minusBelow(reset));
  const own: ManagedEntry = { ...owner, time: last?.time, fields };
  const all = known.with(own);
  const merged = recordFrom(mergeValues(live, configuration, version.type));
  const leavesNothingOut = last?.apiVersion === owner.apiVersion && fields.includes(last.fields);
  const object = leavesNothingOut ? merged : prune(merged, last, all.except(), version, request);
  const changes = takeChanges(live, object, all, request);
  const hasChanged = live === undefined || !isJsonEqual(live, object);
  return {
    object,
    entries: changes.entries.with({
      ...own,
      time: hasChanged ? now : last?.time,
      fields: ownable(fields, reset),
    }),
    conflicts: changes.conflicts,
  };
}

// Keeps an equal set's identity, and with it everything derived from it.
function keepSet(last: ManagedEntry | undefined, fields: FieldSet): FieldSet {
  const isSame = last !== undefined && fields.includes(last.fields) && last.fields.includes(fields);
  return isSame ? last.fields : fields;
}

function entriesBeforeFirstApply(live: JsonObject, request: OwnershipRequest): ManagedEntries {
  const { owner, now, reset } = request;
  const first = { ...owner, manager: beforeFirstApply, operation: "Update" } as const;
  const changes = takeChanges(undefined, live, new ManagedEntries(), { ...request, owner: first });
  const { added, modified } = changes.comparison;
  const fields = ownable(modified.union(added), reset);
  return new ManagedEntries().with({ ...first, time: now, fields });
}

// Removes what the owner omits now and applied before, except fields with other owners.
function prune(
  merged: JsonObject,
  last: ManagedEntry | undefined,
  entries: readonly ManagedEntry[],
  version: OwnedVersion,
  request: OwnershipRequest,
): JsonObject {
  if (last === undefined || last.fields.isEmpty) return merged;
  const lastVersion = request.versionOf(last.apiVersion);
  if (lastVersion === undefined) return merged;
  const { type } = lastVersion;
  const whole = lastVersion.convert(merged);
  const lastFields = last.fields.withDeclaredFields(type);
  let pruned = remove(whole, lastFields, lastVersion);
  pruned = addBackOwned(whole, pruned, last.apiVersion, entries, request);
  const wholeFields = fieldsOf(whole, type).withDeclaredFields(type);
  const prunedFields = fieldsOf(pruned, type).withDeclaredFields(type);
  pruned = remove(whole, wholeFields.minus(prunedFields).intersection(lastFields), lastVersion);
  return version.convert(pruned);
}

// Restores removed fields that have an owner, version by version, the pruned version first.
function addBackOwned(
  whole: JsonObject,
  pruned: JsonObject,
  prunedVersion: string,
  entries: readonly ManagedEntry[],
  { versionOf }: OwnershipRequest,
): JsonObject {
  const owned = new Map<string, FieldSet>([[prunedVersion, FieldSet.empty]]);
  for (const { apiVersion, fields } of entries) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(fields));
  }
  let result = pruned;
  for (const [apiVersion, fields] of owned) {
    const version = versionOf(apiVersion);
    if (version === undefined || fields.isEmpty) continue;
    const { type } = version;
    const [all, left] = [version.convert(whole), version.convert(result)];
    const kept = fieldsOf(left, type)
      .withDeclaredFields(type)
      .union(fields.withDeclaredFields(type));
    result = remove(all, fieldsOf(all, type).withDeclaredFields(type).minus(kept), version);
  }
  const version = versionOf(prunedVersion);
  return version === undefined ? result : version.convert(result);
}

function remove(object: JsonObject, set: FieldSet, { type }: OwnedVersion): JsonObject {
  return set.isEmpty ? object : recordFrom(removeFields(object, set, type));
}

function recordFrom(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}
