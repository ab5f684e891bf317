import { describe, expect, test } from "vitest";
import { randomNameSuffix, randomUuid, seededStream } from "../../src/base/random-text.ts";

describe("seededStream", () => {
  test("returns the same numbers for the same seed and purpose, on every runtime", () => {
    const random = seededStream(42, "names");
    const numbers = [random(), random(), random()].map((value) => value * 2 ** 32);
    expect(numbers).toEqual([905_626_931, 124_755_024, 3_285_330_270]);
  });

  test("returns other numbers for close seeds and other purposes", () => {
    const first = new Set(Array.from({ length: 100 }, (_, seed) => seededStream(seed, "a")()));
    expect(first.size).toBe(100);
    expect(seededStream(1, "a")()).not.toBe(seededStream(1, "b")());
  });

  test("spreads its numbers evenly", () => {
    const random = seededStream("even", "");
    let sum = 0;
    for (let index = 0; index < 10_000; index++) sum += random();
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
  });
});

describe("random strings", () => {
  test("are version 4 UUIDs", () => {
    const random = seededStream(1, "uuids");
    const uuids = Array.from({ length: 200 }, () => randomUuid(random));
    for (const uuid of uuids) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(uuids).size).toBe(200);
  });

  test("are five characters without vowels for generated names (API-1.11)", () => {
    const random = seededStream(1, "names");
    for (let index = 0; index < 200; index++) {
      expect(randomNameSuffix(random)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    }
  });
});
