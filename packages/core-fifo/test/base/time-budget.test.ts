import { describe, expect, test } from "vitest";
import { BatchBudget, TimeBudget, type Clock } from "@listwatch/core-fifo/base";

/** A clock on which work takes the time that the test sets. */
class WorkClock implements Clock {
  nowMs = 0;
  turns = 0;
  looks = 0;

  now(): number {
    this.looks += 1;
    return this.nowMs;
  }

  setTimeout(): never {
    throw new Error("A budget needs no timer");
  }

  nextTurn(): Promise<void> {
    this.turns += 1;
    return Promise.resolve();
  }
}

describe("TimeBudget", () => {
  test("is used up after 8 ms, and renewed by a turn", async () => {
    const clock = new WorkClock();
    const budget = new TimeBudget({ clock });
    clock.nowMs = 7.9;
    expect(budget.isSpent()).toBe(false);
    clock.nowMs = 8;
    expect(budget.isSpent()).toBe(true);
    expect(budget.isSpent(7.9)).toBe(false);
    await budget.nextTurn();
    expect(clock.turns).toBe(1);
    expect(budget.isSpent()).toBe(false);
  });

  test("does not count waiting time (LAT-3)", () => {
    const clock = new WorkClock();
    const budget = new BatchBudget({ clock });
    clock.nowMs = 5;
    budget.beginWait();
    clock.nowMs = 1005;
    budget.endWait();
    expect(budget.isSpent()).toBe(false);
    clock.nowMs = 1008;
    expect(budget.isSpent()).toBe(true);
  });

  test("reads the clock once per group of items", () => {
    const clock = new WorkClock();
    const budget = new TimeBudget({ clock, itemsPerLook: 32 });
    clock.nowMs = 100;
    const { looks } = clock;
    for (let item = 1; item < 32; item += 1) expect(budget.count()).toBe(false);
    expect(clock.looks).toBe(looks);
    expect(budget.count()).toBe(true);
    expect(clock.looks).toBe(looks + 1);
  });

  test("sizes a batch by the cost of the last one and the remaining time", async () => {
    const clock = new WorkClock();
    const budget = new BatchBudget({ clock, limitMs: 10, maxItems: 1000 });
    expect(budget.batchSize).toBe(1000);
    budget.beginBatch();
    clock.nowMs = 4;
    expect(budget.endBatch(40)).toBe(false);
    expect(budget.batchSize).toBe(60);
    budget.beginBatch();
    clock.nowMs = 8;
    expect(budget.endBatch(40)).toBe(true);
    await budget.nextTurn();
    expect(budget.batchSize).toBe(100);
    budget.beginBatch();
    clock.nowMs = 108;
    expect(budget.endBatch(1)).toBe(true);
    expect(budget.batchSize).toBe(1);
  });

  test("shared budgets of one clock divide the time among those in use", () => {
    const clock = new WorkClock();
    const [a, b, other] = [
      new TimeBudget({ clock, isShared: true }),
      new TimeBudget({ clock, isShared: true }),
      new TimeBudget({ clock: new WorkClock(), isShared: true }),
    ];
    for (const budget of [a, b, other]) budget.enter();
    a.enter();
    for (const budget of [a, b, other]) budget.restart();
    expect([a, b, other].map((budget) => budget.isSpent(4))).toEqual([true, true, false]);
    b.leave();
    b.leave();
    a.restart();
    expect(a.isSpent(7.9)).toBe(false);
  });
});
