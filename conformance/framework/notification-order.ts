// Compares the calls of a handler with the recorded ones, some of which are unordered.
import { canonical, isRecord } from "./values.ts";

/** Whether calls match the recording. `{unordered}` and `{perKey}` contain several calls. */
export function isRecordedOrder(recorded: readonly unknown[], calls: readonly unknown[]): boolean {
  let next = 0;
  for (const element of recorded) {
    const group = groupOf(element);
    const taken = calls.slice(next, next + group.calls.length);
    next += group.calls.length;
    if (taken.length !== group.calls.length || !isSameGroup(group, taken)) return false;
  }
  return next === calls.length;
}

interface Group {
  readonly order: "listed" | "none" | "perKey";
  readonly calls: readonly unknown[];
}

function groupOf(element: unknown): Group {
  if (isRecord(element)) {
    const { perKey, unordered } = element;
    if (Array.isArray(unordered)) return { order: "none", calls: unordered };
    if (Array.isArray(perKey)) return { order: "perKey", calls: perKey };
  }
  return { order: "listed", calls: [element] };
}

function isSameGroup({ order, calls }: Group, taken: readonly unknown[]): boolean {
  if (order === "perKey") return canonical(byKey(calls)) === canonical(byKey(taken));
  if (order === "none") return canonical({ set: calls }) === canonical({ set: taken });
  return canonical(calls) === canonical(taken);
}

function byKey(calls: readonly unknown[]): Record<string, unknown[]> {
  const groups: Record<string, unknown[]> = {};
  for (const call of calls) {
    const key = Array.isArray(call) ? String(call[1]) : "";
    (groups[key] ??= []).push(call);
  }
  return groups;
}
