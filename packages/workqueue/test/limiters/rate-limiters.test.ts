import { describe, expect, test } from "vitest";
import { InvalidOptionsError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  DelaySequence,
  ItemExponentialFailureRateLimiter,
  KeyedBackoff,
  MaxOfRateLimiter,
} from "@listwatch/workqueue";

describe("limiters", () => {
  test("reject options that result in no valid delay", () => {
    const clock = new SimulatedClock();
    expect(() => new ItemExponentialFailureRateLimiter({ baseMs: -1, maxMs: 1 })).toThrow(
      InvalidOptionsError,
    );
    expect(() => new BucketRateLimiter({ qps: 0, burst: 1, clock })).toThrow(InvalidOptionsError);
    expect(() => new BucketRateLimiter({ qps: 1, burst: 0, clock })).toThrow(InvalidOptionsError);
  });

  test("an exponential delay stays finite after any number of failures", () => {
    const limiter = new ItemExponentialFailureRateLimiter({ baseMs: 0, maxMs: 1000 });
    const delays = Array.from({ length: 1100 }, () => limiter.when("a"));
    expect(delays.every((delayMs) => delayMs === 0)).toBe(true);
    expect(limiter.numRequeues("a")).toBe(1100);
  });

  test("the default waits 5 ms to 1000 s per item, independently of other items", () => {
    const limiter = defaultControllerRateLimiter();
    for (let item = 0; item < 1000; item += 1) expect(limiter.when(item)).toBe(5);
    const delays = Array.from({ length: 20 }, () => limiter.when("a"));
    expect(delays.slice(0, 3)).toEqual([5, 10, 20]);
    expect(delays.slice(17)).toEqual([655_360, 1_000_000, 1_000_000]);
  });

  test("with a bucket, retries are limited over all items after a burst of 100 (RL-2)", () => {
    const clock = new SimulatedClock();
    const bucket = new BucketRateLimiter({ qps: 10, burst: 100, clock });
    const limiter = new MaxOfRateLimiter([defaultControllerRateLimiter(), bucket]);
    const delays = Array.from({ length: 102 }, (_, index) => limiter.when(index));
    expect(delays[99]).toBe(5);
    expect(delays[100]).toBeCloseTo(100);
    expect(delays[101]).toBeCloseTo(200);
  });
});

describe("DelaySequence", () => {
  test("applies jitter and starts over after the interval", async () => {
    const clock = new SimulatedClock();
    const delays = new DelaySequence({
      durationMs: 100,
      factor: 2,
      jitter: 0.5,
      resetMs: 1000,
      clock,
      random: () => 0.5,
    });
    expect([delays.next(), delays.next()]).toEqual([125, 250]);
    await clock.advance(1001);
    expect(delays.next()).toBe(125);
  });

  test("truncates every delay to nanoseconds before computing the next from it (REF-7)", () => {
    const delays = new DelaySequence({ durationMs: 1, factor: 1.5 });
    const ns = Array.from({ length: 9 }, () => Math.round(delays.next() * 1e6));
    // Results of apimachinery's wait.Backoff; 1.5 ** 8 ms are 25,628,906.25 ns.
    expect(ns).toEqual([
      1_000_000, 1_500_000, 2_250_000, 3_375_000, 5_062_500, 7_593_750, 11_390_625, 17_085_937,
      25_628_905,
    ]);
  });
});

describe("KeyedBackoff", () => {
  test("doubles per key, and forgets a key after a quiet time", async () => {
    const clock = new SimulatedClock();
    const backoff = new KeyedBackoff({ initialMs: 1000, maxMs: 4000, clock });
    for (const expected of [1000, 2000, 4000, 4000]) {
      backoff.next("a");
      expect(backoff.get("a")).toBe(expected);
    }
    expect(backoff.isInBackoffSinceUpdate("a", clock.now())).toBe(true);
    await clock.advance(8001);
    backoff.collectGarbage();
    expect(backoff.get("a")).toBe(0);
    expect(backoff.isInBackoffSince("a", clock.now())).toBe(false);
  });
});
