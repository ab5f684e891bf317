import { describe, expect, test } from "vitest";
import {
  DeletedFinalStateUnknown,
  QueueClosedError,
  RealFIFO,
  type Delta,
  type Deltas,
} from "@listwatch/core-fifo";

interface Pod {
  name: string;
  value: number;
}

const pod = (name: string, value = 1): Pod => ({ name, value });
const keyFunc = (object: Pod): string => {
  if (object.name === "") throw new TypeError("no name");
  return object.name;
};

describe("RealFIFO", () => {
  test("delivers every change in order; nothing is merged, dropped or moved (RF-1)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.add(pod("a"));
    queue.update(pod("a", 2));
    queue.delete(pod("b"));
    const seen: Delta<Pod>[] = [];
    while (queue.length > 0) seen.push(...(await queue.pop(() => {})));
    expect(seen).toEqual([
      { type: "Added", key: "a", object: pod("a") },
      { type: "Updated", key: "a", object: pod("a", 2) },
      { type: "Deleted", key: "b", object: pod("b") },
    ]);
  });

  test("returns at once with a synchronous processor, and a promise with an asynchronous one", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.add(pod("a"));
    queue.add(pod("b"));
    expect(queue.pop(() => {})).toEqual([{ type: "Added", key: "a", object: pod("a") }]);
    const result = queue.pop(async () => {});
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toEqual([{ type: "Added", key: "b", object: pod("b") }]);
  });

  test("a waiting pop gets the next write after it, not inside it", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    const seen: Deltas<Pod>[] = [];
    const popped = queue.pop((deltas) => void seen.push(deltas));
    queue.add(pod("a"));
    expect(seen).toEqual([]);
    expect(await popped).toEqual(seen[0]);
  });

  test("an aborted wait ends with the signal's reason and loses nothing", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    const controller = new AbortController();
    const popped = queue.pop(() => {}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(popped).rejects.toThrow("enough");
    queue.add(pod("a"));
    await Promise.resolve();
    expect(queue.length).toBe(1);
    expect(() => queue.pop(() => {}, { signal: controller.signal })).toThrow("enough");
  });

  test("a closed queue is drained, then fails (RF-11)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    const waiting = queue.popBatch(
      () => {},
      () => {},
    );
    queue.close();
    await expect(waiting).rejects.toBeInstanceOf(QueueClosedError);
    queue.add(pod("a"));
    expect(queue.isClosed).toBe(true);
    expect(queue.pop(() => {})).toHaveLength(1);
    expect(() => queue.pop(() => {})).toThrow(QueueClosedError);
  });

  test("is an async iterable; an item counts when the next one is asked for", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.replace([pod("a")], "1");
    queue.add(pod("b"));
    queue.close();
    const seen: [string | undefined, boolean, boolean][] = [];
    for await (const { deltas, isInInitialList } of queue) {
      seen.push([deltas[0]?.type, isInInitialList, queue.hasSynced]);
    }
    expect(seen).toEqual([
      ["ReplacedAll", true, false],
      ["Added", false, true],
    ]);
  });

  test("leaves an object without a key out of an atomic replace and reports it (RF-2, CTL-9)", () => {
    const errors: string[] = [];
    const queue = new RealFIFO<Pod>({ keyFunc, onError: (error) => errors.push(error.code) });
    queue.replace([pod("a"), pod(""), pod("b")], "7");
    expect(queue.pop(() => {})).toEqual([
      {
        type: "ReplacedAll",
        objects: [pod("a"), pod("b")],
        keys: ["a", "b"],
        resourceVersion: "7",
      },
    ]);
    expect(errors).toEqual(["LW_KEY"]);
  });

  test("makes a producer wait above the high-water mark until the consumer has caught up", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc, highWaterMark: 2 });
    queue.add(pod("a"));
    expect(queue.waitForCapacity()).toBeUndefined();
    queue.add(pod("b"));
    expect(queue.hasCapacity).toBe(false);
    let hasRoom = false;
    const waiting = queue.waitForCapacity()?.then(() => (hasRoom = true));
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    await queue.pop(() => {});
    await waiting;
    expect(hasRoom).toBe(true);
  });

  test("a wait for capacity ends when it is aborted or the queue is closed", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc, highWaterMark: 1 });
    queue.add(pod("a"));
    const controller = new AbortController();
    const aborted = queue.waitForCapacity(controller.signal);
    const closed = queue.waitForCapacity(new AbortController().signal);
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    queue.close();
    await expect(closed).resolves.toBeUndefined();
    expect(queue.waitForCapacity()).toBeUndefined();
  });

  test("a batch ends before the second delta of an object, and a tombstone counts as its object (RF-19)", () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.add(pod("a"));
    queue.add(pod("b"));
    queue.delete(new DeletedFinalStateUnknown<Pod>("a", undefined));
    const sizes: string[] = [];
    const pop = (): unknown =>
      queue.popBatch(
        (deltas) => void sizes.push(`batch of ${deltas.length}`),
        () => void sizes.push("single"),
      );
    pop();
    pop();
    expect(sizes).toEqual(["batch of 2", "single"]);
  });

  test("a failing processor fails the pop; its item is gone, the others stay (RF-12)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    for (const name of ["a", "b", "c"]) queue.add(pod(name));
    expect(() =>
      queue.pop(() => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    await expect(queue.pop(() => Promise.reject(new Error("broken later")))).rejects.toThrow(
      "broken later",
    );
    expect(queue.pop(() => {})).toEqual([{ type: "Added", key: "c", object: pod("c") }]);
  });
});
