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
