import { describe, expect, test, vi } from "vitest";
import { serverClock } from "../../src/base/server-clock.ts";

describe("serverClock", () => {
  test("counts the time that the machine slept, and never goes backwards", () => {
    const hourMs = 3_600_000;
    const before = serverClock.now();
    const timeOfDay = vi.spyOn(Date, "now").mockReturnValue(Date.now() + hourMs);
    try {
      const woken = serverClock.now();
      expect(woken - Date.now()).toBeCloseTo(0);
      timeOfDay.mockReturnValue(before - hourMs);
      expect(serverClock.now()).toBeGreaterThanOrEqual(woken);
    } finally {
      timeOfDay.mockRestore();
    }
  });

  test("calls back in order, unless cancelled", async () => {
    const called: string[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    serverClock.setTimeout(() => called.push("cancelled"), 0).cancel();
    serverClock.setTimeout(() => called.push("first"), 0);
    serverClock.setTimeout(() => resolve(undefined), 2);
    await promise;
    expect(called).toEqual(["first"]);
  });

  test("does not fire immediately when the delay exceeds the range of a timer", async () => {
    const called: string[] = [];
    const timer = serverClock.setTimeout(() => called.push("early"), 2 ** 40);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    serverClock.setTimeout(() => resolve(undefined), 5);
    await promise;
    timer.cancel();
    expect(called).toEqual([]);
  });
});
