import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { compareBytes, goQuote } from "../base/go-text.ts";
import { forbidden, invalid } from "./field-errors.ts";
import { checkQualifiedName } from "./names.ts";

/** Finalizer of a foreground deletion. */
export const foregroundFinalizer = "foregroundDeletion";
/** Finalizer of a deletion that keeps dependents. */
export const orphanFinalizer = "orphan";

/** Kubernetes' finalizers without a domain. */
const standardFinalizers: ReadonlySet<string> = new Set([
  "kubernetes",
  foregroundFinalizer,
  orphanFinalizer,
]);

/** Warns of new finalizers without a domain. */
export function finalizerWarnings(
  object: ApiObject,
  stored: ApiObject | undefined,
): readonly string[] {
  const before = new Set(stored?.metadata.finalizers);
  return (object.metadata.finalizers ?? [])
    .filter((name) => !name.includes("/") && !standardFinalizers.has(name))
    .filter((name) => !before.has(name))
    .map((name) => {
      const path = name.includes(".") ? " including a path (/)" : "";
      const wanted = `a domain-qualified finalizer name${path}`;
      return `metadata.finalizers: ${goQuote(name)}: prefer ${wanted} to avoid accidental conflicts with other finalizer writers`;
    });
}

/** Finalizers have qualified names, and no object has both of the kinds of a deletion. */
export function validateFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const field = "metadata.finalizers";
  const errors = finalizers.flatMap((finalizer) =>
    checkQualifiedName(finalizer).map((why) => invalid(field, finalizer, why)),
  );
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(invalid(field, finalizers, detail));
  }
  return errors;
}

const groupsWithoutRule = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
]);

/** Finalizers of built-in objects must have a domain, except Kubernetes' own ones. */
export function validateKnownFinalizers(
  { finalizers = [] }: ApiObjectMeta,
  { custom, group }: ResourceDefinition,
): readonly FieldError[] {
  if (custom || groupsWithoutRule.has(group)) return [];
  const problem = "name is neither a standard finalizer name nor is it fully qualified";
  return finalizers.flatMap((name, index) =>
    name.includes("/") || standardFinalizers.has(name)
      ? []
      : [invalid(`metadata.finalizers[${index}]`, name, problem)],
  );
}

/** An object that is being deleted cannot get new finalizers. */
export function validateNewFinalizers(
  metadata: ApiObjectMeta,
  stored: ApiObjectMeta,
): readonly FieldError[] {
  if (stored.deletionTimestamp === undefined) return [];
  const known = new Set(stored.finalizers);
  const added = new Set((metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)));
  if (added.size === 0) return [];
  const shown = [...added].toSorted(compareBytes).map(goQuote).join(", ");
  const rule = "no new finalizers can be added if the object is being deleted";
  const detail = `${rule}, found new finalizers []string{${shown}}`;
  return [forbidden("metadata.finalizers", detail)];
}
