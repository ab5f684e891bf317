import { describe, expect, test } from "vitest";
import { inRealTime } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

/** Work that a simulated clock cannot see: it ends after real time has passed. */
function work(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 60));
}

describe("work in real time", () => {
  test("ends before a simulated clock moves on", async () => {
    const clock = new SimulatedClock();
    const log: string[] = [];
    clock.setTimeout(() => log.push("timer"), 10);
    void inRealTime(work()).then(() => log.push(`work at ${clock.now()}`));
    await clock.advance(10);
    expect(log).toEqual(["work at 0", "timer"]);
  });

  test("may start more work, and may start between two timers", async () => {
    const clock = new SimulatedClock();
    const log: string[] = [];
    const start = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        await inRealTime(work());
        log.push(`round ${round} at ${clock.now()}`);
      }
    };
    clock.setTimeout(() => void start(), 10);
    clock.setTimeout(() => log.push("timer"), 11);
    await clock.advance(20);
    expect(log).toEqual(["round 0 at 10", "round 1 at 10", "round 2 at 10", "timer"]);
  });

  test("reports its failure to its caller only", async () => {
    const clock = new SimulatedClock();
    const failing = inRealTime(Promise.reject(new Error("no such module")));
    await clock.settle();
    await expect(failing).rejects.toThrow("no such module");
  });
});
