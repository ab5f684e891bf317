import { Backoff } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { Reflector } from "@listwatch/reflector";
import { defaultBehaviour } from "../../src/options/settings.ts";
import { describe, expect, test } from "vitest";

const unused = (): never => {
  throw new Error("unused");
};
const stubs = {
  listerWatcher: { list: unused, watch: unused },
  store: { add: unused, update: unused, delete: unused, replace: unused },
};

/** Returns the back-off of a reflector, which has other options where they are given. */
const makeBackoff = (options: Partial<ConstructorParameters<typeof Backoff>[0]>): Backoff =>
  new Backoff({
    ...defaultBehaviour.backoff,
    clock: new SimulatedClock(),
    random: () => 0,
    ...options,
  });

const delays = (backoff: Backoff, count: number): number[] =>
  Array.from({ length: count }, () => backoff.next());

describe("a back-off", () => {
  test("doubles from 0.8 s to 30 s, each times a random factor in [1, 2) (REF-7)", () => {
    const clock = new SimulatedClock();
    const least = [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
    expect(delays(makeBackoff({ clock, random: () => 0 }), 8)).toEqual(least);
    expect(delays(makeBackoff({ clock, random: () => 0.5 }), 8)).toEqual(
      least.map((delay) => delay * 1.5),
    );
  });

  test("accepts other numbers", () => {
    const backoff = makeBackoff({ baseMs: 10, factor: 3, capMs: 50, jitter: 0 });
    expect(delays(backoff, 4)).toEqual([10, 30, 50, 50]);
  });

  test("keeps its long delays through an outage, and resets after two quiet minutes (REF-8)", async () => {
    const clock = new SimulatedClock();
    const backoff = makeBackoff({ clock, jitter: 0 });
    for (const expected of [
      800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000,
    ]) {
      expect(backoff.next()).toBe(expected);
      await clock.advance(expected);
    }
    await clock.advance(120_000);
    expect(backoff.next()).toBe(30_000);
    await clock.advance(30_000 + 120_001);
    expect(backoff.next()).toBe(800);
  });

  test("resets every two minutes with client-go's rule (REF-8)", async () => {
    const clock = new SimulatedClock();
    const backoff = makeBackoff({ clock, jitter: 0, resetRule: "interval" });
    const seen: number[] = [];
    for (let index = 0; index < 9; index++) {
      const delay = backoff.next();
      seen.push(delay);
      await clock.advance(delay);
    }
    expect(seen).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
    await clock.advance(10_000);
    expect(backoff.next()).toBe(800);
  });

  test("is at least as long as the given minimum, which does not affect later delays", () => {
    const backoff = makeBackoff({ jitter: 0 });
    expect(backoff.next(10_000)).toBe(10_000);
    expect(backoff.next(1)).toBe(1600);
  });

  test("is at most as long as the given maximum, jitter included, which does not affect later delays", () => {
    for (const share of [0, 0.999]) {
      const backoff = makeBackoff({ random: () => share });
      const capped = Array.from({ length: 20 }, () => backoff.next(0, 3000));
      expect(Math.max(...capped)).toBeLessThan(3000);
      expect(capped.at(-1)).toBeGreaterThanOrEqual(1500);
      expect(backoff.next()).toBe(1600 * (1 + share));
    }
  });

  test.each([{ baseMs: -1 }, { factor: 0.5 }, { capMs: Number.NaN }, { jitter: -0.1 }])(
    "rejects %j",
    (options) => {
      const { store, listerWatcher } = stubs;
      const [name] = Object.keys(options);
      expect(() => new Reflector({ store, listerWatcher, retry: { backoff: options } })).toThrow(
        expect.objectContaining({ code: "LW_INVALID_OPTIONS", option: `retry.backoff.${name}` }),
      );
    },
  );
});
