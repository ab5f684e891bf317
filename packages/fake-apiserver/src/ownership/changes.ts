import type { JsonObject } from "@listwatch/core-fifo/base";
import { compareValues, type Comparison } from "./compare-values.ts";
import type { FieldSet } from "./field-set.ts";
import type { ManagedEntries, ManagedEntry } from "./managed-fields.ts";
import type { OwnershipRequest } from "./ownership-request.ts";

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
