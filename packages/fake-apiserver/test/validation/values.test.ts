import { describe, expect, test } from "vitest";
import { checkLabelSelector } from "../../src/validation/label-selector.ts";
import {
  checkCountOrPercent,
  checkImmutable,
  checkListed,
  checkMostPercent,
  checkNotNegative,
  checkPort,
  checkWord,
} from "../../src/validation/values.ts";

const messages = (errors: readonly { readonly message: string }[]) =>
  errors.map(({ message }) => message);

describe("numbers and words (VAL-6)", () => {
  test("ports are numbers from 1 to 65535, or names", () => {
    expect([1, 65_535, "http"].flatMap((port) => checkPort("p", port))).toEqual([]);
    for (const port of [0, -1, 65_536]) {
      expect(messages(checkPort("p", port))).toEqual([
        `Invalid value: ${port}: must be between 1 and 65535, inclusive`,
      ]);
    }
    expect(messages(checkPort("p", "Bad_"))).toEqual([
      'Invalid value: "Bad_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ]);
  });

  test("percentages are digits and a sign, at most 100 where required", () => {
    expect(["0%", "100%", 7].flatMap((value) => checkCountOrPercent("x", value))).toEqual([]);
    expect(messages(checkCountOrPercent("x", "5"))[0]).toContain("a valid percent string must be");
    expect(messages(checkCountOrPercent("x", -1))).toEqual(messages(checkNotNegative("x", -1)));
    expect(messages(checkMostPercent("x", "101%"))).toEqual([
      'Invalid value: "101%": must not be greater than 100%',
    ]);
    expect([100, "100%", "x"].flatMap((value) => checkMostPercent("x", value))).toEqual([]);
  });

  test("words are listed in byte order, or in the given order", () => {
    expect(messages(checkWord("x", "c", ["b", "a"]))).toEqual([
      'Unsupported value: "c": supported values: "a", "b"',
    ]);
    expect(messages(checkListed("x", undefined, ["b", "a"]))).toEqual([
      'Unsupported value: "": supported values: "b", "a"',
    ]);
    expect(checkWord("x", undefined, ["a"])).toEqual([]);
    expect(messages(checkWord("x", "", ["a"], "required"))).toEqual(["Required value"]);
  });

  test("immutable values are compared as JSON", () => {
    expect(checkImmutable("x", { a: 1 }, { a: 1 })).toEqual([]);
    expect(messages(checkImmutable("x", undefined, 1))).toEqual([
      "Invalid value: null: field is immutable",
    ]);
  });
});

describe("label selectors (VAL-5)", () => {
  test("require satisfiable labels and expressions", () => {
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "a", operator: "In", values: ["b"] },
        { key: "c", operator: "Exists" },
      ],
    };
    expect(checkLabelSelector("s", selector)).toEqual([]);
    expect(checkLabelSelector("s", undefined)).toEqual([]);
  });

  test("name the invalid part", () => {
    const selector = {
      matchLabels: { "a b": "c d" },
      matchExpressions: [
        { key: "a", operator: "In" },
        { key: "a", operator: "Exists", values: ["b"] },
        { key: "", operator: "Foo", values: ["b c"] },
      ],
    };
    expect(checkLabelSelector("s", selector).map(({ field, reason }) => [field, reason])).toEqual([
      ["s.matchLabels", "FieldValueInvalid"],
      ["s.matchLabels", "FieldValueInvalid"],
      ["s.matchExpressions[0].values", "FieldValueRequired"],
      ["s.matchExpressions[1].values", "FieldValueForbidden"],
      ["s.matchExpressions[2].operator", "FieldValueInvalid"],
      ["s.matchExpressions[2].key", "FieldValueInvalid"],
      ["s.matchExpressions[2].key", "FieldValueInvalid"],
      ["s.matchExpressions[2].values[0]", "FieldValueInvalid"],
    ]);
  });
});
