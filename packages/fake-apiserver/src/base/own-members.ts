import type { JsonObject } from "@listwatch/core-fifo/base";

/** Sets an own property, including `__proto__`. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else {
    const property = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, key, property);
  }
}

/** Returns an own member, unlike an inherited `constructor` or `__proto__`. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
