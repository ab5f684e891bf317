/**
 * Handles of resources: the only part of this package that the declarations of
 * `@listwatch/resources` need.
 *
 * @module
 */
import type { KubernetesObject, Scope } from "@listwatch/core-fifo/object";

declare const types: unique symbol;

/** Types that a resource carries. They only exist for the compiler. */
export interface ResourceTypes<T, Sub> {
  /** Type of the objects. */
  readonly object: T;
  /** Types of the subresources, by name. */
  readonly subresources: Sub;
}

declare const defaulted: unique symbol;

/** Mark of a member that drafts may lack, because the server has a default for it. */
export interface Defaulted {
  /** Absent at run time. */
  readonly [defaulted]?: never;
}

/**
 * Names a collection: `{ group: "apps", version: "v1", resource: "deployments" }`; the core group
 * is `""`. The objects of a plain reference have type `KubernetesObject`; a {@link Resource} knows
 * their type.
 */
export interface ResourceReference<T = KubernetesObject, S extends Scope = Scope, Sub = unknown> {
  /** API group, such as `apps`; `""` for the core group. */
  readonly group: string;
  /** Version of the group, such as `v1`. */
  readonly version: string;
  /** Plural name, as in the URL. */
  readonly resource: string;
  /** Kind of the objects, such as `Pod`. Written objects without one get it. */
  readonly kind?: string | undefined;
  /** Whether objects are in a namespace. Decides the form of their keys. */
  readonly scope?: S | undefined;
  /** Absent at run time. */
  readonly [types]?: ResourceTypes<T, Sub> | undefined;
}

/**
 * A resource with the types of its objects and subresources as phantom type parameters: plain data
 * from which clients, informers and controllers infer all types.
 */
export interface Resource<
  T = KubernetesObject,
  S extends Scope = Scope,
  Sub = unknown,
> extends ResourceReference<T, S, Sub> {
  /** Kind of the objects, such as `Pod`. */
  readonly kind: string;
  /** Whether objects are in a namespace. Decides the form of their keys. */
  readonly scope: S;
  /** Abbreviations that kubectl accepts, such as `po`. Absent if there are none. */
  readonly shortNames?: readonly string[] | undefined;
  /** Names of the subresources, such as `status`. */
  readonly subresources?: readonly string[] | undefined;
}

/**
 * Creates a handle of a resource that carries the types of its objects.
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
