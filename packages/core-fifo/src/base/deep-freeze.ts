/**
 * Where an object that reads its members when they are first needed keeps them: an array of what
 * made the object, and then of members, each as text until it is read and as its value from then
 * on. The object has accessors for them, which freeze what they read if the object is frozen.
 */
export const lazyMembers: unique symbol = Symbol.for("listwatch.lazyMembers");

/**
 * Freezes a plain JSON value with everything in it, and returns it. A value that is frozen already
 * is taken to be so all the way down, which makes freezing an object a second time free and cycles
 * harmless. Members that were not read yet stay so. Of typed arrays, which cannot be frozen,
 * nothing is changed. O(size of the value), at any depth.
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
    // An accessor of its own throws: what it would give cannot be frozen.
    return readMembers(object);
  }
}

/** What is there without a call of an accessor. */
function readMembers(object: object): unknown[] {
  const lazy: unknown = Reflect.get(object, lazyMembers);
  const read: unknown[] = Array.isArray(lazy) ? lazy.slice(1) : [];
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(object))) read.push(value);
  return read;
}
