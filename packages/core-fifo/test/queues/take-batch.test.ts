import { describe, expect, test } from "vitest";
import {
  QueueClosedError,
  RealFIFO,
  type PoppedDeltas,
  type ProcessingReport,
} from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

const queueOf = (...names: readonly string[]): RealFIFO<string> => {
  const queue = new RealFIFO<string>({ keyFunc: (name) => name });
  for (const name of names) queue.add(name);
  return queue;
};

function keysOf(batch: PoppedDeltas<string> | undefined): string[] | undefined {
  return batch?.deltas.map((delta) => ("key" in delta ? (delta.key ?? "") : delta.type));
}

describe("RealFIFO.takeBatch", () => {
  test("takes the same batches as popBatch: distinct keys, at most maxKeys, atomic deltas alone", () => {
    const queue = queueOf("a", "b", "a", "c", "d");
    queue.resync();
    queue.bookmark("7");
    queue.add("e");
    expect(keysOf(queue.takeBatch())).toEqual(["a", "b"]);
    expect(keysOf(queue.takeBatch({ maxKeys: 2 }))).toEqual(["a", "c"]);
    expect(keysOf(queue.takeBatch())).toEqual(["d"]);
    expect(keysOf(queue.takeBatch())).toEqual(["SyncAll"]);
    expect(keysOf(queue.takeBatch())).toEqual(["Bookmark"]);
    expect(keysOf(queue.takeBatch())).toEqual(["e"]);
    expect(queue.takeBatch()).toBeUndefined();
  });

  test("has synced when the batch of the first list is finished, by finishBatch or by the next take", () => {
    for (const finish of ["finishBatch", "takeBatch"] as const) {
      const queue = queueOf();
      queue.replace(["a", "b"], "1");
      queue.add("c");
      const first = queue.takeBatch();
      expect([keysOf(first), first?.isInInitialList]).toEqual([["ReplacedAll"], true]);
      expect(queue.hasSynced).toBe(false);
      queue[finish]();
      expect(queue.hasSynced).toBe(true);
      queue.finishBatch();
      expect(queue.takeBatch()?.isInInitialList).not.toBe(true);
    }
  });

  test("makes room for producers when it takes", async () => {
    const queue = new RealFIFO<string>({ keyFunc: (name) => name, highWaterMark: 1 });
    queue.add("a");
    const room = queue.waitForCapacity();
    queue.takeBatch();
    await room;
    expect(queue.hasCapacity).toBe(true);
  });

  test("reports to the observer when the batch is finished", () => {
    const clock = new SimulatedClock();
    const reports: ProcessingReport[] = [];
    const queue = new RealFIFO<string>({
      keyFunc: (name) => name,
      clock,
      observer: { processed: (report) => void reports.push(report) },
    });
    queue.add("a");
    queue.add("b");
    queue.takeBatch();
    expect(reports).toEqual([]);
    queue.finishBatch();
    queue.finishBatch();
    expect(reports).toEqual([
      { queue: "RealFIFO", processed: 2, waiting: 0, durationMs: 0, isSlow: false },
    ]);
  });
});

describe("RealFIFO.waitForDeltas", () => {
  test("waits for the first write and returns everything that was written synchronously", async () => {
    const queue = queueOf();
    const waiting = queue.waitForDeltas();
    queue.add("a");
    queue.add("b");
    await waiting;
    expect(queue.waitForDeltas()).toBeUndefined();
    expect(keysOf(queue.takeBatch())).toEqual(["a", "b"]);
  });

  test("rejects when the queue is closed and empty, and on abort", async () => {
    const queue = queueOf("a");
    const stop = new AbortController();
    queue.takeBatch();
    const given = queue.waitForDeltas({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    expect(() => queue.waitForDeltas({ signal: stop.signal })).toThrow("enough");
    const closed = queue.waitForDeltas();
    queue.close();
    await expect(closed).rejects.toThrow(QueueClosedError);
    expect(() => queue.waitForDeltas()).toThrow(QueueClosedError);
  });
});
