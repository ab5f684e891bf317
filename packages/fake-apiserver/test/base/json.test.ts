import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asJsonObject, isJsonObject, jsonEquals } from "../../src/base/json.ts";

describe("jsonEquals", () => {
  it("agrees with comparing the texts of values with sorted keys", () => {
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.keys(value)
          .toSorted()
          .map((key) => [key, sorted(value[key])]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(jsonEquals(left, left)).toBe(true);
        expect(jsonEquals(left, structuredClone(left))).toBe(true);
        const same = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(jsonEquals(left, right)).toBe(same);
      }),
    );
  });

  it("takes a key that holds undefined for an absent one", () => {
    expect(jsonEquals({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(jsonEquals({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(jsonEquals({ a: undefined, b: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(jsonEquals({ a: null }, {})).toBe(false);
  });
});

describe("asJsonObject", () => {
  it("makes an empty object of everything else", () => {
    expect([null, [], "x", undefined].map(asJsonObject)).toEqual([{}, {}, {}, {}]);
    expect(asJsonObject({ a: 1 })).toEqual({ a: 1 });
  });
});
