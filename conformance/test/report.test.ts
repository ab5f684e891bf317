import { expect, test } from "vitest";
import { describe, replay } from "../framework/report.ts";
import { unit } from "../units/fifo.ts";

const steps = [
  { op: "replace", objects: [], resourceVersion: "1", result: { synced: true } },
  { op: "hasSynced", result: { value: true } },
];
const wrongSteps = [{ op: "hasSynced", result: { value: true } }];

test("a case that differs from its recording fails, with its step and both results", async () => {
  const cases = [
    { name: "right", steps },
    { name: "wrong", steps: wrongSteps },
  ];
  expect(describe(await replay(unit, { cases }, []))).toEqual([
    "fifo: 1 passed, 1 failed",
    "  FAILED wrong",
    "    step 0, hasSynced",
    '      expected {"value":true}',
    '      got      {"value":false}',
  ]);
});

test("a case that cannot be replayed fails, and the others are still replayed", async () => {
  const cases = [{ name: "without steps" }, { name: "right", steps }];
  const report = await replay(unit, { cases }, []);
  expect(report.passed).toBe(1);
  expect(report.failed.map(({ name }) => name)).toEqual(["without steps"]);
});

test("a listed quirk may differ, but only in cases with its tag", async () => {
  const difference = { unit: "fifo", quirk: "FIF-1", reason: "not copied" };
  const cases = [
    { name: "tagged", quirk: ["FIF-1"], steps: wrongSteps },
    { name: "untagged", steps: wrongSteps },
  ];
  const report = await replay(unit, { cases }, [difference]);
  expect(report.different).toEqual([{ name: "tagged", reason: "not copied" }]);
  expect(report.failed.map(({ name }) => name)).toEqual(["untagged"]);
});

test("a listed quirk whose cases all pass is an error", async () => {
  const difference = { unit: "fifo", quirk: "FIF-1", reason: "not copied" };
  const cases = [{ name: "tagged", quirk: ["FIF-1"], steps }];
  const report = await replay(unit, { cases }, [difference]);
  expect(describe(report)).toEqual([
    "fifo: 1 passed, 1 failed",
    "  FAILED: every case of FIF-1 passes, but is listed as different: not copied",
  ]);
});

test("an unknown operation is a failure, not a result", async () => {
  const cases = [{ name: "odd", steps: [{ op: "juggle", result: {} }] }];
  const report = await replay(unit, { cases }, []);
  expect(report.passed).toBe(0);
  expect(describe(report).at(-1)).toContain("juggle");
});
