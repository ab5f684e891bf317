import { describeValue } from "./values.ts";

/** The part of `metadata` that informers read. All other fields of the API server stay untouched. */
export interface ObjectMeta {
  /** Name, unique for the resource in the namespace. */
  readonly name?: string | undefined;
  /** Namespace of the object; absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Id that no other object ever has. It shows that an object was deleted and created again. */
  readonly uid?: string | undefined;
  /** Opaque to users. `compareResourceVersions` compares it as a decimal number of any length. */
  readonly resourceVersion?: string | undefined;
  /** Labels, which selectors match. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations: data of tools, which no selector matches. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Any object of the Kubernetes API, as plain JSON. Types of `@kubernetes/client-node` are
 * assignable.
 */
export interface KubernetesObject {
  /** Group and version, such as `apps/v1`. A list may leave it out for its items. */
  readonly apiVersion?: string | undefined;
  /** Kind, such as `Deployment`. A list may leave it out for its items. */
  readonly kind?: string | undefined;
  /** Metadata of the object. Only objects with a name have a key. */
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
