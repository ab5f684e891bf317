import { createJsonPatch } from "@listwatch/webhooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../support/apply-patch.ts";

describe("a JSON patch made by comparison", () => {
  test("is empty for equal values, in whatever order their members are", () => {
    expect(createJsonPatch({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toEqual([]);
  });

  test("adds, replaces and removes single members", () => {
    const before = {
      metadata: { name: "web", labels: { app: "a" } },
      spec: { size: 1, old: true },
    };
    const after = {
      metadata: { name: "web", labels: { app: "a", tier: "b" } },
      spec: { size: 2 },
    };
    expect(createJsonPatch(before, after)).toEqual([
      { op: "add", path: "/metadata/labels/tier", value: "b" },
      { op: "remove", path: "/spec/old" },
      { op: "replace", path: "/spec/size", value: 2 },
    ]);
  });

  test("escapes slashes and tildes in names", () => {
    const patch = createJsonPatch({ "a/b": 1, "c~d": 1 }, { "a/b": 2, "e~1/f": 1 });
    expect(patch).toEqual([
      { op: "remove", path: "/c~0d" },
      { op: "replace", path: "/a~1b", value: 2 },
      { op: "add", path: "/e~01~1f", value: 1 },
    ]);
  });

  test("counts an undefined member as absent", () => {
    expect(createJsonPatch({ a: 1, b: 2 }, { a: undefined, b: 2 })).toEqual([
      { op: "remove", path: "/a" },
    ]);
  });

  test("inserts an element in front of an array without touching the others", () => {
    const sidecar = { name: "proxy", image: "proxy:1" };
    const containers = [
      { name: "a", image: "a:1" },
      { name: "b", image: "b:1" },
    ];
    const patch = createJsonPatch({ containers }, { containers: [sidecar, ...containers] });
    expect(patch).toEqual([{ op: "add", path: "/containers/0", value: sidecar }]);
  });

  test("finds the element of the same name when others come and go", () => {
    const element = (name: string, image: string): object => ({ name, image, ports: [1, 2, 3] });
    const before = { c: [element("a", "a:1"), element("b", "b:1"), element("c", "c:1")] };
    const after = { c: [element("b", "b:2"), element("c", "c:1"), element("d", "d:1")] };
    expect(createJsonPatch(before, after)).toEqual([
      { op: "remove", path: "/c/0" },
      { op: "replace", path: "/c/0/image", value: "b:2" },
      { op: "add", path: "/c/2", value: element("d", "d:1") },
    ]);
  });

  test("replaces an array as a whole where that is shorter", () => {
    const before = { args: ["a", "b", "c", "d"] };
    expect(createJsonPatch(before, { args: ["w"] })).toEqual([
      { op: "replace", path: "/args", value: ["w"] },
    ]);
  });

  test("compares long arrays in linear memory, position by position", () => {
    const before = Array.from({ length: 2000 }, (_, index) => ({ key: `a${index}`, n: index }));
    const after = before.map((each, index) => (index % 2 === 0 ? { ...each, n: -1 } : each));
    const patch = createJsonPatch(before, after);
    expect(patch).toHaveLength(1000);
    expect(applyPatch(before, patch)).toEqual(after);
  });

  test("reaches every value from every other one", () => {
    const names = fc.constantFrom("a", "b/c", "d~e", "~1", "name", "__proto__", "constructor", "");
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, true, 0, 1, "x", "y"),
        fc.array(tie("value"), { maxLength: 6 }),
        fc.dictionary(names, tie("value"), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        const patch = createJsonPatch(before, after);
        expect(JSON.stringify(sorted(applyPatch(before, patch)))).toBe(
          JSON.stringify(sorted(after)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => sorted(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
