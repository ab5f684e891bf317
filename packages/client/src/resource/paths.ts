import type { ObjectName } from "@listwatch/core-fifo";
import { createInvalidOptionError, recordOf } from "@listwatch/core-fifo/base";
import { InvalidNameError, type PathPart } from "./invalid-name-error.ts";
import type { ResourceReference } from "./resource.ts";

/**
 * Returns the path of a collection below the server's address. Without a namespace it is that of
 * all namespaces, or of the cluster.
 *
 * @throws {InvalidNameError} if a part cannot be a segment of a path
 */
export function collectionPath(
  { group, version, resource }: ResourceReference<unknown>,
  namespace = "",
): string {
  const root = group === "" ? "/api" : `/apis/${segment("group", group)}`;
  const scope = namespace === "" ? "" : `/namespaces/${segment("namespace", namespace)}`;
  return `${root}/${segment("version", version)}${scope}/${segment("resource", resource)}`;
}

/**
 * Returns the path of a group version, such as `apps/v1` or `v1`.
 *
 * @throws {InvalidNameError} if a part cannot be a segment of a path
 */
export function groupVersionPath(groupVersion: string): string {
  const slash = groupVersion.indexOf("/");
  const version = segment("version", groupVersion.slice(slash + 1));
  if (slash < 0) return `/api/${version}`;
  return `/apis/${segment("group", groupVersion.slice(0, slash))}/${version}`;
}

/**
 * Returns the path of the collection in which an object is created. A namespaced resource requires
 * a namespace.
 *
 * @throws {InvalidNameError} if a part cannot be a segment of a path
 */
export function creationPath(reference: ResourceReference<unknown>, namespace: string): string {
  if (namespace === "" && reference.scope === "Namespaced") {
    throw new InvalidNameError("namespace", namespace, "one in the metadata of the object");
  }
  return collectionPath(reference, namespace);
}

/**
 * Returns the path of an object, or of one of its subresources.
 *
 * @throws {InvalidNameError} if a part cannot be a segment of a path
 */
export function objectPath(
  reference: ResourceReference<unknown>,
  { namespace, name }: ObjectName,
  subresource?: string,
): string {
  const path = `${creationPath(reference, namespace)}/${segment("name", name)}`;
  return subresource === undefined ? path : `${path}/${segment("subresource", subresource)}`;
}

/** Returns the `apiVersion` of the objects of a resource. */
export function apiVersionOf({ group, version }: ResourceReference<unknown>): string {
  return group === "" ? version : `${group}/${version}`;
}

/**
 * Checks that an argument names a resource, as far as its members are strings. Accepts any value,
 * for programs without types.
 *
 * @throws {InvalidOptionsError} otherwise, even if it is missing
 */
export function checkResource(value: unknown): void {
  const names = ["group", "version", "resource"];
  if (names.every((name) => typeof recordOf(value)[name] === "string")) return;
  const expected = "a handle, or an object with group, version and resource";
  throw createInvalidOptionError("resource", expected, value);
}

/**
 * Checks that a name can be a segment of a request path, for callers that store names before
 * sending a request.
 *
 * @throws {InvalidNameError} if it is not a string, is empty, `.` or `..`, or contains `/` or `%`
 */
export function checkPathSegment(part: PathPart, value: unknown): string {
  if (typeof value === "string" && isPathSegment(value)) return value;
  throw new InvalidNameError(part, value);
}

// The only place where names enter paths, so that none can end a path early, leave its collection
// or select the whole collection.
function segment(part: PathPart, value: unknown): string {
  return encodeURIComponent(checkPathSegment(part, value));
}

function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text) && text.isWellFormed();
}
