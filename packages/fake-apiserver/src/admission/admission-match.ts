import type { AdmissionMatch, AdmissionOperation } from "./admission-plugin.ts";

/** The fields of a write that a match looks at. */
export interface MatchedWrite {
  readonly operation: AdmissionOperation;
  readonly group: string;
  readonly resource: string;
  /** "" for the resource itself. */
  readonly subresource: string;
}

/** Whether a match applies to a write. */
export function matchesWrite(match: AdmissionMatch, write: MatchedWrite): boolean {
  const { apiGroups, operations, resources } = match;
  return (
    (operations?.includes(write.operation) ?? true) &&
    (apiGroups?.some((group) => group === "*" || group === write.group) ?? true) &&
    (resources?.some((pattern) => fits(pattern, write)) ?? true)
  );
}

function fits(pattern: string, { resource, subresource }: MatchedWrite): boolean {
  const [plural = "", sub = ""] = pattern.split("/");
  if (plural !== "*" && plural !== resource) return false;
  return sub === "*" || sub === subresource;
}
