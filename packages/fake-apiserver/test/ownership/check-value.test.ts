import { expect, test } from "vitest";
import { checkValue } from "../../src/ownership/check-value.ts";
import { thing, thingType } from "../support/owned-things.ts";

function problemsOf(spec: Record<string, unknown>): readonly string[] {
  return checkValue(thing(spec), thingType).map(({ path, text }) => `${path}: ${text}`);
}

test.each([
  ["an unknown field", { nope: 1 }, ".spec.nope: field not declared in schema"],
  [
    "a text for a number",
    { count: "1" },
    ".spec.count: expected numeric (int or float), got string",
  ],
  [
    "a number for a text",
    { color: 1 },
    ".spec.color: expected string, got &value.valueUnstructured{Value:1}",
  ],
  ["a text for a boolean", { on: "yes" }, ".spec.on: expected boolean, got &{yes}"],
  ["a text for a map", { labels: "s" }, ".spec.labels: expected map, got &{s}"],
  ["a map for a list", { atomic: { a: 1 } }, ".spec.atomic: expected list, got &{map[a:1]}"],
  [
    "a null item",
    { ports: [null] },
    ".spec.ports: element 0: associative list with keys may not have a null element",
  ],
  ["an item of a set twice", { set: ["a", "a"] }, '.spec.set: duplicate entries for key [="a"]'],
  [
    "an item of a list with keys twice",
    { ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] },
    '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
  ],
  [
    "a map in a set",
    { set: [{}] },
    ".spec.set: element 0: associative list without keys has an element that's a map type",
  ],
])("SSA-12: names %s", (_what, spec, problem) => {
  expect(problemsOf(spec)).toEqual([problem]);
});

test("SSA-12: null is valid for every type", () => {
  expect(problemsOf({ count: null, labels: null, ports: null, set: null })).toEqual([]);
});
