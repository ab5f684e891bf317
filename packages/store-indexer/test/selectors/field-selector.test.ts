import { escapeFieldValue } from "@listwatch/core-fifo/base";
import { fieldOf, FieldSelector, InvalidSelectorError } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { unescapeFieldValue } from "../../src/selectors/field-parser.ts";

describe("parse", () => {
  test.each([
    ["status.phase=Running", "status.phase=Running"],
    ["a==b", "a=b"],
    ["z=1,,a!=2,", "a!=2,z=1"],
    ["a= b", "a= b"],
    [String.raw`a=x\,y\=z\\`, String.raw`a=x\,y\=z\\`],
    ["=,a=1", "a=1"],
    ["", ""],
  ])("parses %j", (text, canonical) => {
    const selector = FieldSelector.parse(text);
    expect(selector.toString()).toBe(canonical);
    expect(FieldSelector.parse(canonical).toString()).toBe(canonical);
  });

  test.each([
    ["a=1,status.phase", "LW_INVALID_SELECTOR", 4],
    ["a=b=c", "LW_UNESCAPED_CHARACTER", 3],
    [String.raw`x=1,a=b\c`, "LW_INVALID_ESCAPE", 7],
    ["a=b\\", "LW_INVALID_ESCAPE", 3],
  ])("reports the position of the error in %j", (text, code, position) => {
    let failure: unknown;
    try {
      FieldSelector.parse(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(InvalidSelectorError);
    expect(failure).toMatchObject({ code, position, selector: text });
  });
});

describe("matches", () => {
  test("all terms must hold, and a missing field equals the empty string", () => {
    const selector = FieldSelector.parse("a=1,b!=2");
    expect(selector.matches({ a: "1" })).toBe(true);
    expect(selector.matches({ a: "1", b: "2" })).toBe(false);
    expect(selector.matches({ b: "1" })).toBe(false);
    expect(FieldSelector.parse("a=").matches({})).toBe(true);
    expect(FieldSelector.parse("constructor=").matches({})).toBe(true);
  });

  test("accepts a function instead of fields", () => {
    const pod = { spec: { nodeName: "n1", priority: 5 } };
    const selector = FieldSelector.parse("spec.nodeName=n1,spec.priority=5");
    expect(selector.matches((field) => fieldOf(pod, field))).toBe(true);
  });
});

test("everything, nothing and combinations", () => {
  const both = FieldSelector.and(FieldSelector.equal("a", "1"), FieldSelector.notEqual("b", "2"));
  expect(both.toString()).toBe("a=1,b!=2");
  expect(both.matches({ a: "1" })).toBe(true);
  expect(FieldSelector.everything.isEmpty).toBe(true);
  expect(FieldSelector.and(FieldSelector.everything).isEmpty).toBe(true);
  expect(FieldSelector.nothing.isEmpty).toBe(false);
  expect(FieldSelector.nothing.matches({})).toBe(false);
  expect(FieldSelector.and(FieldSelector.nothing).matches({})).toBe(false);
  expect(FieldSelector.nothing.requirements).toEqual([]);
});

test("requiresExactMatch returns the value that a field must have", () => {
  const selector = FieldSelector.parse("a=1,b!=2");
  expect(selector.requiresExactMatch("a")).toBe("1");
  expect(selector.requiresExactMatch("b")).toBeUndefined();
});

test("fieldOf reads strings, numbers and booleans by path, own members only", () => {
  const object = { spec: { name: "x", n: 0, on: false, list: [{ a: "b" }], none: null } };
  expect(fieldOf(object, "spec.name")).toBe("x");
  expect(fieldOf(object, "spec.n")).toBe("0");
  expect(fieldOf(object, "spec.on")).toBe("false");
  expect(fieldOf(object, "spec.list.0.a")).toBe("b");
  expect(fieldOf(object, "spec.none")).toBeUndefined();
  expect(fieldOf(object, "spec.list")).toBeUndefined();
  expect(fieldOf(object, "spec.missing.deeper")).toBeUndefined();
  expect(fieldOf(object, "constructor.name")).toBeUndefined();
  expect(fieldOf(undefined, "spec")).toBeUndefined();
});

test("fieldOf reads members that are accessors, as those of lazy objects are", () => {
  const object = {
    get spec(): object {
      return { nodeName: "one" };
    },
  };
  expect(fieldOf(object, "spec.nodeName")).toBe("one");
});

test("unescaping reverses escaping", () => {
  expect(escapeFieldValue("a,b=c\\d")).toBe(String.raw`a\,b\=c\\d`);
  expect(unescapeFieldValue(escapeFieldValue("a,b=c\\d"))).toBe("a,b=c\\d");
  expect(() => unescapeFieldValue("a,b")).toThrow(
    expect.objectContaining({ code: "LW_UNESCAPED_CHARACTER" }),
  );
  expect(() => unescapeFieldValue(String.raw`\n`)).toThrow(
    expect.objectContaining({ code: "LW_INVALID_ESCAPE" }),
  );
});
