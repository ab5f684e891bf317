import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { sleep } from "@listwatch/core-fifo";
import { FairOrdering, PriorityOrdering, WorkQueue } from "@listwatch/workqueue";
import { takeNow } from "../support/take-now.ts";

const kinds: readonly ((clock: SimulatedClock) => WorkQueue<number>)[] = [
  (clock) => new WorkQueue<number>({ clock }),
  (clock) => new WorkQueue<number>({ clock, ordering: new FairOrdering({ tenantOf: String }) }),
  (clock) => new WorkQueue<number>({ clock, delays: "merged" }),
  (clock) => new WorkQueue<number>({ clock, ordering: new PriorityOrdering(), delays: "merged" }),
];

/** Times of the adds, and the duration of each processing of an item. */
const schedule = fc.record({
  kind: fc.constantFrom(...kinds),
  workers: fc.integer({ min: 1, max: 4 }),
  adds: fc.array(
    fc.record({ item: fc.nat(4), afterMs: fc.nat(5), isDelayed: fc.boolean(), delayMs: fc.nat(9) }),
    { maxLength: 40 },
  ),
  takesMs: fc.array(fc.nat(7), { minLength: 1, maxLength: 5 }),
});

describe("every work queue", () => {
  test("hands no item to two workers, and processes it after every add, also when drained (WQ-2)", async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async ({ kind, workers, adds, takesMs }) => {
        const clock = new SimulatedClock();
        const queue = kind(clock);
        /** A step counter instead of the clock: it orders events of one instant. */
        let step = 0;
        const lastAdd = new Map<number, number>();
        const lastBegin = new Map<number, number>();
        const inWork = new Set<number>();
        const begin = (item: number): void => {
          expect(inWork.has(item)).toBe(false);
          inWork.add(item);
          lastBegin.set(item, (step += 1));
        };
        const work = async (): Promise<void> => {
          for await (const item of queue) {
            begin(item);
            await sleep(takesMs[item % takesMs.length] ?? 0, { clock });
            inWork.delete(item);
          }
        };
        const running = Promise.all(Array.from({ length: workers }, work));
        for (const { item, afterMs, isDelayed, delayMs } of adds) {
          await clock.advance(afterMs);
          lastAdd.set(item, (step += 1));
          if (isDelayed) queue.addAfter(item, delayMs);
          else queue.add(item);
        }
        // The shutdown would drop an item that is delayed longer than this (DQ-6).
        await clock.advance(10);
        const drained = queue.shutDownWithDrain();
        await clock.advance(1000);
        await drained;
        await running;
        expect(inWork.size).toBe(0);
        expect(queue.length).toBe(0);
        for (const [item, added] of lastAdd) {
          expect(lastBegin.get(item) ?? 0).toBeGreaterThan(added);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a fair ordering takes at most one item of each other tenant between two of one", () => {
    const operation = fc.oneof(
      fc.record({ tenant: fc.nat(4), count: fc.integer({ min: 1, max: 6 }) }),
      fc.constant("pop" as const),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const queue = new WorkQueue<string>({ ordering: new FairOrdering() });
        const waiting = new Map<string, string[]>();
        /** By tenant with items: how often each other tenant was served since its last turn. */
        const served = new Map<string, Map<string, number>>();
        let sequence = 0;
        const pop = (): void => {
          const item = takeNow(queue);
          const name = item?.split("/")[0] ?? "";
          const items = waiting.get(name);
          // FIFO within the tenant.
          expect(item).toBe(items?.shift());
          if (item === undefined) return;
          served.delete(name);
          for (const [other, turns] of served) {
            if ((waiting.get(other)?.length ?? 0) === 0) continue;
            turns.set(name, (turns.get(name) ?? 0) + 1);
            expect(turns.get(name)).toBe(1);
          }
          if ((items?.length ?? 0) > 0) served.set(name, new Map());
        };
        for (const next of operations) {
          if (next === "pop") {
            pop();
            continue;
          }
          const name = `tenant-${next.tenant}`;
          const items = waiting.get(name) ?? [];
          waiting.set(name, items);
          if (items.length === 0) served.set(name, new Map());
          for (let index = 0; index < next.count; index += 1) {
            const item = `${name}/${(sequence += 1)}`;
            items.push(item);
            queue.add(item);
          }
        }
        while (queue.length > 0) pop();
        expect([...waiting.values()].flat()).toEqual([]);
      }),
    );
  });

  test("a priority queue behaves like a list that is sorted for every take", async () => {
    const item = fc.nat(60);
    const priority = fc.integer({ min: -2, max: 2 });
    const operation = fc.oneof(
      { weight: 4, arbitrary: fc.record({ type: fc.constant("add" as const), item, priority }) },
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant("delay" as const),
          item,
          priority,
          delayMs: fc.nat(20),
        }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("take" as const) }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.nat(9) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 200, size: "max" }), async (operations) => {
        const clock = new SimulatedClock();
        const queue = new WorkQueue<number>({
          clock,
          ordering: new PriorityOrdering(),
          delays: "merged",
        });
        const model = new SortedList();
        /** Each taken item with the expected one. */
        const taken: [number | undefined, number | undefined][] = [];
        for (const next of operations) {
          if (next.type === "add") {
            queue.add(next.item, { priority: next.priority });
            model.add(next.item, next.priority);
          } else if (next.type === "delay") {
            queue.addAfter(next.item, next.delayMs, { priority: next.priority });
            model.delay(next.item, next.priority, clock.now() + next.delayMs, clock.now());
          } else if (next.type === "wait") {
            await clock.advance(next.ms);
            model.release(clock.now());
          } else if (queue.length > 0) {
            using work = await queue.get();
            taken.push([work?.item, model.take()]);
          }
          expect([queue.length, queue.delayed]).toEqual([
            model.waiting.length,
            model.delayed.length,
          ]);
        }
        await clock.advance(20);
        model.release(clock.now());
        queue.shutDown();
        for await (const got of queue) taken.push([got, model.take()]);
        expect(taken.map(([got]) => got)).toEqual(taken.map(([, expected]) => expected));
        expect(model.waiting).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

interface Listed {
  readonly item: number;
  priority: number;
  dueMs: number;
}

class SortedList {
  readonly waiting: Listed[] = [];
  readonly delayed: Listed[] = [];

  add(item: number, priority: number): void {
    const index = this.delayed.findIndex((listed) => listed.item === item);
    const [delayed] = index < 0 ? [] : this.delayed.splice(index, 1);
    const highest = Math.max(priority, delayed?.priority ?? priority);
    const present = this.waiting.find((listed) => listed.item === item);
    if (present === undefined) this.waiting.push({ item, priority: highest, dueMs: 0 });
    else present.priority = Math.max(present.priority, highest);
  }

  delay(item: number, priority: number, dueMs: number, now: number): void {
    const present = this.delayed.find((listed) => listed.item === item);
    if (dueMs <= now || this.waiting.some((listed) => listed.item === item)) {
      this.add(item, priority);
    } else if (present === undefined) {
      this.delayed.push({ item, priority, dueMs });
    } else {
      present.priority = Math.max(present.priority, priority);
      present.dueMs = Math.min(present.dueMs, dueMs);
    }
  }

  release(now: number): void {
    const due = this.delayed.filter(({ dueMs }) => dueMs <= now);
    for (const { item, priority } of due.toSorted((a, b) => a.dueMs - b.dueMs)) {
      this.add(item, priority);
    }
  }

  take(): number | undefined {
    const [first] = this.waiting.toSorted((a, b) => b.priority - a.priority);
    if (first !== undefined) this.waiting.splice(this.waiting.indexOf(first), 1);
    return first?.item;
  }
}
