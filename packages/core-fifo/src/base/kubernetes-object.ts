import { describeValue } from "./values.ts";

/** The part of `metadata` that informers read. All other fields of the API server stay untouched. */
export interface ObjectMeta {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  /** Opaque to users. `compareResourceVersions` compares it as a decimal number of any length. */
  readonly resourceVersion?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Any object of the Kubernetes API, as plain JSON. Types of `@kubernetes/client-node` are
 * assignable.
 */
export interface KubernetesObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
}

/** Whether the objects of a resource live in a namespace. */
export type Scope = "Namespaced" | "Cluster";

/**
 * Returns the `metadata` of any value, or `undefined`. Checks the value at run time, because
 * objects come from the network.
 */
export function metadataOf(object: unknown): ObjectMeta | undefined {
  if (typeof object !== "object" || object === null || !("metadata" in object)) return undefined;
  const { metadata } = object;
  return typeof metadata === "object" && metadata !== null ? metadata : undefined;
}

/** Describes an object for a message: its name, such as `"shop/web"`, or the kind of value. */
export function describeObjectName(object: unknown): string {
  const { name, namespace } = metadataOf(object) ?? {};
  if (typeof name !== "string" || name === "") return describeValue(object);
  return JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`);
}

/**
 * Returns the resourceVersion of any value: `""` for metadata without one, `undefined` without
 * metadata.
 */
export function resourceVersionOf(object: unknown): string | undefined {
  const metadata = metadataOf(object);
  if (metadata === undefined) return undefined;
  const { resourceVersion } = metadata;
  return typeof resourceVersion === "string" ? resourceVersion : "";
}
