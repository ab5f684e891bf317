import { describe, expect, test } from "vitest";
import { playStory } from "../support/plan.ts";
import { countSteps, Schedule } from "../support/schedule.ts";
import { seedsOf } from "../support/seeds.ts";
import { oneInformer } from "../support/subject.ts";

describe("an informer under random writes, faults and handlers", () => {
  test("ends in the server's state, with a legal history for every handler (GEN-1, GEN-2, GEN-5, GEN-6)", async () => {
    for (const seed of seedsOf(1400)) {
      const outcome = await playStory(seed, countSteps(seed), (run) =>
        new Schedule(run, oneInformer).run(),
      );
      expect({ seed, ...outcome }).toEqual({ seed, problems: [] });
    }
  });
});
