import { describe, expect, test } from "vitest";
import { Schedule } from "../support/schedule.ts";
import { seedsOf } from "../support/seeds.ts";
import { twoInformers } from "../support/subject.ts";

describe("views and event streams under random writes, faults and readers", () => {
  test("end in the server's state, with a legal history for every handler and reader", async () => {
    for (const seed of seedsOf(600)) {
      const complaints = await new Schedule(seed, twoInformers).run();
      expect({ seed, complaints }).toEqual({ seed, complaints: [] });
    }
  });
});
