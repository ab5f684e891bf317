import { compareBytes } from "../base/go-text.ts";
import { identityOf, type ManagedEntries, type ManagedEntry } from "./managed-fields.ts";

/** k8s.io/apimachinery `DefaultMaxUpdateManagers`, pkg/util/managedfields/fieldmanager.go. */
const maxUpdates = 10;

/** Manager of the merged oldest updates. */
const ancientChanges = "ancient-changes";

/** Merges the oldest update entries of each version until ten are left. */
export function capUpdates(entries: ManagedEntries): ManagedEntries {
  const updates = entries.except().filter(({ operation }) => operation === "Update");
  if (updates.length <= maxUpdates) return entries;
  let capped = entries;
  let count = updates.length;
  const first = new Map<string, ManagedEntry>();
  for (const entry of updates.toSorted(compareAge)) {
    if (count <= maxUpdates) break;
    const older = first.get(entry.apiVersion);
    if (older === undefined) {
      first.set(entry.apiVersion, entry);
      continue;
    }
    const bucket: ManagedEntry = {
      manager: ancientChanges,
      operation: "Update",
      apiVersion: entry.apiVersion,
      subresource: "",
      time: entry.time,
      fields: older.fields.union(entry.fields),
    };
    capped = capped.without(older).without(entry).with(bucket);
    first.set(entry.apiVersion, bucket);
    count -= 1;
  }
  return capped;
}

function compareAge(a: ManagedEntry, b: ManagedEntry): number {
  return compareBytes(a.time ?? "", b.time ?? "") || compareBytes(identityOf(a), identityOf(b));
}
