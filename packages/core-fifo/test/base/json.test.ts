import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import {
  isJsonEqual,
  isRecord,
  numberOf,
  recordOf,
  stringOf,
  stringsOf,
} from "@listwatch/core-fifo/base";

/** Serializes a JSON value with sorted members, so that equal values have equal strings. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

describe("isJsonEqual", () => {
  // Few names and values, so that equal ones occur.
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false, 0, 1, "", "a"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    ),
  }));

  test("agrees with a comparison of canonical strings", () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(isJsonEqual(left, right)).toBe(canonical(left) === canonical(right));
        expect(isJsonEqual(left, structuredClone(left))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("ignores the order of members and treats undefined as absent", () => {
    expect(isJsonEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isJsonEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isJsonEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(isJsonEqual({ a: undefined }, { b: 1 })).toBe(false);
  });

  test("distinguishes arrays, objects and null", () => {
    expect(isJsonEqual([], {})).toBe(false);
    expect(isJsonEqual({}, [])).toBe(false);
    expect(isJsonEqual(null, {})).toBe(false);
    expect(isJsonEqual(JSON.parse('{"__proto__":{}}'), {})).toBe(false);
  });
});

describe("reading JSON", () => {
  test("returns a value of the type, otherwise Go's zero value", () => {
    expect([stringOf("a"), stringOf(1), stringOf(undefined)]).toEqual(["a", "", ""]);
    expect([numberOf(1), numberOf("1"), numberOf(null)]).toEqual([1, 0, 0]);
    expect([recordOf({ a: 1 }), recordOf([]), recordOf(null)]).toEqual([{ a: 1 }, {}, {}]);
    expect([stringsOf(["a", 1, "b"]), stringsOf("a")]).toEqual([["a", "b"], []]);
    expect([isRecord({}), isRecord([]), isRecord(null), isRecord("a")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
