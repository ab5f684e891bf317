import { describe, expect, it } from "vitest";
import { Schedule } from "./support/schedule.ts";
import { scheduleCount } from "./support/schedule-count.ts";
import { twoInformers } from "./support/subject.ts";

describe("views and event streams under random writes, faults and readers", () => {
  it("end as the server is, with a legal history for every handler and reader", async () => {
    const count = scheduleCount(600);
    for (let seed = 1; seed <= count; seed++) {
      const complaints = await new Schedule(seed, twoInformers).run();
      expect({ seed, complaints }).toEqual({ seed, complaints: [] });
    }
  }, 900_000);
});
