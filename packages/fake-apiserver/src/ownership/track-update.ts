import type { JsonObject } from "@listwatch/core-fifo/base";
import { capUpdates } from "./cap-updates.ts";
import { takeChanges } from "./changes.ts";
import { FieldSet } from "./field-set.ts";
import type { ManagedEntries } from "./managed-fields.ts";
import { ownable, type OwnershipRequest } from "./ownership-request.ts";

/**
 * Updates the entries after a write other than an apply. The writer owns what it changes, and other
 * owners lose it. Without a change the entries stay the same.
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
