import { describeValue } from "./values.ts";

/**
 * The part of `metadata` that the informer machinery itself reads. Everything else an API server
 * sends stays in the object untouched.
 */
export interface ObjectMeta {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  /** Opaque to users; compared as a decimal number of any length by `compareResourceVersions`. */
  readonly resourceVersion?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Any object of the Kubernetes API, as plain JSON. The types of `@kubernetes/client-node` fit as
 * they are.
 */
export interface KubernetesObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
}

/** Whether the objects of a resource live in a namespace. */
export type Scope = "Namespaced" | "Cluster";

/**
 * The `metadata` of any value, or `undefined` when it has none. The check looks at the value, not
 * at its type, because objects come from the network.
 */
export function metadataOf(object: unknown): ObjectMeta | undefined {
  if (typeof object !== "object" || object === null || !("metadata" in object)) return undefined;
  const { metadata } = object;
  return typeof metadata === "object" && metadata !== null ? metadata : undefined;
}

/**
 * The name of an object for the reader of a message, such as `"shop/web"`, or a description of a
 * value that has none.
 */
export function describeObjectName(object: unknown): string {
  const { name, namespace } = metadataOf(object) ?? {};
  if (typeof name !== "string" || name === "") return describeValue(object);
  return JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`);
}

/**
 * The resourceVersion of any value: `""` for metadata without one, `undefined` when there is no
 * metadata.
 */
export function resourceVersionOf(object: unknown): string | undefined {
  const metadata = metadataOf(object);
  if (metadata === undefined) return undefined;
  const { resourceVersion } = metadata;
  return typeof resourceVersion === "string" ? resourceVersion : "";
}
