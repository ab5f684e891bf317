/**
 * Handles of resources, alone: what the declarations of `@listwatch/resources` need of this
 * package.
 *
 * @module
 */
import type { KubernetesObject, Scope } from "@listwatch/core-fifo/object";

declare const types: unique symbol;

/** The types that a resource carries; they exist for the compiler only. */
export interface ResourceTypes<T, Sub> {
  readonly object: T;
  readonly subresources: Sub;
}

/**
 * Names a collection: `{ group: "apps", version: "v1", resource: "deployments" }`; the core group
 * is `""`. A plain reference stands for objects of the type `KubernetesObject`; a {@link Resource}
 * is a reference that knows their type.
 */
export interface ResourceReference<T = KubernetesObject, S extends Scope = Scope, Sub = unknown> {
  readonly group: string;
  readonly version: string;
  /** Plural name, as in the URL. */
  readonly resource: string;
  readonly kind?: string | undefined;
  readonly scope?: S | undefined;
  /** Absent at run time. */
  readonly [types]?: ResourceTypes<T, Sub> | undefined;
}

/**
 * A resource and, as phantom type parameters, the types of its objects and subresources: plain data
 * from which clients, informers and controllers infer all types.
 */
export interface Resource<
  T = KubernetesObject,
  S extends Scope = Scope,
  Sub = unknown,
> extends ResourceReference<T, S, Sub> {
  readonly kind: string;
  readonly scope: S;
  readonly shortNames?: readonly string[] | undefined;
  /** Names of the subresources, such as `status`. */
  readonly subresources?: readonly string[] | undefined;
}

/**
 * Makes a handle of a resource that carries the types of its objects.
 *
 * ```ts
 * import { defineResource } from "@listwatch/client";
 *
 * interface Widget {
 *   readonly metadata: { readonly name: string; readonly namespace: string };
 *   readonly spec: { readonly size: number };
 * }
 * const widgets = defineResource<Widget>({
 *   group: "example.com",
 *   version: "v1",
 *   resource: "widgets",
 *   kind: "Widget",
 *   scope: "Namespaced",
 * });
 * if (widgets.resource !== "widgets") throw new Error("a handle is what it is made of");
 * ```
 */
export function defineResource<T, S extends Scope = "Namespaced", Sub = unknown>(
  resource: Omit<Resource<T, S, Sub>, symbol>,
): Resource<T, S, Sub> {
  return resource;
}
