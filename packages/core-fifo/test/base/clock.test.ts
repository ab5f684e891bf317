import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sleep, systemClock } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

describe("systemClock", () => {
  test("never goes backwards and counts from 1970", () => {
    const before = systemClock.now();
    const after = systemClock.now();
    expect(after).toBeGreaterThanOrEqual(before);
    // They differ by the time that the machine slept since the process began.
    expect(Math.abs(after - Date.now())).toBeLessThan(86_400_000);
  });

  test("nextTurn resolves after all microtasks, and lets timers fire", async () => {
    let steps = 0;
    const microtasks = (async () => {
      for (; steps < 500; steps += 1) await Promise.resolve();
    })();
    await systemClock.nextTurn();
    expect(steps).toBe(500);
    await microtasks;
    const fired: number[] = [];
    systemClock.setTimeout(() => fired.push(systemClock.now()), 1);
    while (fired.length === 0) await systemClock.nextTurn();
    expect(fired).toHaveLength(1);
  });

  test("turns requested together resolve together, in order", async () => {
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((n) => systemClock.nextTurn().then(() => order.push(n))));
    expect(order).toEqual([1, 2, 3]);
  });

  test("nextTurn needs no timer that a test has replaced", async () => {
    vi.useFakeTimers({ toFake: ["setImmediate"] });
    onTestFinished(() => void vi.useRealTimers());
    await expect(systemClock.nextTurn()).resolves.toBeUndefined();
  });

  test("a cancelled timer does not fire", async () => {
    let hasFired = false;
    const timer = systemClock.setTimeout(() => (hasFired = true), 0);
    timer.cancel();
    await sleep(2);
    expect(hasFired).toBe(false);
  });
});

describe("sleep", () => {
  test("resolves after the delay", async () => {
    const clock = new SimulatedClock();
    let awake = false;
    const slept = sleep(10, { clock }).then(() => (awake = true));
    await clock.advance(9);
    expect(awake).toBe(false);
    await clock.advance(1);
    await slept;
    expect(awake).toBe(true);
  });

  test("rejects with the signal's reason when it is aborted, and leaves no timer behind", async () => {
    const clock = new SimulatedClock();
    const controller = new AbortController();
    const slept = sleep(10, { clock, signal: controller.signal });
    expect(clock.pendingTimers).toBe(1);
    controller.abort(new Error("enough"));
    await expect(slept).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(0);
    await expect(sleep(10, { clock, signal: controller.signal })).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(0);
  });
});
