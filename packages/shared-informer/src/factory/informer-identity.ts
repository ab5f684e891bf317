import type { ResourceReference } from "@listwatch/client";
import type { HttpListerWatcherOptions } from "@listwatch/reflector";

/** Part and form of a resource. With the resource, it identifies an informer of a factory. */
export type InformerScope = Pick<
  HttpListerWatcherOptions,
  "fields" | "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "shardSelector"
>;

/** Identity of an informer in its factory. */
export interface InformerIdentity extends InformerScope {
  /** Name of the informer, unique in the factory. */
  readonly name: string;
  /** Resource of the informer. Its kind is not part of the identity. */
  readonly resource: Pick<ResourceReference, "group" | "resource" | "version">;
}

/**
 * Builds the name of an informer, such as `apps/v1/deployments?namespace=shop`. Different scopes
 * have different names, because separators in their parts are escaped.
 */
export function informerName(
  { group, resource, version }: InformerIdentity["resource"],
  scope: InformerScope,
): string {
  const { fields, fieldSelector, labelSelector, metadataOnly, namespace, shardSelector } = scope;
  const parts = Object.entries({ namespace, labelSelector, fieldSelector, shardSelector })
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value = ""]) => `${name}=${value.replaceAll(/[%&]/g, encodeURIComponent)}`);
  if (metadataOnly === true) parts.push("metadataOnly");
  // In JSON, because the names in a path can contain any character.
  if (fields !== undefined) parts.push(`fields=${JSON.stringify(fields)}`);
  const path = group === "" ? `${version}/${resource}` : `${group}/${version}/${resource}`;
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}
