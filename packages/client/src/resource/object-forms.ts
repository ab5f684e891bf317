import type { DeepReadonly, KubernetesObject, Leaf } from "@listwatch/core-fifo";

/**
 * Members that a draft may lack: the resource has the type, the server makes the status, and reads
 * a missing spec as an empty one where none of its members is required.
 */
export type ImpliedMember<T> =
  | "apiVersion"
  | "kind"
  | "status"
  | (T extends { readonly spec: infer Spec } ? (object extends Spec ? "spec" : never) : never);

/**
 * An object that is to be created: `apiVersion`, `kind` and `status` may be missing, and so may a
 * `spec` of which no member is required. Objects of a cache are accepted.
 */
export type Draft<T> = {
  readonly [K in keyof T as K extends ImpliedMember<T> ? never : K]: DeepReadonly<T[K]>;
} & {
  readonly [K in keyof T as K extends ImpliedMember<T> ? K : never]?:
    | DeepReadonly<T[K]>
    | undefined;
};

/**
 * The configuration of a server-side apply: every field may be missing, but an element of a list
 * keeps its required fields, among which are the keys by which lists are merged.
 */
export type ApplyConfiguration<T> = T extends Leaf
  ? T
  : T extends readonly (infer E)[]
    ? readonly ApplyElement<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: ApplyConfiguration<T[K]> | undefined }
      : T;

/**
 * A form of an object that is written. Where nothing but metadata is known of the type, as of a
 * plain reference, it may have any other members.
 */
export type Written<T, Form> =
  | Form
  | ([Exclude<keyof T, keyof KubernetesObject>] extends [never]
      ? Form & { readonly [member: string]: unknown }
      : Form);

declare const identified: unique symbol;

/**
 * Name and namespace of an object that a server has, as {@link extractOwned} gives them: complete,
 * whether the objects are in namespaces or not. No value has the member without a name.
 */
export interface Identity {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly [identified]: true;
}

/**
 * An {@link ApplyConfiguration} that says which object it is of: with a name, and, where keys have
 * one, with a namespace.
 */
export type NamedConfiguration<T, K extends string = string> = ApplyConfiguration<T> & {
  readonly metadata:
    | Identity
    | (string extends K
        ? { readonly name: string; readonly namespace?: string | undefined }
        : { readonly name: string; readonly namespace: string });
};

/** An element of a list in a configuration: it keeps its required fields. */
export type ApplyElement<E> = E extends Leaf
  ? E
  : E extends object
    ? { readonly [K in keyof E]: ApplyConfiguration<E[K]> }
    : E;

/** The name in the API of a member of a model class, whose names are words of the language. */
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
 * What a model class of other libraries is on the wire: a `Date` is a string, and members have the
 * names of the API (`_continue` is `continue`, `x_kubernetes_list_type` is
 * `x-kubernetes-list-type`).
 */
export type Wire<T> = T extends Date
  ? string
  : T extends Leaf
    ? T
    : T extends readonly (infer E)[]
      ? Wire<E>[]
      : T extends object
        ? { [K in keyof T as WireName<K>]: Wire<T[K]> }
        : T;
