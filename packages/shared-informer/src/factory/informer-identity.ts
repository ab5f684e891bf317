import type { ResourceReference } from "@listwatch/client";
import type { HttpListerWatcherOptions } from "@listwatch/reflector";

/**
 * Which part of a resource, in which form; with the resource it identifies an informer of a
 * factory.
 */
export type InformerScope = Pick<
  HttpListerWatcherOptions,
  "fields" | "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "shardSelector"
>;

/** Which informer of a factory. */
export interface InformerIdentity extends InformerScope {
  /** Unique in the factory. */
  readonly name: string;
  readonly resource: Pick<ResourceReference, "group" | "resource" | "version">;
}

/**
 * The name of an informer, such as `apps/v1/deployments?namespace=shop`. Each scope has another
 * one: what divides its parts is escaped in them.
 */
export function nameOf(
  { group, resource, version }: InformerIdentity["resource"],
  scope: InformerScope,
): string {
  const { fields, fieldSelector, labelSelector, metadataOnly, namespace, shardSelector } = scope;
  const parts = Object.entries({ namespace, labelSelector, fieldSelector, shardSelector })
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value = ""]) => `${name}=${value.replaceAll(/[%&]/g, encodeURIComponent)}`);
  if (metadataOnly === true) parts.push("metadataOnly");
  // In JSON, since the names in a path may have any character in them.
  if (fields !== undefined) parts.push(`fields=${JSON.stringify(fields)}`);
  const path = group === "" ? `${version}/${resource}` : `${group}/${version}/${resource}`;
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}
