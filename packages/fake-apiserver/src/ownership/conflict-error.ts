import { compareBytes, goQuote } from "../base/go-text.ts";
import type { Conflict } from "./changes.ts";
import { identityOf, type ManagedEntry } from "./managed-fields.ts";

/** A cause in the Status of a refused apply. */
export interface ConflictCause {
  readonly reason: "FieldManagerConflict";
  readonly message: string;
  readonly field: string;
}

/** Explanation of a refused apply, in the server's words. */
export interface ConflictReport {
  readonly message: string;
  readonly causes: readonly ConflictCause[];
}

/** Lists all fields that an apply would take from other owners. */
export function reportConflicts(conflicts: readonly Conflict[]): ConflictReport {
  const sorted = conflicts.toSorted((a, b) =>
    compareBytes(identityOf(a.entry), identityOf(b.entry)),
  );
  const named = sorted.map(({ entry, fields }) => ({ who: nameOf(entry), paths: fields.paths() }));
  const causes = named.flatMap(({ who, paths }) =>
    paths.map((field): ConflictCause => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${who}`,
      field,
    })),
  );
  const [only] = causes;
  if (only !== undefined && causes.length === 1) {
    const message = `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
    return { message, causes };
  }
  const lines: string[] = [];
  for (const { who, paths } of named) {
    lines.push(`conflicts with ${who}:`);
    for (const path of paths) lines.push(`- ${path}`);
  }
  const message = `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`;
  return { message, causes };
}

function nameOf({ apiVersion, manager, operation, subresource }: ManagedEntry): string {
  const place = subresource === "" ? "" : ` with subresource ${goQuote(subresource)}`;
  const version = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${goQuote(manager)}${place}${version}`;
}
