import {
  createInvalidOptionError,
  isRecord,
  metadataOf,
  someStrings,
} from "@listwatch/core-fifo/base";

/**
 * Answer to the question whether a page may see a collection: all of it, nothing, or the objects of
 * some namespaces.
 */
export type Grant = boolean | { readonly namespaces: readonly string[] };

/** A grant in a form that can be compared: `true`, or the namespaces. */
export type CheckedGrant = true | ReadonlySet<string>;

/**
 * Checks the result of `authorize`.
 *
 * @returns `undefined` if nothing is granted
 * @throws {InvalidOptionsError} if it is not a {@link Grant}. Nothing else counts as one
 */
export function checkGrant(grant: unknown): CheckedGrant | undefined {
  if (grant === true) return true;
  if (grant === false) return undefined;
  if (isRecord(grant) && someStrings(grant["namespaces"]) === undefined) {
    const { namespaces } = grant;
    return Array.isArray(namespaces) && namespaces.length > 0 ? new Set(namespaces) : undefined;
  }
  const expected = "a function that returns true, false or an object with namespaces";
  throw createInvalidOptionError("authorize", expected, grant);
}

/** Whether an object is in the namespaces of a grant. One without a namespace is in none. */
export function isGranted(grant: CheckedGrant, object: unknown): boolean {
  if (grant === true) return true;
  const namespace = metadataOf(object)?.namespace;
  return namespace !== undefined && grant.has(namespace);
}

/** Writes a grant so that equal ones are equal strings. */
export function describeGrant(grant: CheckedGrant): string {
  return grant === true ? "all" : JSON.stringify([...grant].toSorted());
}
