type Leaf = string | number | bigint | boolean | symbol | null | undefined | Date | Uint8Array;

/**
 * A type all the way down read-only. Cached objects have it, because everybody who reads a cache
 * shares them: a `Pod` fits where a `DeepReadonly<Pod>` is asked for, and not the other way round.
 */
export type DeepReadonly<T> = unknown extends T
  ? T
  : T extends Leaf | ((...parameters: never[]) => unknown)
    ? T
    : T extends ReadonlyMap<infer K, infer V>
      ? ReadonlyMap<DeepReadonly<K>, DeepReadonly<V>>
      : T extends ReadonlySet<infer E>
        ? ReadonlySet<DeepReadonly<E>>
        : { readonly [P in keyof T]: DeepReadonly<T[P]> };

/**
 * The same object, by identity, under its read-only type. Generic code needs it, because a compiler
 * cannot know that every `T` fits `DeepReadonly<T>`.
 */
export function asDeepReadonly<T>(object: T | DeepReadonly<T>): DeepReadonly<T>;
export function asDeepReadonly(object: unknown): unknown {
  return object;
}

/**
 * Freezes a plain JSON value with everything in it, and returns it. A value that is frozen already
 * is taken to be so all the way down, which makes freezing an object a second time free and cycles
 * harmless. Of typed arrays, which cannot be frozen, nothing is changed. O(size of the value), at
 * any depth.
 */
export function deepFreeze<T>(value: T): T {
  const unfrozen: unknown[] = [value];
  while (unfrozen.length > 0) {
    const next = unfrozen.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.isFrozen(next) || ArrayBuffer.isView(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) unfrozen.push(child);
  }
  return value;
}
