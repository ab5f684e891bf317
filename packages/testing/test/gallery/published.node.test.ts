import { describe, expect, test } from "vitest";
import { simulate, SimulationError } from "../../src/index.ts";
import { published } from "./published/published.ts";

const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe.runIf(isOnNode).each(published)(
  "$scenario.name, rewritten small",
  ({ invariant, options: given, scenario, seed }) => {
    test("breaks a condition, in a short story", async () => {
      const options = { ...given, firstSeed: seed, seeds: 1 };
      const error: unknown = await simulate(scenario, options).catch((reason: unknown) => reason);
      if (!(error instanceof SimulationError))
        throw new Error("nothing was found", { cause: error });
      const { actions, faults = [], upsets } = error.story;
      expect(error.invariant).toBe(invariant);
      expect(actions.length + faults.length + upsets.length).toBeLessThanOrEqual(3);
    });
  },
);
