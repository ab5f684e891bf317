/**
 * Key of the array in which an object keeps members that are parsed on first access. The array
 * contains the object's decoder, then each member, as text until it is read and as its value from
 * then on. Accessors of the object freeze the values that they read if the object is frozen.
 */
export const lazyMembers: unique symbol = Symbol.for("listwatch.lazyMembers");

/**
 * Freezes a plain JSON value with everything in it, and returns it. A frozen value counts as frozen
 * at every depth, so freezing twice is free and cycles are harmless. Unread members stay unread.
 * Typed arrays, which cannot be frozen, are not changed. O(size of the value), at any depth.
 */
export function deepFreeze<T>(value: T): T {
  const unfrozen: unknown[] = [value];
  while (unfrozen.length > 0) {
    const next = unfrozen.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.isFrozen(next) || ArrayBuffer.isView(next)) continue;
    Object.freeze(next);
    for (const child of childrenOf(next)) unfrozen.push(child);
  }
  return value;
}

function childrenOf(object: object): readonly unknown[] {
  if (Object.hasOwn(object, lazyMembers)) return readMembers(object);
  try {
    return Object.values(object);
  } catch {
    // Throws for other accessors: the values that they return cannot be frozen.
    return readMembers(object);
  }
}

/** Returns the values that exist without calling an accessor. */
function readMembers(object: object): unknown[] {
  const lazy: unknown = Reflect.get(object, lazyMembers);
  const read: unknown[] = Array.isArray(lazy) ? lazy.slice(1) : [];
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(object))) read.push(value);
  return read;
}
