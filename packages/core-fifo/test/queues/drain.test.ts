import { describe, expect, test } from "vitest";
import { drain, RealFIFO, type Clock, type Deltas } from "@listwatch/core-fifo";

/** A clock on which work takes the time the test says. */
class WorkClock implements Clock {
  turns = 0;
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  work(ms: number): void {
    this.#nowMs += ms;
  }

  setTimeout(): never {
    throw new Error("drain needs no timer");
  }

  nextTurn(): Promise<void> {
    this.turns += 1;
    return Promise.resolve();
  }
}

const queueOf = (count: number): RealFIFO<string> => {
  const queue = new RealFIFO<string>({ keyFunc: (name) => name });
  for (let index = 0; index < count; index += 1) queue.add(`object-${index}`);
  queue.close();
  return queue;
};

describe("drain", () => {
  test("processes everything in order, in batches of at most 1000, until the queue is closed and empty", async () => {
    const sizes: number[] = [];
    const clock = new WorkClock();
    await drain(queueOf(2501), {
      clock,
      processBatch: (deltas) => void sizes.push(deltas.length),
      processSingle: (deltas) => void sizes.push(deltas.length),
    });
    expect(sizes).toEqual([1000, 1000, 501]);
    expect(clock.turns).toBe(0);
  });

  test("a slice never exceeds its budget once the cost of a key is known", async () => {
    const clock = new WorkClock();
    const slices: number[] = [];
    let turns = -1;
    await drain(queueOf(3000), {
      clock,
      budgetMs: 8,
      processBatch: (deltas) => {
        if (clock.turns > turns) slices.push(0);
        turns = clock.turns;
        clock.work(deltas.length * 0.02);
        slices[slices.length - 1] = (slices.at(-1) ?? 0) + deltas.length * 0.02;
      },
      processSingle: () => {},
    });
    // The first batch is taken blind: 1000 keys at 20 µs.
    const [first, ...others] = slices;
    expect(first).toBeCloseTo(20);
    expect(others.length).toBeGreaterThan(4);
    for (const slice of others.slice(0, -1)) {
      expect(slice).toBeGreaterThan(6);
      expect(slice).toBeLessThan(8.0001);
    }
  });

  test("goes on with the next write after it had to wait", async () => {
    const queue = new RealFIFO<string>({ keyFunc: (name) => name });
    const seen: (string | undefined)[] = [];
    const take = (deltas: Deltas<string>): void => {
      for (const delta of deltas) seen.push("key" in delta ? delta.key : undefined);
    };
    const drained = drain(queue, { processBatch: take, processSingle: take });
    queue.add("a");
    await Promise.resolve();
    queue.add("b");
    queue.add("c");
    queue.close();
    await drained;
    expect(seen).toEqual(["a", "b", "c"]);
  });

  test("ends without an error when it is aborted, and leaves the rest in the queue", async () => {
    const controller = new AbortController();
    const waiting = drain(new RealFIFO<string>({ keyFunc: (name) => name }), {
      processBatch: () => {},
      processSingle: () => {},
      signal: controller.signal,
    });
    const queue = queueOf(1500);
    const working = drain(queue, {
      processBatch: () => controller.abort(),
      processSingle: () => {},
      signal: controller.signal,
    });
    await expect(waiting).resolves.toBeUndefined();
    await expect(working).resolves.toBeUndefined();
    expect(queue.length).toBe(500);
  });

  test("fails with what a processor throws, and the next call goes on", async () => {
    const queue = queueOf(1001);
    const failing = (): void => {
      throw new Error("broken");
    };
    await expect(drain(queue, { processBatch: failing, processSingle: failing })).rejects.toThrow(
      "broken",
    );
    const seen: number[] = [];
    const count = (deltas: readonly unknown[]): void => void seen.push(deltas.length);
    await drain(queue, { processBatch: count, processSingle: count });
    expect(seen).toEqual([1]);
  });
});
