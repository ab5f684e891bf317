import { describe, expect, test } from "vitest";
import { CapacityLatch, WaitQueue } from "@listwatch/core-fifo/base";

describe("CapacityLatch", () => {
  test("holds all waits until it opens, and later ones when it closes again", async () => {
    const latch = new CapacityLatch();
    latch.open();
    const ended: string[] = [];
    const wait = async (name: string): Promise<void> => {
      await latch.wait();
      ended.push(name);
    };
    const both = Promise.all([wait("a"), wait("b")]);
    expect(latch.isAwaited).toBe(true);
    latch.open();
    expect(latch.isAwaited).toBe(false);
    const later = wait("c");
    await both;
    expect(ended).toEqual(["a", "b"]);
    latch.open();
    await later;
  });

  test("an abort rejects one wait with the reason and leaves the others", async () => {
    const latch = new CapacityLatch();
    const controller = new AbortController();
    const aborted = latch.wait(controller.signal);
    const other = latch.wait();
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    await expect(latch.wait(controller.signal)).rejects.toThrow("enough");
    latch.open();
    await other;
  });
});

describe("WaitQueue", () => {
  test("resolves in the order of arrival, one by one or all at once", async () => {
    const queue = new WaitQueue<string>();
    expect(queue.resolveFirst("nothing")).toBe(false);
    const waits = [queue.wait(undefined), queue.wait(undefined), queue.wait(undefined)];
    expect(queue.length).toBe(3);
    expect(queue.resolveFirst("first")).toBe(true);
    queue.resolveAll("rest");
    expect(await Promise.all(waits)).toEqual(["first", "rest", "rest"]);
    expect(queue.length).toBe(0);
  });

  test("an abort removes a caller; the next one takes its place", async () => {
    const queue = new WaitQueue<number>();
    const controller = new AbortController();
    const aborted = queue.wait(controller.signal);
    const other = queue.wait(undefined);
    controller.abort(new Error("enough"));
    queue.resolveFirst(1);
    await expect(aborted).rejects.toThrow("enough");
    await expect(other).resolves.toBe(1);
    await expect(queue.wait(controller.signal)).rejects.toThrow("enough");
  });

  test("rejects all waits", async () => {
    const queue = new WaitQueue<number>();
    const waits = [queue.wait(undefined), queue.wait(undefined)];
    queue.rejectAll(new Error("closed"));
    for (const wait of waits) await expect(wait).rejects.toThrow("closed");
    expect(queue.length).toBe(0);
  });
});
