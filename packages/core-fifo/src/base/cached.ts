/** A value that is taken as a whole by the types that map the members of objects. */
export type Leaf =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | Date
  | Uint8Array
  | ((...parameters: never[]) => unknown);

/** A type that is read-only at every depth. */
export type DeepReadonly<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends ReadonlyMap<infer K, infer V>
      ? ReadonlyMap<DeepReadonly<K>, DeepReadonly<V>>
      : T extends ReadonlySet<infer E>
        ? ReadonlySet<DeepReadonly<E>>
        : { readonly [P in keyof T]: DeepReadonly<T[P]> };

declare const origin: unique symbol;

/** Type-level record of the type that a read-only view was made from. No value has this member. */
export interface Origin<T> {
  /** Type that the view was made from, for the compiler. Absent at run time. */
  readonly [origin]?: T;
}

/**
 * An object of a cache: read-only at every depth, because all readers share it. A `Pod` is
 * assignable to `Cached<Pod>`. {@link mutableCopy} returns a `Pod` that may be changed.
 */
export type Cached<T> = DeepReadonly<T> & ([T] extends [object] ? Origin<T> : unknown);

declare const incomplete: unique symbol;

/** Type-level mark of an object without some of the server's members. No value has this member. */
export interface Incomplete {
  /** Mark for the compiler. Absent at run time. */
  readonly [incomplete]?: true;
}

/** A type that no {@link Incomplete} object is assignable to. */
export interface Complete {
  /** Refuses marked objects at compile time. Absent at run time. */
  readonly [incomplete]?: never;
}

/** A type that may be changed at every depth: the inverse of read-only members and arrays. */
export type Mutable<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends ReadonlyMap<infer K, infer V>
      ? Map<Mutable<K>, Mutable<V>>
      : T extends ReadonlySet<infer E>
        ? Set<Mutable<E>>
        : T extends readonly unknown[]
          ? { -readonly [P in keyof T]: Mutable<T[P]> }
          : {
              -readonly [P in keyof T as P extends keyof Origin<unknown> ? never : P]: Mutable<
                T[P]
              >;
            };

/** Type of a {@link mutableCopy}: the origin of a cached object, otherwise a structural type. */
export type MutableCopy<O> =
  O extends Origin<infer T> ? (unknown extends T ? Mutable<O> : T) : Mutable<O>;

/**
 * Copies an object deeply, so that it can be changed and written back. A `Cached<Pod>` becomes a
 * `Pod`, any other read-only value its type without `readonly`. O(size of the value).
 *
 * ```ts
 * import { mutableCopy, type Cached } from "@listwatch/core-fifo";
 *
 * interface Pod {
 *   spec: { replicas: number };
 * }
 * const cached: Cached<Pod> = { spec: { replicas: 1 } };
 * const pod = mutableCopy(cached);
 * pod.spec.replicas = 2;
 * console.assert(cached.spec.replicas === 1);
 * ```
 */
export function mutableCopy<O extends object>(object: O & Complete): MutableCopy<O> {
  // `structuredClone` has no type that expresses this.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return structuredClone(object) as unknown as MutableCopy<O>;
}

/**
 * Returns the same object with its read-only type. For generic code, where the compiler cannot
 * prove that a `T` is assignable to `Cached<T>`.
 */
export function asCached<T>(object: T | Cached<T>): Cached<T> {
  // Members only become read-only, and no value has the member of `Origin`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return object as unknown as Cached<T>;
}

/** Returns the same object with its plain type, for a user's function over `T` that only reads. */
export function asPlain<T>(object: T | Cached<T>): T {
  // Drops the protection of the type: only for functions whose contract forbids changes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return object as unknown as T;
}
