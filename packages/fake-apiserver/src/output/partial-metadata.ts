import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";

/** The versions of meta.k8s.io that know tables and partial metadata; both look the same. */
export type MetaVersion = "v1" | "v1beta1";

/** `metadata` of a list or table. */
export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
  /** The shards of which the list is, if that is not all; only typed lists show it. */
  readonly shardInfo?: { readonly selector: string } | undefined;
}

/** The order in which the server's typed metadata writes its fields. */
const metaOrder: readonly string[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

// A field of DaemonSets that is an annotation in the version that is served, and none in the form
// in which the server has the object: k8s.io/kubernetes pkg/apis/apps/v1/conversion.go.
const fieldInAnnotations = "deprecated.daemonset.template.generation";

function metadataOf({ metadata }: ApiObject): JsonObject {
  const { annotations } = metadata;
  if (annotations?.[fieldInAnnotations] === undefined) return metadata;
  const { [fieldInAnnotations]: _field, ...kept } = annotations;
  const { annotations: _annotations, ...rest } = metadata;
  return Object.keys(kept).length === 0 ? rest : { ...rest, annotations: kept };
}

/** An object without everything but its metadata. */
export function partialObjectMetadata(object: ApiObject, version: MetaVersion): JsonObject {
  const metadata = metadataOf(object);
  const ordered = metaOrder
    .filter((name) => metadata[name] !== undefined)
    .map((name): [string, unknown] => [name, metadata[name]]);
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: Object.fromEntries(ordered),
  };
}

/** A list whose items are metadata only. */
export function partialObjectMetadataList(
  items: readonly ApiObject[],
  metadata: ListMetadata,
  version: MetaVersion,
): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(metadata),
    items: items.map((item) => partialObjectMetadata(item, version)),
  };
}

/** List metadata as typed lists and tables write it: without an empty `continue`. */
export function listMetadata(metadata: ListMetadata): JsonObject {
  const { resourceVersion, continue: token = "", remainingItemCount } = metadata;
  return {
    resourceVersion,
    ...(token === "" ? {} : { continue: token }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}
