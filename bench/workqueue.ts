import { Controller } from "@listwatch/controller";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { DelayingQueue, FairOrdering, PriorityQueue, WorkQueue } from "@listwatch/workqueue";
import { fixed, nanosecondsPer, type Benchmark, type Suite } from "./framework/suite.ts";

/** Of a run of throughput. */
const itemCount = 200_000;
/** Of a queue that is very long. */
const million = 1_000_000;

/** Keys of 50 namespaces. */
const keys = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `namespace-${index % 50}/pod-${index}`);

export const suite: Suite = {
  name: "workqueue",
  benchmarks: () => [
    throughput("WorkQueue", () => new WorkQueue()),
    throughput("WorkQueue, fair", () => new WorkQueue({ ordering: new FairOrdering() })),
    throughput("PriorityQueue", () => new PriorityQueue()),
    workers(10),
    delays(),
    memory(),
    reconciles(10),
  ],
};

/** Bursts of 100 items of 10,000: each added, taken, done. */
function throughput(name: string, create: () => WorkQueue<string>): Benchmark {
  const items = keys(10_000);
  const sample = nanosecondsPer(itemCount, () => {
    const queue = create();
    return () => {
      for (let start = 0; start < itemCount; start += 100) {
        for (let index = start; index < start + 100; index += 1) {
          queue.add(items[index % items.length] ?? "");
        }
        for (let lease = queue.get(); ; lease = queue.get()) {
          if (lease instanceof Promise || lease === undefined) throw new Error("Nothing to do");
          lease.done();
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

/** What a controller adds to a reconcile that does nothing, with its default queue. */
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

/** What O(log n) means: a hundred times as many items. */
function delays(): Benchmark {
  const delayed = (count: number) => {
    const items = keys(count);
    return async (): Promise<number> => {
      const clock = new SimulatedClock();
      const queue = new DelayingQueue<string>({ clock });
      const startMs = performance.now();
      // 7919 is prime, so that the times come in no order.
      for (const [index, item] of items.entries()) {
        queue.addAfter(item, 1 + ((index * 7919) % 97));
      }
      await clock.advance(97);
      const nanoseconds = (performance.now() - startMs) * 1e6;
      if (queue.length !== count) throw new Error(`Expected ${count} items, got ${queue.length}`);
      return nanoseconds / count;
    };
  };
  return {
    name: "DelayingQueue addAfter, 1,000,000 items against 10,000",
    unit: "ns/item",
    yardstick: { name: "10,000", sample: delayed(10_000) },
    subject: { name: "1,000,000", sample: delayed(million) },
    rounds: 1,
  };
}

function memory(): Benchmark {
  const items = keys(million);
  return {
    name: "WorkQueue, an item that waits",
    unit: "bytes/item",
    yardstick: fixed("limit", 150),
    subject: {
      name: "WorkQueue",
      sample: () => {
        const queue = new WorkQueue<string>();
        // A look-up computes the hash of a string, which is kept in it and is no memory of the queue.
        for (const item of items) queue.done(item);
        const before = usedBytes();
        for (const item of items) queue.add(item);
        const used = usedBytes() - before;
        if (queue.length !== million) throw new Error("Items are missing");
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
  return process.memoryUsage().heapUsed;
}
