import { goQuote } from "../validation/go-text.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** Finalizer of a foreground deletion. */
export const foregroundFinalizer = "foregroundDeletion";
/** Finalizer of a deletion that leaves dependents behind. */
export const orphanFinalizer = "orphan";

// Names without a domain that Kubernetes itself uses.
const standardFinalizers = new Set(["kubernetes", foregroundFinalizer, orphanFinalizer]);

/** Warns of new finalizers of custom resources that have no domain in their name (api-server §1.11). */
export function warnOfFinalizers(
  request: ResourceRequest,
  finalizers: readonly string[] | undefined,
  before: readonly string[],
): void {
  if (finalizers === undefined || !request.definition.custom) return;
  for (const name of finalizers) {
    if (name.includes("/") || standardFinalizers.has(name) || before.includes(name)) continue;
    request.warnings.push(
      `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
  }
}
