import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { RetryWithDeadline } from "../../src/services/retry.ts";

describe("retries with a deadline (REF-41)", () => {
  test("never happen without a time limit", () => {
    expect(new RetryWithDeadline(0, new SimulatedClock()).shouldRetry()).toBe(false);
  });

  test("happen until the deadline after the first failure, and restart after that", async () => {
    const clock = new SimulatedClock();
    const retries = new RetryWithDeadline(30_000, clock);
    expect(retries.shouldRetry()).toBe(true);
    await clock.advance(30_000);
    expect(retries.shouldRetry()).toBe(true);
    await clock.advance(1);
    expect(retries.shouldRetry()).toBe(false);
    expect(retries.shouldRetry()).toBe(true);
  });

  test("ignore failures from more than a minute ago", async () => {
    const clock = new SimulatedClock();
    const retries = new RetryWithDeadline(30_000, clock);
    expect(retries.shouldRetry()).toBe(true);
    await clock.advance(60_000);
    expect(retries.shouldRetry()).toBe(true);
    await clock.advance(30_000);
    expect(retries.shouldRetry()).toBe(true);
  });
});
