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

/** The type that a read-only view was made of. No value has this member. */
export interface Origin<T> {
  readonly [origin]?: T;
}

/**
 * An object of a cache: read-only at every depth, because all readers of a cache share it. A `Pod`
 * fits where a `Cached<Pod>` is expected. {@link mutableCopy} gives a `Pod` that may be changed.
 */
export type Cached<T> = DeepReadonly<T> & ([T] extends [object] ? Origin<T> : unknown);

declare const incomplete: unique symbol;

/** Marks the type of an object that lacks members of the server's. No value has this member. */
export interface Incomplete {
  readonly [incomplete]?: true;
}

/** What no {@link Incomplete} object fits. */
export interface Complete {
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

/** The type of a {@link mutableCopy}: the origin of a cached object, otherwise a structural type. */
export type MutableCopy<O> =
  O extends Origin<infer T> ? (unknown extends T ? Mutable<O> : T) : Mutable<O>;

/**
 * Copies an object deeply, so that it can be changed and written back. A `Cached<Pod>` gives a
 * `Pod`; any other read-only value gives its type without `readonly`. O(size of the value).
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
  // The types say what the algorithm does; no type of `structuredClone` can.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return structuredClone(object) as unknown as MutableCopy<O>;
}

/**
 * The same object, by identity, under its read-only type. Generic code needs it, because a compiler
 * cannot know that every `T` fits `Cached<T>`.
 */
export function asCached<T>(object: T | Cached<T>): Cached<T> {
  // Members only become read-only, and no value has the member of Origin.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return object as unknown as Cached<T>;
}

/**
 * The same object, by identity, under its plain type: for a user's function over `T` that only
 * reads.
 */
export function asPlain<T>(object: T | Cached<T>): T {
  // Takes the protection of the type away: only for functions whose contract forbids changes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return object as unknown as T;
}
