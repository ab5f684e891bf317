import { describe, expect, test } from "vitest";
import { serverClock } from "../../src/base/server-clock.ts";

describe("serverClock", () => {
  test("returns the time and calls back in order, unless cancelled", async () => {
    const before = Date.now();
    const now = serverClock.now();
    // The two clocks may differ by what one of them rounds.
    expect(now).toBeGreaterThanOrEqual(before - 1000);
    expect(now).toBeLessThanOrEqual(Date.now() + 1000);
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
