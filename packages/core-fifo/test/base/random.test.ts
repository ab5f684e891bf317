import { describe, expect, test } from "vitest";
import { systemRandom } from "@listwatch/core-fifo/base";
import { seededRandom } from "@listwatch/core-fifo/testing";

const take = (random: () => number, count: number): number[] =>
  Array.from({ length: count }, random);

describe("seededRandom", () => {
  test("returns the same numbers for the same seed, on every runtime", () => {
    expect(take(seededRandom(1), 3).map((value) => value.toFixed(12))).toEqual([
      "0.627073940588",
      "0.002735721180",
      "0.527447039960",
    ]);
    expect(take(seededRandom(7), 100)).toEqual(take(seededRandom(7), 100));
    expect(take(seededRandom(7), 100)).not.toEqual(take(seededRandom(8), 100));
  });

  test("spreads evenly over [0, 1), also for neighbouring seeds", () => {
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let seed = 0; seed < 100; seed += 1) {
      for (const value of take(seededRandom(seed), 100)) {
        const bucket = Math.floor(value * 10);
        buckets[bucket] = (buckets[bucket] ?? Number.NaN) + 1;
      }
    }
    // 10,000 values: 1,000 each with a standard deviation of 30. The limit is six deviations.
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(180);
  });
});

describe("systemRandom", () => {
  test("stays within [0, 1)", () => {
    for (const value of take(systemRandom, 1000)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
    }
  });
});
