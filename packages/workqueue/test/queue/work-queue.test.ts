import { describe, expect, test } from "vitest";
import { WorkQueue, type WorkItem } from "@listwatch/workqueue";

async function take<T>(queue: WorkQueue<T>): Promise<WorkItem<T>> {
  const work = await queue.get();
  if (work === undefined) throw new Error("The queue is shut down");
  return work;
}

describe("WorkQueue", () => {
  test("returns a waiting item synchronously", () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    expect(queue.get()).toMatchObject({ item: "a" });
    expect(queue.length).toBe(0);
    expect(queue.processing).toBe(1);
  });

  test("merges adds of a waiting item, and processes an item added in the meantime once more (WQ-1, WQ-2)", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(1);
    const work = await take(queue);
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    work[Symbol.dispose]();
    expect(queue.length).toBe(1);
    (await take(queue))[Symbol.dispose]();
    expect(queue.length).toBe(0);
  });

  test("done of a work item has effect once: not again when it is disposed, nor for a later work item", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    const first = await take(queue);
    queue.add("a");
    first[Symbol.dispose]();
    const second = await take(queue);
    first[Symbol.dispose]();
    expect(queue.processing).toBe(1);
    queue.done("a");
    second[Symbol.dispose]();
    expect(queue.processing).toBe(0);
  });

  test("`using` marks an item as done when its block throws", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    const fail = async (): Promise<void> => {
      using work = await queue.get();
      throw new Error(`cannot do ${work?.item}`);
    };
    await expect(fail()).rejects.toThrow("cannot do a");
    expect(queue.processing).toBe(0);
  });

  test("done of an item that waits, or is unknown, does nothing", () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    queue.done("a");
    queue.done("b");
    expect(queue.length).toBe(1);
  });

  test("an aborted wait rejects with the reason and removes no item (WQ-3)", async () => {
    const queue = new WorkQueue<string>();
    const stop = new AbortController();
    const waiting = queue.get({ signal: stop.signal });
    const other = queue.get();
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(queue.get({ signal: stop.signal })).rejects.toThrow("enough");
    queue.add("a");
    expect(await other).toMatchObject({ item: "a" });
  });

  test("after the shutdown adds are ignored, waiting items are returned, then undefined (WQ-6)", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    queue[Symbol.dispose]();
    queue.add("b");
    expect(queue.isShuttingDown).toBe(true);
    (await take(queue))[Symbol.dispose]();
    expect(queue.get()).toBeUndefined();
  });

  test("a drain waits for items that are not taken yet, and for items added again (WQ-7)", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    queue.add("b");
    const a = await take(queue);
    queue.add("a");
    let isDrained = false;
    const drained = queue.shutDownWithDrain().then(() => (isDrained = true));
    a[Symbol.dispose]();
    for (const expected of ["b", "a"]) {
      const work = await take(queue);
      expect(work.item).toBe(expected);
      expect(isDrained).toBe(false);
      work[Symbol.dispose]();
    }
    await drained;
    expect(queue.get()).toBeUndefined();
  });

  test("a drain resolves the waits of all callers, and so does a shutdown", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    const work = await take(queue);
    const first = [queue.shutDownWithDrain(), queue.shutDownWithDrain()];
    work[Symbol.dispose]();
    await expect(Promise.all(first)).resolves.toHaveLength(2);

    const abandoned = new WorkQueue<string>();
    abandoned.add("a");
    const waiting = abandoned.shutDownWithDrain();
    abandoned.shutDown();
    await expect(waiting).resolves.toBeUndefined();
  });

  test("the wait for a drain can be aborted", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    await expect(
      queue.shutDownWithDrain({ signal: AbortSignal.abort(new Error("late")) }),
    ).rejects.toThrow("late");
    expect(queue.isShuttingDown).toBe(true);
  });

  test("objects require a key function, which distinguishes them", () => {
    interface Request {
      readonly name: string;
      readonly attempt: number;
    }
    // @ts-expect-error -- for programs without types
    const plain = new WorkQueue<Request>();
    expect(() => plain.add({ name: "a", attempt: 1 })).toThrow(TypeError);
    const queue = new WorkQueue<Request>({ keyFunc: ({ name }) => name });
    queue.add({ name: "a", attempt: 1 });
    queue.add({ name: "a", attempt: 2 });
    queue.add({ name: "b", attempt: 1 });
    expect(queue.length).toBe(2);
  });

  test("primitives of different types are different items", () => {
    const queue = new WorkQueue<string | number | boolean | bigint>();
    for (const item of ["1", 1, 1n, true, "true"]) queue.add(item);
    expect(queue.length).toBe(5);
  });

  test("concurrent loops are workers, each done with an item when it requests the next", async () => {
    const queue = new WorkQueue<number>();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = async (worker: string): Promise<void> => {
      for await (const item of queue) {
        seen.push(`${worker}${item}`);
        if (item < 2) await gate.promise;
      }
    };
    const workers = Promise.all([work("x"), work("y")]);
    for (const item of [0, 1, 2]) queue.add(item);
    await Promise.resolve();
    expect(queue.length).toBe(1);
    expect(queue.processing).toBe(2);
    gate.resolve();
    await queue.shutDownWithDrain();
    await workers;
    expect(seen).toHaveLength(3);
  });

  test("leaving a loop marks its item as done", async () => {
    const queue = new WorkQueue<string>();
    queue.add("a");
    for await (const item of queue) {
      expect(item).toBe("a");
      break;
    }
    expect(queue.processing).toBe(0);
  });
});
