type Leaf =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | ((...args: never[]) => unknown);

/** Read-only at every depth; what can be changed and what cannot are both assignable to it. */
type ReadonlyForm<T> = T extends Leaf
  ? T
  : T extends readonly (infer E)[]
    ? readonly ReadonlyForm<E>[]
    : T extends object
      ? { readonly [K in keyof T]: ReadonlyForm<T[K]> }
      : T;

/**
 * Members of an object that its draft may lack: the resource says the type, the server makes the
 * status.
 */
type ImpliedMember = "apiVersion" | "kind" | "status";

/**
 * An object that is to be created: `apiVersion`, `kind` and `status` may be missing. Objects of a
 * cache are accepted.
 */
export type Draft<T> = {
  readonly [K in keyof T as K extends ImpliedMember ? never : K]: ReadonlyForm<T[K]>;
} & {
  readonly [K in keyof T as K extends ImpliedMember ? K : never]?: ReadonlyForm<T[K]> | undefined;
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

type ApplyElement<E> = E extends Leaf
  ? E
  : E extends object
    ? { readonly [K in keyof E]: ApplyConfiguration<E[K]> }
    : E;

/**
 * What a model class of other libraries is on the wire: a `Date` is a string, and reserved words
 * have no underscore (`_continue` is `continue`).
 */
export type Wire<T> = T extends Date
  ? string
  : T extends Leaf
    ? T
    : T extends readonly (infer E)[]
      ? Wire<E>[]
      : T extends object
        ? { [K in keyof T as K extends `_${infer Name}` ? Name : K]: Wire<T[K]> }
        : T;
