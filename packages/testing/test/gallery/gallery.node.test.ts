import { describe, expect, test } from "vitest";
import { simulate, SimulationError } from "../../src/index.ts";
import { gallery, mostSteps } from "./bugs.ts";
import { reported } from "./reported.ts";

// Simulations go the same way on each runtime, and all of them take minutes:
// `npm run test:field` looks for the first seed, and lets the repaired programs survive 2,000.
const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe.runIf(isOnNode).each([...gallery, ...reported])("an operator: $name", (bug) => {
  test("is found, named and reduced", async () => {
    const { broken, invariant, seed: firstSeed, times } = bug;
    const error: unknown = await simulate(broken, { ...times, firstSeed, seeds: 1 }).catch(
      (reason: unknown) => reason,
    );
    if (!(error instanceof SimulationError)) throw new Error("nothing was found", { cause: error });
    const { actions, faults = [], upsets } = error.story;
    expect(error.invariant).toBe(invariant);
    expect(actions.length + faults.length + upsets.length).toBeLessThanOrEqual(mostSteps);
  });

  test("survives when it is repaired", async () => {
    const { repaired, seed: firstSeed, times } = bug;
    expect((await simulate(repaired, { ...times, firstSeed, seeds: 50 })).runs).toBe(50);
  });
});
