import { describe, expect, test } from "vitest";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  lowPriority,
  PriorityOrdering,
  WorkQueue,
  type WorkQueueOptions,
} from "@listwatch/workqueue";

function createQueue(options: WorkQueueOptions<string> = {}): WorkQueue<string> {
  return new WorkQueue({ ...options, ordering: new PriorityOrdering(), delays: "merged" });
}

function next(queue: WorkQueue<string>): string | undefined {
  const work = queue.get();
  if (work instanceof Promise) return undefined;
  work?.[Symbol.dispose]();
  return work?.item;
}

describe("a queue with priorities and delays", () => {
  test("a change overtakes the initial list", () => {
    const queue = createQueue();
    for (const item of ["a", "b"]) queue.add(item, { priority: lowPriority });
    queue.add("changed");
    expect([next(queue), next(queue), next(queue)]).toEqual(["changed", "a", "b"]);
  });

  test("an add raises the priority of a waiting item and never lowers it", () => {
    const queue = createQueue();
    queue.add("a", { priority: lowPriority });
    queue.add("b");
    queue.add("a", { priority: 1 });
    queue.add("a", { priority: lowPriority });
    expect(queue.priorityOf("a")).toBe(1);
    expect([next(queue), next(queue)]).toEqual(["a", "b"]);
    expect(queue.priorityOf("a")).toBeUndefined();
  });

  test("an item added again while processed waits with the highest priority of those adds", async () => {
    const queue = createQueue();
    queue.add("a", { priority: 5 });
    const work = await queue.get();
    expect(queue.priorityOf("a")).toBe(5);
    queue.add("a", { priority: lowPriority });
    queue.add("a", { priority: -1 });
    queue.add("b");
    work?.[Symbol.dispose]();
    expect(queue.priorityOf("a")).toBe(-1);
    expect([next(queue), next(queue)]).toEqual(["b", "a"]);
  });

  test("a delayed item keeps its priority, and an add ends the delay", async () => {
    const clock = new SimulatedClock();
    const queue = createQueue({ clock });
    queue.addAfter("a", 10, { priority: 3 });
    queue.addAfter("b", 10, { priority: 4 });
    queue.add("b", { priority: lowPriority });
    expect(clock.pendingTimers).toBe(1);
    expect(queue.length).toBe(1);
    await clock.advance(10);
    expect([next(queue), next(queue)]).toEqual(["b", "a"]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("delaying a waiting item only raises its priority", () => {
    const clock = new SimulatedClock();
    const queue = createQueue({ clock });
    queue.add("a");
    queue.add("b");
    queue.addRateLimited("b", { priority: 1 });
    expect(queue.delayed).toBe(0);
    expect(next(queue)).toBe("b");
    expect(queue.numRequeues("b")).toBe(1);
  });

  test("keeps the order of a long list whose items are mostly raised, taken and added again", () => {
    const queue = createQueue();
    const items = Array.from({ length: 400 }, (_, index) => `item-${index}`);
    const isRaised = (_: string, index: number): boolean => index % 5 > 0;
    const raised = items.filter(isRaised);
    const others = items.filter((item) => !raised.includes(item));
    for (const item of items) queue.add(item, { priority: lowPriority });
    for (const item of raised) queue.add(item);
    expect(raised.map(() => next(queue))).toEqual(raised);
    for (const item of raised) queue.add(item, { priority: lowPriority });
    // Some items that stayed in the queue, and some that were added again.
    const urgent = [others[7], others[40], raised[3], raised[200]];
    for (const item of urgent) queue.add(item ?? "", { priority: 1 });
    const rest = [...others, ...raised].filter((item) => !urgent.includes(item));
    expect(items.map(() => next(queue))).toEqual([...urgent, ...rest]);
    expect(queue.length).toBe(0);
  });

  test("accepts any number as a priority, and a work item carries the one it left with", async () => {
    const queue = createQueue();
    const priorities = [-Infinity, -1e9, 0.5, 2 ** 60, Infinity];
    for (const priority of priorities) queue.add(String(priority), { priority });
    const left: (readonly [string | undefined, number | undefined])[] = [];
    for (const _ of priorities) {
      using work = await queue.get();
      left.push([work?.item, work?.priority]);
    }
    expect(left).toEqual(priorities.toReversed().map((value) => [String(value), value]));
  });

  test.each([Number.NaN, "5", null])("%s is not a priority, and adds nothing", (value) => {
    const queue = createQueue();
    queue.add("a");
    const options: { readonly priority: number } = JSON.parse('{"priority":0}');
    Object.assign(options, { priority: value });
    const message = /Cannot use the option priority: expected a number, got/;
    expect(() => queue.add("b", options)).toThrow(message);
    expect(() => queue.add("a", options)).toThrow(message);
    expect(() => queue.addAfter("b", 10, options)).toThrow(message);
    expect(() => queue.addRateLimited("b", options)).toThrow(message);
    expect([queue.length, queue.delayed, queue.numRequeues("b")]).toEqual([1, 0, 0]);
  });

  test("a delay of NaN adds nothing", () => {
    const queue = createQueue();
    const message = /expected a number of milliseconds, got the number NaN/;
    expect(() => queue.addAfter("a", Number.NaN)).toThrow(message);
    expect([queue.length, queue.delayed]).toEqual([0, 0]);
  });

  test("adds are ignored after the shutdown", () => {
    const queue = createQueue();
    queue.shutDown();
    queue.add("a");
    queue.addAfter("a", 1);
    expect(queue.priorityOf("a")).toBeUndefined();
    expect(queue.delayed).toBe(0);
  });
});
