import { deepFreeze } from "../../src/base/deep-freeze.ts";
import { describe, expect, test } from "vitest";

describe("deepFreeze", () => {
  test("freezes objects and arrays at every depth and returns the value", () => {
    const value = { list: [{ a: 1 }], none: null, map: { b: { c: "d" } } };
    expect(deepFreeze(value)).toBe(value);
    expect(Object.isFrozen(value.list)).toBe(true);
    expect(Object.isFrozen(value.list[0])).toBe(true);
    expect(Object.isFrozen(value.map.b)).toBe(true);
  });

  test("terminates for a value that contains itself", () => {
    const value: { self?: unknown } = {};
    value.self = [value];
    expect(Object.isFrozen(deepFreeze(value).self)).toBe(true);
  });

  test("freezes everything except bytes, which cannot be frozen", () => {
    const value = { bytes: new Uint8Array([1]), after: { a: 1 } };
    deepFreeze(value);
    value.bytes[0] = 2;
    expect(value.bytes).toEqual(new Uint8Array([2]));
    expect(Object.isFrozen(value)).toBe(true);
    expect(Object.isFrozen(value.after)).toBe(true);
  });

  test("freezes at any depth", () => {
    interface Nested {
      inner?: Nested;
    }
    const innermost: Nested = {};
    let value: Nested = innermost;
    for (let depth = 0; depth < 100_000; depth += 1) value = { inner: value };
    deepFreeze(value);
    expect(Object.isFrozen(innermost)).toBe(true);
  });

  test("leaves values that are not objects as they are", () => {
    expect(deepFreeze("text")).toBe("text");
    expect(deepFreeze(null)).toBe(null);
    expect(deepFreeze(undefined)).toBe(undefined);
  });
});

test("an object with an accessor that throws is frozen with its other members", () => {
  const object = { spec: { a: 1 } };
  Object.defineProperty(object, "status", {
    enumerable: true,
    get: () => {
      throw new Error("not now");
    },
  });
  expect(Object.isFrozen(deepFreeze(object).spec)).toBe(true);
});
