import { isRecord } from "@listwatch/core-fifo/base";

/** Number of changes to show in one line; others are counted. */
const mostShown = 4;
const longestValue = 40;
/** Fields that change with every write. */
const noise = new Set([
  "metadata.resourceVersion",
  "metadata.managedFields",
  "metadata.generation",
]);

/** Describes the differences between two states of an object: `status.phase Pending → Running`. */
export function describeChanges(before: unknown, after: unknown): string {
  const changes: string[] = [];
  collect(before, after, "", changes);
  if (changes.length === 0) return "no visible change";
  const shown = changes.slice(0, mostShown).join(", ");
  const left = changes.length - mostShown;
  return left > 0 ? `${shown}, and ${left} more` : shown;
}

function collect(before: unknown, after: unknown, path: string, changes: string[]): void {
  if (noise.has(path)) return;
  const [from, to] = [membersOf(before), membersOf(after)];
  if (from === undefined || to === undefined) {
    if (before !== after) changes.push(`${path} ${show(before)} → ${show(after)}`);
    return;
  }
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    collect(from.get(name), to.get(name), path === "" ? name : `${path}.${name}`, changes);
  }
}

/** Returns the members of a record or an array; the name of an element is its index. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  const hasMembers = Array.isArray(value) || isRecord(value);
  return hasMembers ? new Map(Object.entries(value)) : undefined;
}

function show(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}
