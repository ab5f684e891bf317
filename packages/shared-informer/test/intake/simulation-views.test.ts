import { describe, expect, test } from "vitest";
import { playStory } from "../support/plan.ts";
import { countSteps, Schedule } from "../support/schedule.ts";
import { seedsOf } from "../support/seeds.ts";
import { twoInformers } from "../support/subject.ts";

describe("views and event streams under random writes, faults and readers", () => {
  test("end in the server's state, with a legal history for every handler and reader", async () => {
    for (const seed of seedsOf(600)) {
      const outcome = await playStory(seed, countSteps(seed), (run) =>
        new Schedule(run, twoInformers).run(),
      );
      expect({ seed, ...outcome }).toEqual({ seed, problems: [] });
    }
  });
});
