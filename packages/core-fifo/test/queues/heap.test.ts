import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { Heap, KeyError, QueueClosedError } from "@listwatch/core-fifo";

interface Task {
  readonly name: string;
  readonly order: number;
}

const task = (name: string, order: number): Task => ({ name, order });
const createHeap = (): Heap<Task> =>
  new Heap<Task>({
    keyFunc: ({ name }) => {
      if (name === "") throw new TypeError("no name");
      return name;
    },
    less: (a, b) => a.order < b.order,
  });

describe("Heap", () => {
  test("pops the least object first; adding a key again moves it", async () => {
    const heap = createHeap();
    heap.bulkAdd([task("a", 3), task("b", 1), task("c", 2)]);
    heap.add(task("b", 9));
    heap.update(task("a", 0));
    heap.addIfNotPresent(task("c", -1));
    expect(await heap.pop()).toEqual(task("a", 0));
    expect(await heap.pop()).toEqual(task("c", 2));
    expect(heap.length).toBe(1);
    expect(heap.pop()).toEqual(task("b", 9));
  });

  test("reads by object and by key, and deletes by key", () => {
    const heap = createHeap();
    heap.add(task("a", 1));
    expect(heap.get(task("a", 99))).toEqual(task("a", 1));
    expect(heap.getByKey("b")).toBeUndefined();
    expect(heap.list()).toEqual([task("a", 1)]);
    expect(heap.listKeys()).toEqual(["a"]);
    heap.delete(task("a", 0));
    expect(heap.length).toBe(0);
    expect(() => heap.delete(task("a", 0))).toThrow(
      expect.objectContaining({ code: "LW_KEY_NOT_FOUND" }),
    );
  });

  test("rejects an object without a key; a bulk add stops there and keeps the earlier ones", () => {
    const heap = createHeap();
    expect(() => heap.add(task("", 1))).toThrow(KeyError);
    expect(() => heap.bulkAdd([task("a", 1), task("", 2), task("b", 3)])).toThrow(KeyError);
    expect(heap.listKeys()).toEqual(["a"]);
  });

  test("serves waiting consumers in order of arrival after a bulk add is complete", async () => {
    const heap = createHeap();
    const first = heap.pop();
    const second = heap.pop();
    expect(first).toBeInstanceOf(Promise);
    heap.bulkAdd([task("a", 2), task("b", 1), task("c", 3)]);
    expect(await first).toEqual(task("b", 1));
    expect(await second).toEqual(task("a", 2));
  });

  test("an aborted wait rejects with the signal's reason and removes nothing", async () => {
    const heap = createHeap();
    const controller = new AbortController();
    const waiting = heap.pop({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    heap.add(task("a", 1));
    expect(() => heap.pop({ signal: controller.signal })).toThrow("enough");
    expect(heap.length).toBe(1);
  });

  test("after close adds fail, the remaining objects can be popped, and waiting pops fail", async () => {
    const heap = createHeap();
    const waiting = heap.pop();
    heap.close();
    await expect(waiting).rejects.toBeInstanceOf(QueueClosedError);
    for (const add of ["add", "update", "addIfNotPresent"] as const) {
      expect(() => heap[add](task("a", 1))).toThrow(QueueClosedError);
    }
    expect(() => heap.bulkAdd([])).toThrow(QueueClosedError);
    expect(heap.isClosed).toBe(true);
    expect(() => heap.pop()).toThrow(QueueClosedError);
  });

  test("is an async iterable that ends when the heap is closed and empty", async () => {
    const heap = createHeap();
    heap.bulkAdd([task("b", 2), task("a", 1)]);
    heap.close();
    const seen: string[] = [];
    for await (const { name } of heap) seen.push(name);
    expect(seen).toEqual(["a", "b"]);
  });

  test("behaves like a sorted map, after any sequence of operations", async () => {
    const operation = fc.record({
      op: fc.constantFrom("add", "add", "addIfNotPresent", "delete", "pop"),
      name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
      order: fc.integer({ min: 0, max: 1000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 200 }), async (operations) => {
        const heap = createHeap();
        const model = new Map<string, Task>();
        const popped: Task[] = [];
        const expected: Task[] = [];
        for (const [index, { op, name, order }] of operations.entries()) {
          // Distinct orders: a heap does not guarantee the order of equals.
          const object = task(name, order + index / 1000);
          const [least] = [...model.values()].toSorted((a, b) => a.order - b.order);
          if (op === "pop" && least !== undefined) {
            model.delete(least.name);
            expected.push(least);
            popped.push(await heap.pop());
          } else if (op === "delete" && model.delete(name)) {
            heap.delete(object);
          } else if (op === "add") {
            model.set(name, object);
            heap.add(object);
          } else if (op === "addIfNotPresent") {
            heap.addIfNotPresent(object);
            if (!model.has(name)) model.set(name, object);
          }
          expect(heap.list().toSorted(byName)).toEqual([...model.values()].toSorted(byName));
        }
        expect(popped).toEqual(expected);
      }),
    );
  });
});

function byName(a: Task, b: Task): number {
  return a.name < b.name ? -1 : 1;
}
