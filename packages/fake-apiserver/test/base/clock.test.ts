import { systemClock } from "@listwatch/fake-apiserver";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../src/base/clock.ts";

describe("systemClock", () => {
  it("tells the time and calls back in order, unless cancelled", async () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
    const called: string[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    systemClock.setTimeout(() => called.push("cancelled"), 0).cancel();
    systemClock.setTimeout(() => called.push("first"), 0);
    systemClock.setTimeout(() => resolve(undefined), 2);
    await promise;
    expect(called).toEqual(["first"]);
  });

  it("does not fire at once when the time does not fit in a timer", async () => {
    const called: string[] = [];
    const timer = systemClock.setTimeout(() => called.push("early"), 2 ** 40);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    systemClock.setTimeout(() => resolve(undefined), 5);
    await promise;
    timer.cancel();
    expect(called).toEqual([]);
  });
});

describe("timestamp", () => {
  it("has whole seconds in UTC", () => {
    expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe("2026-01-02T03:04:05Z");
  });

  it("follows the clock in every direction", () => {
    const texts = [1000, 1999, 2000, 999, 0, -1].map(timestamp);
    expect(texts.map((text) => text.slice(-9))).toEqual([
      "00:00:01Z",
      "00:00:01Z",
      "00:00:02Z",
      "00:00:00Z",
      "00:00:00Z",
      "23:59:59Z",
    ]);
  });
});
