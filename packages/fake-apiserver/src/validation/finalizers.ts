import type { ApiObject } from "../api/api-object.ts";
import { goQuote } from "../base/go-text.ts";

/** Finalizer of a foreground deletion. */
export const foregroundFinalizer = "foregroundDeletion";
/** Finalizer of a deletion that keeps dependents. */
export const orphanFinalizer = "orphan";

/** Kubernetes' finalizers without a domain. */
export const standardFinalizers: ReadonlySet<string> = new Set([
  "kubernetes",
  foregroundFinalizer,
  orphanFinalizer,
]);

/** Warns of new finalizers without a domain. */
export function finalizerWarnings(
  object: ApiObject,
  stored: ApiObject | undefined,
): readonly string[] {
  const before = stored?.metadata.finalizers ?? [];
  return (object.metadata.finalizers ?? [])
    .filter((name) => !name.includes("/") && !standardFinalizers.has(name))
    .filter((name) => !before.includes(name))
    .map(
      (name) =>
        `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}
