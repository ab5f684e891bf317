import { splitMetaNamespaceKey } from "@listwatch/core-fifo";
import type { ResourceReference } from "./resource.ts";

/**
 * Path of a collection below the server's address; without a namespace that of all namespaces, or
 * of the cluster.
 */
export function collectionPath(
  { group, version, resource }: ResourceReference<unknown>,
  namespace = "",
): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === "" ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource}`;
}

/**
 * Path of the object with this key, which is `namespace/name`, or `name` for cluster-scoped
 * objects.
 */
export function objectPath(reference: ResourceReference<unknown>, key: string): string {
  const { namespace, name } = splitMetaNamespaceKey(key);
  return `${collectionPath(reference, namespace)}/${encodeURIComponent(name)}`;
}

/** The `apiVersion` of the objects of a resource. */
export function apiVersionOf({ group, version }: ResourceReference<unknown>): string {
  return group === "" ? version : `${group}/${version}`;
}
