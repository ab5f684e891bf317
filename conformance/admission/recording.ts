import { join } from "node:path";
import type { ObservedStep } from "./admission-case.ts";

/** The steps of a real API server in the cases. */
export interface Recording {
  readonly version: string;
  readonly cases: Readonly<Record<string, readonly ObservedStep[]>>;
}

/** The file of the recording. */
export const recordedFile = join(import.meta.dirname, "recorded.json");

/**
 * An observed step without the order of members in the bodies of calls, which is that of Go's types
 * on a real server, and without the order of calls: validating webhooks are called side by side.
 */
export function comparable(step: ObservedStep | undefined): ObservedStep | undefined {
  if (step === undefined) return undefined;
  const calls = step.calls.map(([path, body]) => [path, sorted(body)] as const);
  const areSerial = calls.some(([path]) => path.startsWith("/append/"));
  const body = JSON.parse(sorted(JSON.stringify(step.body))) as unknown;
  return {
    ...step,
    body,
    calls: areSerial ? calls : calls.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}

function sorted(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) =>
    isMembers(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(
              ([key, member]) => [key, key === "managedFields" ? byText(member) : member] as const,
            )
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  );
}

/** Entries of the same second have any order. */
function byText(entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) as unknown;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Steps that the fake server answers otherwise, with the reason. */
export const knownDifferences: Readonly<Record<string, string>> = {
  "patch-deleted-mutating 0": "a patch cannot make a new object one that is being deleted",
  "patch-other-kind-mutating 0": "a patch cannot change the kind, which Go decodes into",
};
