import { describe, expect, test } from "vitest";
import {
  clientGoQueueBehaviour,
  DeletedFinalStateUnknown,
  KeyError,
  QueueClosedError,
  RealFIFO,
  TransformError,
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

  test("a waiting pop runs after the next write, not inside it", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    const seen: Deltas<Pod>[] = [];
    const popped = queue.pop((deltas) => void seen.push(deltas));
    queue.add(pod("a"));
    expect(seen).toEqual([]);
    expect(await popped).toEqual(seen[0]);
  });

  test("an aborted wait rejects with the signal's reason and loses nothing", async () => {
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

  test("a closed queue can be drained, then pops fail (RF-11)", async () => {
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

  test("is an async iterable; an item counts as processed when the next one is requested", async () => {
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

  test("omits an object without a key from an atomic replace and reports it (RF-2, CTL-9)", () => {
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

  test("omits an object whose transform throws from an atomic replace and reports it (CTL-9)", () => {
    const errors: string[] = [];
    const queue = new RealFIFO<Pod>({
      keyFunc,
      transform: ({ name, value }) => {
        if (value < 0) throw new Error("negative");
        return pod(name, value + 10);
      },
      onError: (error) => errors.push(error.message),
    });
    queue.replace([pod("a"), pod("bad", -1), pod(""), pod("b")], "7");
    expect(queue.pop(() => {})).toEqual([
      {
        type: "ReplacedAll",
        objects: [pod("a", 11), pod("b", 11)],
        keys: ["a", "b"],
        resourceVersion: "7",
      },
    ]);
    expect(errors).toEqual([
      expect.stringMatching(/^Cannot transform .*"bad".*: negative$/),
      expect.stringMatching(/no name$/),
    ]);
    expect(queue.hasSynced).toBe(true);
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

  test("a wait for capacity rejects on abort and on close", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc, highWaterMark: 1 });
    queue.add(pod("a"));
    const controller = new AbortController();
    const aborted = queue.waitForCapacity({ signal: controller.signal });
    const closed = queue.waitForCapacity({ signal: new AbortController().signal });
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
    queue.delete(new DeletedFinalStateUnknown("a", undefined));
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

  test("a failing processor fails the pop; its item is removed, the others remain (RF-12)", async () => {
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

  test("rejects options that exclude each other", () => {
    const knownObjects = { listKeys: () => [], getByKey: () => undefined };
    for (const options of [
      { knownObjects, emitBookmarks: true },
      { highWaterMark: 0 },
      { highWaterMark: Number.NaN },
    ]) {
      expect(() => new RealFIFO<Pod>({ keyFunc, ...options })).toThrow(
        expect.objectContaining({ code: "LW_INVALID_OPTIONS" }),
      );
    }
    expect(new RealFIFO<Pod>({ keyFunc, knownObjects }).length).toBe(0);
  });

  test("a bookmark is a separate delta, and ignored when bookmarks are disabled (RF-5)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.bookmark("7");
    expect(queue.hasSynced).toBe(false);
    expect(await queue.pop(() => {})).toEqual([{ type: "Bookmark", resourceVersion: "7" }]);
    const deaf = new RealFIFO<Pod>({ keyFunc, emitBookmarks: false });
    deaf.bookmark("7");
    expect(deaf.length).toBe(0);
  });

  test("an atomic resync is one delta, and keeps its position among the lists (RF-9)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.replace([], "1");
    queue.resync();
    queue.close();
    const types: (string | undefined)[] = [];
    for await (const { deltas } of queue) types.push(deltas[0]?.type);
    expect(types).toEqual(["ReplacedAll", "SyncAll"]);
  });

  test("keeps no reference to the array of a replace", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc, behaviour: clientGoQueueBehaviour });
    const list = [pod("a")];
    queue.replace(list, "1");
    list.push(pod("b"));
    expect(await queue.pop(() => {})).toEqual([
      { type: "ReplacedAll", objects: [pod("a")], resourceVersion: "1" },
    ]);
  });

  test("transforms each written object once, and with client-go's behaviour queues nothing when the transform fails (RF-3, RF-6)", async () => {
    const transform = (object: Pod): Pod => {
      if (object.value < 0) throw new Error("negative");
      return pod(object.name, object.value + 10);
    };
    const queue = new RealFIFO<Pod>({ keyFunc, transform, behaviour: clientGoQueueBehaviour });
    queue.add(pod("a"));
    queue.delete(pod("a", 2));
    queue.delete(new DeletedFinalStateUnknown("b", pod("b")));
    expect(() => queue.update(pod("c", -1))).toThrow(TransformError);
    expect(() => queue.replace([pod("c"), pod("d", -1)], "1")).toThrow(TransformError);
    queue.replace([pod("e", 5)], "1");
    const objects: unknown[] = [];
    while (queue.length > 0) {
      for (const delta of await queue.pop(() => {})) {
        objects.push("objects" in delta ? delta.objects : "object" in delta && delta.object);
      }
    }
    expect(objects).toEqual([
      pod("a", 11),
      pod("a", 12),
      new DeletedFinalStateUnknown("b", pod("b")),
      [pod("e", 15)],
    ]);
  });

  test("carries the key after the transform; without a key it is undefined, and the delta ends its batch (RF-21)", async () => {
    const queue = new RealFIFO<Pod>({
      keyFunc,
      transform: ({ name, value }) => pod(name === "lost" ? "" : `${name}-t`, value),
    });
    queue.delete(new DeletedFinalStateUnknown("", undefined));
    for (const name of ["a", "lost", "b"]) queue.add(pod(name));
    const batches: Deltas<Pod>[] = [];
    const take = (deltas: Deltas<Pod>): void => void batches.push(deltas);
    while (queue.length > 0) await queue.popBatch(take, take);
    expect(batches).toMatchObject([
      [{ key: "" }, { key: "a-t" }, { key: undefined }],
      [{ key: "b-t" }],
    ]);
  });

  test("without atomic events a replace compares with the queue and the known objects (RF-7)", async () => {
    const errors: string[] = [];
    const queue = new RealFIFO<Pod>({
      keyFunc,
      knownObjects: {
        listKeys: () => ["known", "broken"],
        getByKey: (key) => {
          if (key === "broken") throw new Error("broken");
          return pod(key);
        },
      },
      onError: ({ code }) => errors.push(code),
    });
    queue.add(pod("queued", 5));
    queue.replace([pod("new")], "1");
    const seen: string[] = [];
    const take = (deltas: Deltas<Pod>): void => {
      for (const delta of deltas) if ("key" in delta) seen.push(`${delta.type} ${delta.key}`);
    };
    while (queue.length > 0) await queue.popBatch(take, take);
    expect(seen).toEqual([
      "Added queued",
      "Deleted queued",
      "Deleted known",
      "Deleted broken",
      "Replaced new",
    ]);
    queue.update(pod("known", 2));
    queue.resync();
    expect(errors).toEqual(["LW_KNOWN_OBJECT", "LW_KNOWN_OBJECT"]);
    expect(queue.length).toBe(1);
  });

  test("without atomic events an object without a key fails the whole replace and the resync", () => {
    const queue = new RealFIFO<Pod>({
      keyFunc,
      knownObjects: { listKeys: () => [], getByKey: () => undefined },
      transform: ({ value }) => pod("", value),
    });
    expect(() => queue.replace([pod("a"), pod("")], "1")).toThrow(KeyError);
    expect(queue.length).toBe(0);
    queue.add(pod("a"));
    expect(() => queue.replace([], "1")).toThrow(KeyError);
    expect(() => queue.resync()).toThrow(KeyError);
    expect(queue.length).toBe(1);
  });

  test("several waiting consumers get one item each, in order of arrival", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    const seen: string[] = [];
    const consume = (name: string): unknown =>
      queue.pop(
        ([delta]) =>
          void seen.push(`${name} ${delta !== undefined && "key" in delta && delta.key}`),
      );
    const waiting = [consume("first"), consume("second"), consume("third")];
    queue.add(pod("a"));
    queue.add(pod("b"));
    queue.close();
    expect(await Promise.allSettled(waiting)).toMatchObject([
      { status: "fulfilled" },
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "LW_QUEUE_CLOSED" } },
    ]);
    expect(seen).toEqual(["first a", "second b"]);
  });

  test("a consumer whose item another one takes continues to wait", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    const waiting = queue.pop(() => {});
    queue.add(pod("a"));
    const [taken] = await queue.pop(() => {});
    queue.add(pod("b"));
    expect(taken).toMatchObject({ key: "a" });
    expect(await waiting).toMatchObject([{ key: "b" }]);
  });

  test("an item of an asynchronous processor counts as processed when that is done (RF-14)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.replace([pod("a")], "1");
    queue.add(pod("b"));
    const gate = Promise.withResolvers<void>();
    const first = queue.pop(() => gate.promise);
    const flags: boolean[] = [];
    await queue.pop((_deltas, isInInitialList) => void flags.push(isInInitialList));
    expect(queue.hasSynced).toBe(false);
    gate.resolve();
    await first;
    await queue.synced;
    // A delta after the first list does not belong to it, even while the list is being processed.
    expect(flags).toEqual([false]);
    expect(queue.hasSynced).toBe(true);
  });

  test("a processor's write is queued last and is not processed inside of it (RF-24)", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.add(pod("a"));
    const waiting = queue.pop(() => {
      queue.add(pod("b"));
      queue.close();
    });
    expect(await waiting).toMatchObject([{ key: "a" }]);
    expect(await queue.pop(() => {})).toMatchObject([{ key: "b" }]);
  });

  test("leaving a loop early counts the item as processed and keeps the rest", async () => {
    const queue = new RealFIFO<Pod>({ keyFunc });
    queue.replace([], "1");
    queue.add(pod("a"));
    for await (const { deltas } of queue) {
      expect(deltas).toHaveLength(1);
      break;
    }
    expect(queue).toMatchObject({ hasSynced: true, length: 1 });
  });
});
