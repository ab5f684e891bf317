// The operator, many times, in a cluster that fails in every way it can: lost answers, broken
// watches, restarts, pauses. A failure is printed as the shortest story that breaks a condition.
import assert from "node:assert/strict";
import { test } from "node:test";
import { simulate } from "listwatch/testing";
import { scenario } from "./world.ts";

const seeds = Number(process.env["SEEDS"] ?? 50);
// Before the test, since inside of one node:test watches each promise, which takes much longer.
const { runs } = await simulate(scenario, { seeds, quietMs: 60_000 });

test("converges in every run with faults", () => {
  assert.equal(runs, seeds);
});
