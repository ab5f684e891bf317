import { expect, test } from "vitest";
import { describeChanges } from "../../src/commands/describe-changes.ts";

test.each([
  [
    { status: { phase: "Pending" } },
    { status: { phase: "Running" } },
    "status.phase Pending → Running",
  ],
  [{ items: ["a", "b"] }, { items: ["a", "c"] }, "items.1 b → c"],
  [{}, { data: { beta: "on" } }, 'data none → {"beta":"on"}'],
  [{ spec: { paused: true } }, { spec: {} }, "spec.paused true → none"],
  [{ labels: {} }, { labels: { constructor: "a" } }, "labels.constructor none → a"],
  [{ data: JSON.parse('{"__proto__":"a"}') }, { data: {} }, "data.__proto__ a → none"],
])("shows the old and the new value of a field: %j, %j", (before, after, changes) => {
  expect(describeChanges(before, after)).toBe(changes);
});

test("omits fields that change with every write", () => {
  const object = (resourceVersion: string) => ({
    metadata: { resourceVersion, generation: Number(resourceVersion), managedFields: [{}] },
  });
  expect(describeChanges(object("1"), object("2"))).toBe("no visible change");
});

test("shows four changes and counts the others, and cuts long values", () => {
  const object = (value: string) => ({
    a: value,
    b: value,
    c: value,
    d: value,
    e: value,
    f: value,
  });
  expect(describeChanges(object("1"), object("2"))).toBe(
    "a 1 → 2, b 1 → 2, c 1 → 2, d 1 → 2, and 2 more",
  );
  const changed = describeChanges({ text: "x".repeat(100) }, { text: "y" });
  expect(changed).toBe(`text ${"x".repeat(39)}… → y`);
});
