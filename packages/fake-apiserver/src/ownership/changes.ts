import type { JsonObject } from "@listwatch/core-fifo/base";
import { capUpdates } from "./cap-updates.ts";
import { FieldSet } from "./field-set.ts";
import type { ManagedEntries, ManagedEntry } from "./managed-fields.ts";
import { ownable, type OwnershipRequest } from "./ownership-request.ts";
import { compareValues, type Comparison } from "./compare-values.ts";

/** Fields of another owner that a write changes. */
export interface Conflict {
  readonly entry: ManagedEntry;
  readonly fields: FieldSet;
}

/** Entries of all other owners after a write, and the conflicts. */
export interface Changes {
  /** In the version of the request, without fields that the endpoint resets. */
  readonly comparison: Comparison;
  readonly entries: ManagedEntries;
  readonly conflicts: readonly Conflict[];
}

/**
 * Removes from other owners what a write changes or removes; removals cause no conflict. Each
 * owner's fields are compared in its version. Entries of versions that are not served are dropped.
 *
 * @param before `undefined` compares with an empty object
 */
export function takeChanges(
  before: JsonObject | undefined,
  after: JsonObject,
  entries: ManagedEntries,
  request: OwnershipRequest,
): Changes {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) {
      comparisons.set(apiVersion, compareIn(apiVersion, before, after, request));
    }
    return comparisons.get(apiVersion);
  };
  const conflicts: Conflict[] = [];
  let left = entries;
  for (const entry of entries.except(request.owner)) {
    const comparison = comparisonIn(entry.apiVersion);
    if (comparison === undefined) {
      left = left.without(entry);
      continue;
    }
    const fields = entry.fields.intersection(comparison.modified.union(comparison.added));
    if (!fields.isEmpty) conflicts.push({ entry, fields });
    const kept = entry.fields.minus(fields).minus(comparison.removed);
    if (kept !== entry.fields) left = left.with({ ...entry, fields: kept });
  }
  const comparison = comparisonIn(request.owner.apiVersion);
  if (comparison === undefined) throw new Error(`${request.owner.apiVersion} is not served`);
  return { comparison, entries: left, conflicts };
}

function compareIn(
  apiVersion: string,
  before: JsonObject | undefined,
  after: JsonObject,
  { reset, versionOf }: OwnershipRequest,
): Comparison | undefined {
  const version = versionOf(apiVersion);
  if (version === undefined) return undefined;
  const left = before === undefined ? version.zero : version.convert(before);
  const { added, modified, removed } = compareValues(left, version.convert(after), version.type);
  return {
    added: added.minusBelow(reset),
    modified: modified.minusBelow(reset),
    removed: removed.minusBelow(reset),
  };
}

/**
 * The entries after a write other than an apply: the writer becomes the only owner of what it
 * changes. Without a change the entries stay as they are.
 *
 * @param before `undefined` for a new object
 */
export function trackUpdate(
  before: JsonObject | undefined,
  after: JsonObject,
  entries: ManagedEntries,
  request: OwnershipRequest,
): ManagedEntries {
  const { comparison, entries: left } = takeChanges(before, after, entries, request);
  const changed = comparison.modified.union(comparison.added);
  const { owner, now, reset } = request;
  if (changed.isEmpty && comparison.removed.isEmpty) return entries;
  const own = entries.get(owner)?.fields ?? FieldSet.empty;
  const fields = ownable(own.minus(comparison.removed).union(changed), reset);
  return capUpdates(left.with({ ...owner, time: now, fields }));
}
