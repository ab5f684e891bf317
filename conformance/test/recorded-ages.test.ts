import { expect, test } from "vitest";
import { withAgesOfToday } from "../fidelity/recorded-ages.ts";

const recorded = { cells: ["p0", "2 (6y327d ago)", "5d", 3], text: "5d ago" };

test.each([
  ["2026-11-22T23:59:59Z", "2 (6y327d ago)"],
  ["2026-11-23T00:00:00Z", "2 (6y328d ago)"],
  ["2026-12-30T12:00:00Z", "2 (7y ago)"],
  ["2029-01-01T00:00:00Z", "2 (9y ago)"],
])("on %s a container restarted %s", (now, cell) => {
  expect(withAgesOfToday(recorded, "2026-11-22", Date.parse(now))).toEqual({
    ...recorded,
    cells: ["p0", cell, "5d", 3],
  });
});

test("days are counted up to two years", () => {
  const ages = ["(600d ago)", "(729d ago)"];
  expect(withAgesOfToday(ages, "2026-11-22", Date.parse("2026-11-23"))).toEqual([
    "(601d ago)",
    "(2y ago)",
  ]);
});
