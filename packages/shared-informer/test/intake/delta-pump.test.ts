import { RealFIFO, type Clock, type PoppedDeltas } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { pumpDeltas } from "../../src/intake/delta-pump.ts";

/** A clock on which work takes the time that the test sets. */
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
    throw new Error("A pump needs no timer");
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

/** Wraps `apply` so that it returns nothing. */
function pump(
  queue: RealFIFO<string>,
  apply: (deltas: PoppedDeltas<string>["deltas"]) => void,
  { clock = new WorkClock(), signal = new AbortController().signal } = {},
): Promise<void> {
  return pumpDeltas(
    queue,
    ({ deltas }) => {
      apply(deltas);
      return undefined;
    },
    { clock, signal },
  );
}

describe("pumpDeltas", () => {
  test("applies everything in order, in batches of at most 1000, until the queue is closed and empty (CTL-4)", async () => {
    const sizes: number[] = [];
    const clock = new WorkClock();
    await pump(queueOf(2501), (deltas) => void sizes.push(deltas.length), { clock });
    expect(sizes).toEqual([1000, 1000, 501]);
    expect(clock.turns).toBe(0);
  });

  test("a slice never exceeds its budget once the cost of a key is known", async () => {
    const clock = new WorkClock();
    const slices: number[] = [];
    let turns = -1;
    await pump(
      queueOf(3000),
      (deltas) => {
        if (clock.turns > turns) slices.push(0);
        turns = clock.turns;
        clock.work(deltas.length * 0.02);
        slices[slices.length - 1] = (slices.at(-1) ?? 0) + deltas.length * 0.02;
      },
      { clock },
    );
    // The cost of the first batch is unknown: 1000 keys at 20 µs.
    const [first, ...others] = slices;
    expect(first).toBeCloseTo(20);
    expect(others.length).toBeGreaterThan(4);
    for (const slice of others.slice(0, -1)) {
      expect(slice).toBeGreaterThan(6);
      expect(slice).toBeLessThan(8.0001);
    }
  });

  test("continues with the next write after a wait", async () => {
    const queue = new RealFIFO<string>({ keyFunc: (name) => name });
    const seen: unknown[] = [];
    const pumped = pump(queue, (deltas) => {
      for (const delta of deltas) if (delta.type === "Added") seen.push(delta.key);
    });
    queue.add("a");
    await Promise.resolve();
    queue.add("b");
    queue.add("c");
    queue.close();
    await pumped;
    expect(seen).toEqual(["a", "b", "c"]);
  });

  test("yields no turn after a wait of any length (LAT-3)", async () => {
    const clock = new WorkClock();
    const queue = new RealFIFO<string>({ keyFunc: (name) => name });
    const pumped = pump(queue, () => clock.work(1), { clock });
    for (const name of ["a", "b", "c"]) {
      clock.work(1000);
      queue.add(name);
      for (let left = 10; left > 0; left--) await Promise.resolve();
    }
    queue.close();
    await pumped;
    expect(clock.turns).toBe(0);
  });

  test("takes the next batch when the promise of the previous one has settled", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sizes: number[] = [];
    const { signal } = new AbortController();
    const pumped = pumpDeltas(
      queueOf(1001),
      ({ deltas }) => {
        sizes.push(deltas.length);
        return promise;
      },
      { clock: new WorkClock(), signal },
    );
    for (let left = 10; left > 0; left--) await Promise.resolve();
    expect(sizes).toEqual([1000]);
    resolve();
    await pumped;
    expect(sizes).toEqual([1000, 1]);
  });

  test("resolves when it is aborted, and leaves the rest in the queue", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = pump(new RealFIFO<string>({ keyFunc: (name) => name }), () => {}, { signal });
    const queue = queueOf(1500);
    const working = pump(queue, () => controller.abort(), { signal });
    await expect(waiting).resolves.toBeUndefined();
    await expect(working).resolves.toBeUndefined();
    expect(queue.length).toBe(500);
  });

  test("rejects with the exception of apply, and the next call continues", async () => {
    const queue = queueOf(1001);
    const failing = (): void => {
      throw new Error("broken");
    };
    await expect(pump(queue, failing)).rejects.toThrow("broken");
    const seen: number[] = [];
    await pump(queue, (deltas) => void seen.push(deltas.length));
    expect(seen).toEqual([1]);
  });
});
