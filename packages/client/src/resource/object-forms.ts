import type { DeepReadonly, Key, KubernetesObject, Leaf } from "@listwatch/core-fifo";
import type { Defaulted } from "./resource.ts";

/**
 * Optional members of a draft: the resource determines the type, the server creates the status and
 * treats a missing spec as empty.
 */
export type ImpliedMember<T> =
  | "apiVersion"
  | "kind"
  | "status"
  // If none of its members is required, as for a Namespace, or the server has a default.
  | (T extends { readonly spec: infer Spec }
      ? object extends Spec
        ? "spec"
        : keyof Defaulted extends keyof Spec
          ? "spec"
          : never
      : never);

/** Metadata that the server writes. A draft needs a name or a prefix for one. */
export type StoredMeta = "name" | "namespace" | "uid" | "resourceVersion" | "creationTimestamp";

/** The metadata of a {@link Draft}. */
export type DraftMeta<M> = M extends object
  ? {
      readonly [K in keyof M as K extends StoredMeta ? never : K]: DeepReadonly<M[K]>;
    } & {
      readonly [K in keyof M as K extends StoredMeta ? K : never]?: M[K] | undefined;
    } & {
      /** Prefix of a name that the server completes. Ignored if `name` is set. */
      readonly generateName?: string | undefined;
    }
  : M;

/**
 * An object to create. `apiVersion`, `kind` and `status` are optional, and so is a `spec` without
 * required members. So are the members of the metadata that the server writes. Cached objects are
 * accepted.
 */
export type Draft<T> = {
  readonly [K in keyof T as K extends ImpliedMember<T> ? never : K]: K extends "metadata"
    ? DraftMeta<T[K]>
    : DeepReadonly<T[K]>;
} & {
  readonly [K in keyof T as K extends ImpliedMember<T> ? K : never]?:
    | DeepReadonly<T[K]>
    | undefined;
};

/** An object to replace another one: whole, except for metadata that the server writes. */
export type Replacement<T> = {
  readonly [K in keyof T]: K extends "metadata" ? DraftMeta<T[K]> : DeepReadonly<T[K]>;
};

/**
 * Configuration of a server-side apply. All fields are optional, except that list elements keep
 * their required fields, which include merge keys.
 */
export type ApplyConfiguration<T> = T extends Leaf
  ? T
  : T extends readonly (infer E)[]
    ? readonly ApplyElement<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: ApplyConfiguration<T[K]> | undefined }
      : T;

/**
 * Form of a written object. If only metadata is known of the type, as for a plain reference, it may
 * have any other members.
 */
export type Written<T, Form> =
  | Form
  | ([Exclude<keyof T, keyof KubernetesObject>] extends [never]
      ? Form & {
          /** Any other member, which the type does not know. */
          readonly [member: string]: unknown;
        }
      : Form);

declare const identified: unique symbol;

/**
 * Name and namespace of an object of the server, as {@link extractOwned} returns them, for
 * namespaced and cluster-scoped objects. No value has the unnamed member.
 */
export interface Identity {
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the object; absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Mark of the type for the compiler. Absent at run time. */
  readonly [identified]: true;
}

/** An {@link ApplyConfiguration} with a name and, if keys contain one, a namespace. */
export type NamedConfiguration<T, K extends string = KeyOf<T>> = ApplyConfiguration<T> & {
  /** Name and, for namespaced objects, namespace of the object to apply. */
  readonly metadata:
    | Identity
    | (string extends K
        ? {
            /** Name of the object. */
            readonly name: string;
            /** Namespace of the object; absent for cluster-scoped objects. */
            readonly namespace?: string | undefined;
          }
        : {
            /** Name of the object. */
            readonly name: string;
            /** Namespace of the object. Required, because keys of the type contain one. */
            readonly namespace: string;
          });
};

/** The form of the keys of objects of a type, which its metadata shows. */
export type KeyOf<T> = T extends { readonly metadata: { readonly namespace: string } }
  ? Key<"Namespaced">
  : string;

/** An element of a list in a configuration. It keeps its required fields. */
export type ApplyElement<E> = E extends Leaf
  ? E
  : E extends object
    ? { readonly [K in keyof E]: ApplyConfiguration<E[K]> }
    : E;

/** Name in the API for a member of a model class, whose names avoid keywords. */
export type WireName<Name> = Name extends `x_kubernetes_${infer Rest}`
  ? `x-kubernetes-${DashedName<Rest>}`
  : Name extends `_${infer Word}`
    ? Word
    : Name;

/** A name with dashes in place of underscores. */
export type DashedName<Name extends string> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}-${DashedName<Rest>}`
  : Name;

/**
 * Wire form of other libraries' model classes: a `Date` is a string, and members have the names of
 * the API (`_continue` is `continue`, `x_kubernetes_list_type` is `x-kubernetes-list-type`).
 */
export type Wire<T> = T extends Date
  ? string
  : T extends Leaf
    ? T
    : T extends readonly (infer E)[]
      ? Wire<E>[]
      : T extends object
        ? // Absent members may be `undefined`, as in the types of resources.
          {
            [K in keyof T as WireName<K>]:
              | Wire<T[K]>
              | (object extends Pick<T, K> ? undefined : never);
          }
        : T;
