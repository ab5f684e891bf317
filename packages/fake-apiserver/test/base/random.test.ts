import { describe, expect, it } from "vitest";
import {
  randomFraction,
  randomNameSuffix,
  randomUuid,
  seededRandom,
  unpredictableSeed,
} from "../../src/base/random.ts";

describe("seededRandom", () => {
  it("gives the same numbers for the same seed, on every runtime", () => {
    const random = seededRandom(42);
    const numbers = [random.uint32(), random.uint32(), random.uint32()];
    expect(numbers).toEqual([615_581_158, 4_225_092_749, 876_415_344]);
  });

  it("gives other numbers for close seeds", () => {
    const first = new Set(Array.from({ length: 100 }, (_, seed) => seededRandom(seed).uint32()));
    expect(first.size).toBe(100);
  });

  it("spreads its numbers evenly", () => {
    const random = seededRandom("even");
    let sum = 0;
    for (let index = 0; index < 10_000; index++) sum += randomFraction(random);
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
  });
});

describe("random texts", () => {
  it("are version 4 UUIDs", () => {
    const random = seededRandom(1);
    const uuids = Array.from({ length: 200 }, () => randomUuid(random));
    for (const uuid of uuids) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(uuids).size).toBe(200);
  });

  it("are five characters without vowels for generated names (api-server §1.11)", () => {
    const random = seededRandom(1);
    for (let index = 0; index < 200; index++) {
      expect(randomNameSuffix(random)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    }
  });

  it("are different seeds when nobody gives one", () => {
    expect(unpredictableSeed()).not.toBe(unpredictableSeed());
  });
});
