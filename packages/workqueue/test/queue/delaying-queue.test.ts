import { describe, expect, test } from "vitest";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { PriorityOrdering, WorkQueue } from "@listwatch/workqueue";

function items<T>(queue: WorkQueue<T>): T[] {
  const taken: T[] = [];
  while (queue.length > 0) {
    const work = queue.get();
    if (work === undefined || work instanceof Promise) break;
    taken.push(work.item);
    work[Symbol.dispose]();
  }
  return taken;
}

describe("delays of a queue", () => {
  test("queues items in the order of their times, and of their adds for equal times (DQ-3)", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock });
    queue.addAfter("late", 30);
    queue.addAfter("first of two", 20);
    queue.addAfter("second of two", 20);
    queue.addAfter("early", 10);
    expect(queue.delayed).toBe(4);
    await clock.advance(30);
    expect(items(queue)).toEqual(["early", "first of two", "second of two", "late"]);
  });

  test("the earlier of two times applies (DQ-2), and a plain add cancels none (DQ-6)", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock });
    queue.addAfter("a", 100);
    queue.addAfter("a", 50);
    queue.addAfter("a", 200);
    queue.add("a");
    expect(items(queue)).toEqual(["a"]);
    await clock.advance(50);
    expect(items(queue)).toEqual(["a"]);
    await clock.advance(1000);
    expect(items(queue)).toEqual([]);
  });

  test("addAfter takes a priority, and adds at once without a delay", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock, ordering: new PriorityOrdering() });
    queue.addAfter("a", 10);
    queue.addAfter("b", 10, { priority: 1 });
    queue.addAfter("now", 0);
    expect(queue.delayed).toBe(2);
    expect(queue.priorityOf("b")).toBe(1);
    expect(items(queue)).toEqual(["now"]);
    await clock.advance(10);
    expect(items(queue)).toEqual(["b", "a"]);
  });

  test("one timer serves all items, and is cancelled when nothing is delayed", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<number>({ clock });
    for (let item = 0; item < 1000; item += 1) queue.addAfter(item, 1000 - item);
    expect(clock.pendingTimers).toBe(1);
    expect(clock.nextTimerMs).toBe(1);
    await clock.advance(1000);
    expect(queue.length).toBe(1000);
    expect(clock.pendingTimers).toBe(0);
  });

  test("a shutdown drops delayed items and their timer (DQ-6)", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock });
    queue.addAfter("a", 10);
    queue.shutDown();
    queue.addAfter("b", 10);
    expect(clock.pendingTimers).toBe(0);
    expect(queue.delayed).toBe(0);
  });

  test("keys of different types with the same string are different items", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string | number | boolean>({ clock });
    for (const item of ["1", 1, "true", true, "\0number 1"]) queue.addAfter(item, 5);
    await clock.advance(5);
    expect(queue.length).toBe(5);
  });
});

describe("rate limits of a queue", () => {
  test("retries later each time, until the item is forgotten", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock });
    queue.addRateLimited("a");
    await clock.advance(5);
    expect(items(queue)).toEqual(["a"]);
    queue.addRateLimited("a");
    await clock.advance(9);
    expect(items(queue)).toEqual([]);
    await clock.advance(1);
    expect(items(queue)).toEqual(["a"]);
    expect(queue.numRequeues("a")).toBe(2);
    queue.forget("a");
    expect(queue.numRequeues("a")).toBe(0);
  });

  test("the default limiter has no bucket over all items: the first failure of each item waits 5 ms", async () => {
    const clock = new SimulatedClock();
    const queue = new WorkQueue<number>({ clock });
    for (let item = 0; item < 1000; item += 1) queue.addRateLimited(item);
    await clock.advance(4);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1000);
  });

  test("a limiter identifies objects by their keys", () => {
    const queue = new WorkQueue<{ readonly name: string }>({
      clock: new SimulatedClock(),
      keyFunc: ({ name }) => name,
    });
    queue.addRateLimited({ name: "a" });
    expect(queue.numRequeues({ name: "a" })).toBe(1);
    queue.shutDown();
  });
});
