import { Controller } from "@listwatch/controller";
import type { Clock, Timer } from "@listwatch/core-fifo";
import { FairOrdering, PriorityOrdering, WorkQueue } from "@listwatch/workqueue";
import { fixed, nanosecondsPer, type Benchmark, type Suite } from "./framework/suite.ts";

/** Items in a throughput run. */
const itemCount = 200_000;
/** Items in a very long queue. */
const million = 1_000_000;

/** Keys in 50 namespaces. */
const keys = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `namespace-${index % 50}/pod-${index}`);

export const suite: Suite = {
  name: "workqueue",
  benchmarks: () => [
    throughput("WorkQueue", () => new WorkQueue()),
    throughput("WorkQueue, fair", () => new WorkQueue({ ordering: new FairOrdering() })),
    throughput("WorkQueue, priorities", createPriorityQueue),
    workers(10),
    ...delays(),
    memory(
      "WorkQueue, an item that waits",
      () => new WorkQueue<string>(),
      (queue, item) => queue.add(item),
    ),
    memory(
      "WorkQueue, an item that is delayed",
      () => new WorkQueue<string>(),
      (queue, item) => queue.addAfter(item, 1e6 + item.length),
    ),
    memory("WorkQueue, an item that waits by priority", createPriorityQueue, (queue, item) =>
      queue.add(item),
    ),
    reconciles(10),
  ],
};

/** A queue as in a controller. */
function createPriorityQueue(): WorkQueue<string> {
  return new WorkQueue({ ordering: new PriorityOrdering(), delays: "merged" });
}

/** Bursts of 100 out of 10,000 items: each added, taken, done. */
function throughput(name: string, create: () => WorkQueue<string>): Benchmark {
  const items = keys(10_000);
  const sample = nanosecondsPer(itemCount, () => {
    const queue = create();
    return () => {
      for (let start = 0; start < itemCount; start += 100) {
        for (let index = start; index < start + 100; index += 1) {
          queue.add(items[index % items.length] ?? "");
        }
        for (let work = queue.get(); ; work = queue.get()) {
          if (work instanceof Promise || work === undefined) throw new Error("Nothing to do");
          queue.done(work.item);
          if (queue.length === 0) break;
        }
      }
    };
  });
  return {
    name: `${name} add+get+done`,
    unit: "ns/item",
    yardstick: fixed("2 M/s", 500),
    subject: { name, sample },
    goal: 1,
  };
}

function workers(count: number): Benchmark {
  const items = keys(100_000);
  const sample = nanosecondsPer(items.length, () => async () => {
    const queue = new WorkQueue<string>();
    let done = 0;
    const work = async (): Promise<void> => {
      for await (const _ of queue) done += 1;
    };
    const running = Promise.all(Array.from({ length: count }, work));
    for (const item of items) queue.add(item);
    await queue.shutDownWithDrain();
    await running;
    if (done !== items.length) throw new Error(`Expected ${items.length} items, got ${done}`);
  });
  return {
    name: `100,000 keys through ${count} workers`,
    unit: "ns/item",
    yardstick: fixed("5 µs", 5000),
    subject: { name: "for await", sample },
    goal: 1,
  };
}

/** The overhead of a controller with its default queue for an empty reconcile. */
function reconciles(count: number): Benchmark {
  const items = keys(100_000);
  const sample = nanosecondsPer(items.length, () => async () => {
    const stop = new AbortController();
    let reconciled = 0;
    const controller = new Controller({
      workers: count,
      reconcile: async () => {
        reconciled += 1;
        if (reconciled === items.length) stop.abort();
      },
    });
    for (const item of items) controller.queue.add(item);
    await controller.run(stop.signal);
  });
  return {
    name: `100,000 reconciles by ${count} workers`,
    unit: "ns/reconcile",
    yardstick: fixed("5 µs", 5000),
    subject: { name: "Controller", sample },
    goal: 1,
  };
}

/**
 * A million delayed items that come due in random order. O(log n) allows each to cost log 1,000,000
 * / log 10,000 = 1.5 times as much as with 10,000. In addition memory gets slower the more of it is
 * used, as for a `Map`, which is O(1).
 */
function delays(): readonly Benchmark[] {
  const items = keys(million);
  // 7919 is prime, so that the times are in no order.
  const rankOf = (index: number, count: number): number => (index * 7919) % count;
  /** Always the same number of items, so that the compiler has seen as much. */
  const inRuns = (count: number, run: (start: number) => void) => (): number => {
    const startMs = performance.now();
    for (let start = 0; start < million; start += count) run(start);
    return ((performance.now() - startMs) * 1e6) / million;
  };
  const queue = (count: number) =>
    inRuns(count, (start) => {
      const clock = new LeapingClock();
      const delaying = new WorkQueue<string>({ clock });
      for (let index = 0; index < count; index += 1) {
        delaying.addAfter(items[start + index] ?? "", 1 + rankOf(index, count));
      }
      clock.leap(count);
      if (delaying.length !== count)
        throw new Error(`Expected ${count} items, got ${delaying.length}`);
    });
  /** The cost of two indexes alone: of delayed and of waiting items. */
  const maps = (count: number) =>
    inRuns(count, (start) => {
      const delayed = new Map<string, object>();
      const waiting = new Map<string, object>();
      for (let index = 0; index < count; index += 1) {
        delayed.set(items[start + index] ?? "", { index });
      }
      for (let index = 0; index < count; index += 1) {
        const key = items[start + rankOf(index, count)] ?? "";
        const item = delayed.get(key);
        delayed.delete(key);
        waiting.set(key, { item });
      }
      if (waiting.size !== count) throw new Error(`Expected ${count} items, got ${waiting.size}`);
    });
  const subject = { name: "WorkQueue", sample: queue(million) };
  return [
    {
      name: "1,000,000 delayed items against 10,000",
      unit: "ns/item",
      yardstick: { name: "10,000", sample: queue(10_000) },
      subject,
      rounds: 3,
    },
    {
      name: "1,000,000 delayed items against two maps of them",
      unit: "ns/item",
      yardstick: { name: "Map", sample: maps(million) },
      subject,
      rounds: 3,
      goal: 1 / 3,
    },
  ];
}

/** Jumps to the end in one step, when everything is due: this measures the queue, not its timer. */
class LeapingClock implements Clock {
  #now = 0;
  readonly #callbacks = new Set<() => void>();

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void): Timer {
    this.#callbacks.add(callback);
    return { cancel: () => this.#callbacks.delete(callback) };
  }

  async nextTurn(): Promise<void> {}

  leap(ms: number): void {
    this.#now += ms;
    for (const callback of this.#callbacks) callback();
  }
}

function memory(
  name: string,
  create: () => WorkQueue<string>,
  add: (queue: WorkQueue<string>, item: string) => void,
): Benchmark {
  const items = keys(million);
  return {
    name,
    unit: "bytes/item",
    yardstick: fixed("limit", 150),
    subject: {
      name: "WorkQueue",
      sample: () => {
        const queue = create();
        // A look-up computes the hash of a string, which is stored in it and does not belong to the
        // queue's memory.
        for (const item of items) queue.done(item);
        const before = usedBytes();
        for (const item of items) add(queue, item);
        const used = usedBytes() - before;
        const count = queue.length + queue.delayed;
        queue.shutDown();
        if (count !== million) throw new Error("Items are missing");
        return used / million;
      },
    },
    rounds: 3,
    goal: 1,
  };
}

function usedBytes(): number {
  const collectGarbage: unknown = Reflect.get(globalThis, "gc");
  if (typeof collectGarbage === "function") collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
