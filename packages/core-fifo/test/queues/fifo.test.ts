import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKey,
  FIFO,
  KeyError,
  QueueClosedError,
  RequeueError,
} from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const pod = (name: string, value = 1): Pod => ({ name, value });
const createQueue = (): FIFO<Pod> =>
  new FIFO<Pod>({
    keyFunc: ({ name }) => {
      if (name === "") throw new TypeError("no name");
      return name;
    },
  });

describe("FIFO", () => {
  test("holds the newest object of a key at the position of the first (FIF-1)", async () => {
    const queue = createQueue();
    queue.add(pod("a"));
    queue.add(pod("b"));
    queue.update(pod("a", 2));
    expect(queue.length).toBe(2);
    expect(await queue.pop(() => {})).toEqual(pod("a", 2));
    expect(await queue.pop(() => {})).toEqual(pod("b"));
  });

  test("a deleted object is never popped (FIF-2)", async () => {
    const queue = createQueue();
    queue.add(pod("a"));
    queue.add(pod("b"));
    queue.delete(pod("a"));
    expect(queue.listKeys()).toEqual(["b"]);
    expect(await queue.pop(() => {})).toEqual(pod("b"));
    expect(queue.length).toBe(0);
  });

  test("the key function decides whether a tombstone has a key (FIF-2, STO-2)", () => {
    const object = { metadata: { namespace: "ns", name: "a" } };
    const tombstone = new DeletedFinalStateUnknown("ns/a", undefined);
    const plain = new FIFO<unknown>();
    plain.add(object);
    expect(() => plain.add(tombstone)).toThrow(KeyError);
    expect(() => plain.delete(tombstone)).toThrow(KeyError);
    expect(() => plain.replace([tombstone], "1")).toThrow(KeyError);
    expect(plain.listKeys()).toEqual(["ns/a"]);

    const accepting = new FIFO<unknown>({
      keyFunc: (item) => deletionHandlingMetaNamespaceKey(item),
    });
    accepting.add(object);
    accepting.delete(tombstone);
    expect(accepting.listKeys()).toEqual([]);
  });

  test("a replace discards queued objects, unless one of its objects has no key (FIF-3)", () => {
    const queue = createQueue();
    queue.add(pod("a"));
    expect(() => queue.replace([pod("b"), pod("")], "1")).toThrow(KeyError);
    expect(queue.listKeys()).toEqual(["a"]);
    queue.replace([pod("b"), pod("c")], "1");
    queue.resync();
    expect(queue.list()).toEqual([pod("b"), pod("c")]);
  });

  test("has synced when the first list has been processed, not before (FIF-4)", async () => {
    const queue = createQueue();
    queue.replace([pod("a"), pod("b")], "1");
    const flags: [boolean, boolean][] = [];
    for (const _ of [1, 2]) {
      await queue.pop((_object, isInInitialList) => {
        flags.push([isInInitialList, queue.hasSynced]);
      });
    }
    expect(flags).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(queue.hasSynced).toBe(true);
    await queue.synced;
  });

  test.each([1, 50])(
    "a pop that has skipped %i deleted objects of the first list and waits counts a replace as part of it (FIF-4)",
    async (deleted) => {
      const queue = createQueue();
      const list = Array.from({ length: deleted }, (_, value) => pod(`p${value}`, value));
      queue.replace(list, "1");
      for (const object of list) queue.delete(object);
      const popped: unknown[] = [];
      const waiting = queue.pop(({ name }, isInInitialList) => {
        popped.push([name, isInInitialList, queue.hasSynced]);
      });
      queue.replace([pod("new")], "2");
      await waiting;
      expect(popped).toEqual([["new", true, false]]);
      expect(queue.hasSynced).toBe(true);
      queue.add(pod("later"));
      await queue.pop((_, isInInitialList) => {
        popped.push(isInInitialList);
      });
      expect(popped.at(-1)).toBe(false);
    },
  );

  test("frees the positions of deleted objects, however often one is added and deleted", async () => {
    const queue = createQueue();
    queue.add(pod("first"));
    for (let value = 0; value < 1000; value += 1) {
      queue.add(pod(`deleted-${value}`));
      queue.delete(pod(`deleted-${value}`));
    }
    queue.add(pod("second"));
    // At its old position it would be popped before "second".
    queue.add(pod("deleted-0"));
    const names: string[] = [];
    while (queue.length > 0) names.push((await queue.pop(() => {})).name);
    expect(names).toEqual(["first", "second", "deleted-0"]);
  });

  test.each([[[]], [[0]], [[99]], [[0, 50, 99]]])(
    "has synced when the rest of the first list after many deletes has been processed (FIF-4, %j)",
    async (left) => {
      const queue = createQueue();
      const list = Array.from({ length: 100 }, (_, value) => pod(`p${value}`, value));
      queue.replace(list, "1");
      for (const object of list) if (!left.includes(object.value)) queue.delete(object);
      queue.add(pod("later", 1000));
      const popped: (readonly [number, boolean, boolean])[] = [];
      while (queue.length > 0) {
        await queue.pop(({ value }, isInInitialList) => {
          popped.push([value, isInInitialList, queue.hasSynced]);
        });
      }
      expect(popped.slice(0, -1)).toEqual(left.map((value) => [value, true, false]));
      expect(popped.at(-1)?.[0]).toBe(1000);
      expect(queue.hasSynced).toBe(true);
    },
  );

  test("reads by object and by key", () => {
    const queue = createQueue();
    queue.add(pod("a", 7));
    queue.addIfNotPresent(pod("a", 8));
    expect(queue.get(pod("a"))).toEqual(pod("a", 7));
    expect(queue.getByKey("b")).toBeUndefined();
  });

  test("a processor that throws a RequeueError gets its object again, unless a newer one is queued", async () => {
    const queue = createQueue();
    queue.add(pod("a"));
    const again = (): never => {
      throw new RequeueError();
    };
    await queue.pop(again);
    expect(queue.list()).toEqual([pod("a")]);
    await queue.pop(async () => {
      queue.add(pod("a", 2));
      throw new RequeueError();
    });
    expect(queue.list()).toEqual([pod("a", 2)]);
    const cause = new Error("why");
    expect(() =>
      queue.pop(() => {
        throw new RequeueError({ cause });
      }),
    ).toThrow(cause);
    expect(queue.list()).toEqual([pod("a", 2)]);
  });

  test("is an async iterable of objects", async () => {
    const queue = createQueue();
    queue.replace([pod("a")], "1");
    queue.add(pod("b"));
    queue.close();
    const seen: unknown[] = [];
    for await (const popped of queue) seen.push(popped);
    expect(seen).toEqual([
      { object: pod("a"), isInInitialList: true },
      { object: pod("b"), isInInitialList: false },
    ]);
    expect(queue.isClosed).toBe(true);
    expect(() => queue.pop(() => {})).toThrow(QueueClosedError);
  });

  test("pops in the order of a map, after any sequence of operations", async () => {
    const operation = fc.record({
      op: fc.constantFrom("add", "add", "addIfNotPresent", "pop"),
      name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      value: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 100 }), async (operations) => {
        const queue = createQueue();
        const model = new Map<string, Pod>();
        const popped: Pod[] = [];
        const expected: Pod[] = [];
        for (const { op, name, value } of operations) {
          const [oldest] = model.values();
          if (op === "pop" && oldest !== undefined) {
            model.delete(oldest.name);
            expected.push(oldest);
            popped.push(await queue.pop(() => {}));
          } else if (op === "add") {
            queue.add(pod(name, value));
            model.set(name, pod(name, value));
          } else if (op === "addIfNotPresent") {
            queue.addIfNotPresent(pod(name, value));
            if (!model.has(name)) model.set(name, pod(name, value));
          }
          expect(queue.list()).toEqual([...model.values()]);
        }
        expect(popped).toEqual(expected);
      }),
    );
  });
});
