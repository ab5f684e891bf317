import { Backoff, growDelay, jitterDelay } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";

/** Returns a back-off that is constant except for these options. */
const makeBackoff = (options: Partial<ConstructorParameters<typeof Backoff>[0]>): Backoff =>
  new Backoff({
    baseMs: 1,
    factor: 1,
    jitter: 0,
    capMs: Infinity,
    resetMs: Infinity,
    resetRule: "interval",
    clock: new SimulatedClock(),
    random: () => 0,
    ...options,
  });

const delays = (backoff: Backoff, count: number): number[] =>
  Array.from({ length: count }, () => backoff.next());

describe("a back-off", () => {
  test("returns the first delay again if it does not grow", () => {
    expect(delays(makeBackoff({ baseMs: 7 }), 3)).toEqual([7, 7, 7]);
  });

  test("grows for the given number of steps, or up to the cap", () => {
    expect(delays(makeBackoff({ baseMs: 1, factor: 3, steps: 2 }), 5)).toEqual([1, 3, 9, 9, 9]);
    expect(delays(makeBackoff({ baseMs: 1, factor: 3, capMs: 5 }), 4)).toEqual([1, 3, 5, 5]);
  });

  test("returns a first delay above the cap once", () => {
    expect(delays(makeBackoff({ baseMs: 9, factor: 0.9, capMs: 5 }), 3)).toEqual([9, 5, 5]);
  });

  test("counts the steps from the beginning after a reset", async () => {
    const clock = new SimulatedClock();
    const backoff = makeBackoff({ baseMs: 1, factor: 2, steps: 1, resetMs: 100, clock });
    expect(delays(backoff, 3)).toEqual([1, 2, 2]);
    await clock.advance(101);
    expect(delays(backoff, 3)).toEqual([1, 2, 2]);
  });
});

describe("a delay", () => {
  test("grows in whole nanoseconds", () => {
    expect(growDelay(0.000_003, 1.5)).toBe(0.000_004);
    expect(growDelay(1000, 2 ** 1023, 5000)).toBe(5000);
  });

  test("is lengthened by a random share", () => {
    expect(jitterDelay(100, 0.5, () => 0.5)).toBe(125);
  });
});
