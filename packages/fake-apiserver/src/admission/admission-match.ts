/** Operation of a request on an object. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** Selects the writes a plugin sees: those that match every given member. */
export interface AdmissionMatch {
  /** @default all */
  readonly operations?: readonly AdmissionOperation[] | undefined;
  /** `""` is the core group, `"*"` all groups. @default all */
  readonly apiGroups?: readonly string[] | undefined;
  /**
   * Patterns as in webhook rules: `pods`, `pods/status`, `pods/*` (the resource and its
   * subresources), `*` (all resources), `*` with a subresource, `*` with `/*` (everything).
   *
   * @default everything
   */
  readonly resources?: readonly string[] | undefined;
}

/** Properties of a write that a match compares. */
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
