import { describe, expect, test } from "vitest";
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  KeyError,
  QueueClosedError,
  RequeueError,
  TransformError,
  type Deltas,
  type KnownObjects,
  type ObjectDelta,
} from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const pod = (name: string, value = 1): Pod => ({ name, value });
const keyFunc = ({ name }: Pod): string => {
  if (name === "") throw new TypeError("no name");
  return name;
};
const known = (...pods: Pod[]): KnownObjects<Pod> => ({
  listKeys: () => pods.map(({ name }) => name),
  getByKey: (key) => pods.find(({ name }) => name === key),
});
const types = (deltas: Deltas<Pod> | undefined): string =>
  deltas?.map(({ type }) => type).join() ?? "";

describe("DeltaFIFO", () => {
  test("delivers all changes of an object at once, at the position of the first (DF-1)", async () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    queue.add(pod("b"));
    queue.update(pod("a", 2));
    queue.delete(pod("a", 3));
    expect(queue.length).toBe(2);
    expect(await queue.pop(() => {})).toEqual([
      { type: "Added", key: "a", object: pod("a") },
      { type: "Updated", key: "a", object: pod("a", 2) },
      { type: "Deleted", key: "a", object: pod("a", 3) },
    ]);
    expect(types(await queue.pop(() => {}))).toBe("Added");
  });

  test("of two consecutive deletes the one with the object remains (DF-2)", () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    queue.delete(new DeletedFinalStateUnknown("a", pod("a")));
    queue.delete(pod("a", 2));
    queue.delete(new DeletedFinalStateUnknown("a", pod("a", 3)));
    expect(queue.getByKey("a")?.at(-1)).toEqual({ type: "Deleted", key: "a", object: pod("a", 2) });
    expect(queue.getByKey("a")).toHaveLength(2);
  });

  test("a delete of a key that is neither queued nor known is dropped; a failing lookup counts as known (DF-3)", () => {
    const errors: string[] = [];
    const failing: KnownObjects<Pod> = {
      listKeys: () => ["a"],
      getByKey: () => {
        throw new Error("broken");
      },
    };
    const onError = ({ code }: { code: string }): void => void errors.push(code);
    const queues = [
      new DeltaFIFO({ keyFunc }),
      new DeltaFIFO({ keyFunc, knownObjects: known(pod("b")) }),
      new DeltaFIFO({ keyFunc, knownObjects: known(pod("a")) }),
      new DeltaFIFO({ keyFunc, knownObjects: failing, onError }),
    ];
    for (const queue of queues) queue.delete(pod("a"));
    expect(queues.map(({ length }) => length)).toEqual([0, 0, 1, 1]);
    expect(errors).toEqual(["LW_KNOWN_OBJECT"]);
  });

  test("a replace queues the list, then tombstones for missing objects (DF-4, DF-7)", async () => {
    const queue = new DeltaFIFO({
      keyFunc,
      knownObjects: known(pod("known"), pod("both")),
      emitDeltaTypeReplaced: true,
    });
    queue.replace([pod("both", 2), pod("new")], "10");
    const popped: (readonly ObjectDelta<Pod>[])[] = [];
    const flags: boolean[] = [];
    while (queue.length > 0) {
      const deltas = await queue.pop((_deltas, isInInitialList) => {
        flags.push(isInInitialList && !queue.hasSynced);
      });
      popped.push(deltas);
    }
    expect(popped.map((deltas) => `${types(deltas)} ${queue.keyOf(deltas)}`)).toEqual([
      "Replaced both",
      "Replaced new",
      "Deleted known",
    ]);
    // The last item counts as processed before its processor runs.
    expect(flags).toEqual([true, true, false]);
    expect(popped[2]?.[0]).toEqual({
      type: "Deleted",
      key: "known",
      object: new DeletedFinalStateUnknown("known", pod("known")),
    });
  });

  test("a replace by an empty list works for any number of objects", () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.replace(
      Array.from({ length: 200_000 }, (_, index) => pod(`pod-${index}`)),
      "1",
    );
    queue.replace([], "2");
    expect(queue.length).toBe(200_000);
    expect(types(queue.getByKey("pod-199999"))).toBe("Sync,Deleted");
  });

  test("a resync queues known objects without queued deltas (DF-5)", () => {
    const queue = new DeltaFIFO({ keyFunc, knownObjects: known(pod("a"), pod("b")) });
    queue.update(pod("a", 2));
    queue.resync();
    queue.resync();
    expect(queue.listKeys().map((key) => `${key} ${types(queue.getByKey(key))}`)).toEqual([
      "a Updated",
      "b Sync",
    ]);
    const alone = new DeltaFIFO({ keyFunc });
    alone.resync();
    expect(alone.length).toBe(0);
  });

  test("transforms every written object once; a failing transform has no effect (DF-6)", () => {
    const transform = (object: Pod): Pod => {
      if (object.value < 0) throw new Error("negative");
      return pod(object.name, object.value * 10);
    };
    const queue = new DeltaFIFO({ keyFunc, transform, knownObjects: known(pod("b")) });
    queue.add(pod("a"));
    queue.delete(pod("a", 2));
    queue.resync();
    expect(() => queue.add(pod("c", -1))).toThrow(TransformError);
    expect(queue.list()).toEqual([pod("a", 20), pod("b")]);
  });

  test("a delta carries the key after the transform, and is queued under the key before it", () => {
    const queue = new DeltaFIFO({
      keyFunc,
      transform: ({ name, value }) => pod(`${name}-t`, value),
    });
    queue.add(pod("a"));
    expect(queue.listKeys()).toEqual(["a"]);
    expect(queue.getByKey("a")?.[0]).toMatchObject({ key: "a-t" });
  });

  test("rejects an object without a key", () => {
    const queue = new DeltaFIFO({ keyFunc });
    for (const method of ["add", "update", "delete"] as const) {
      expect(() => queue[method](pod(""))).toThrow(KeyError);
    }
    expect(queue.length).toBe(0);
  });

  test("puts popped deltas back, unless their key is queued again", async () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    queue.add(pod("b"));
    const deltas = await queue.pop(() => {});
    queue.addIfNotPresent(deltas);
    expect(queue.listKeys()).toEqual(["b", "a"]);
    queue.addIfNotPresent(deltas);
    expect(queue.length).toBe(2);
    expect(() => queue.addIfNotPresent([])).toThrow(KeyError);
  });

  test("a RequeueError puts the deltas back; its cause, if any, fails the pop", async () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    const first = await queue.pop(() => {
      throw new RequeueError();
    });
    queue.update(pod("a", 2));
    expect(types(first)).toBe("Added");
    expect(types(queue.getByKey("a"))).toBe("Added,Updated");
    const cause = new Error("why");
    await expect(queue.pop(() => Promise.reject(new RequeueError({ cause })))).rejects.toBe(cause);
    expect(types(queue.getByKey("a"))).toBe("Added,Updated");
    await queue.pop(async () => {
      queue.add(pod("a", 3));
      throw new RequeueError();
    });
    expect(queue.list()).toEqual([pod("a", 3)]);
  });

  test("any other error fails the pop and consumes the item", async () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    queue.add(pod("b"));
    expect(() =>
      queue.pop(() => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    await expect(queue.pop(() => Promise.reject(new Error("later")))).rejects.toThrow("later");
    expect(queue.length).toBe(0);
  });

  test("get returns a snapshot", () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    const before = queue.get(pod("a"));
    queue.update(pod("a", 2));
    expect(before).toHaveLength(1);
    expect(queue.get(pod("b"))).toBeUndefined();
  });

  test("releases popped deltas, regardless of the number of keys", async () => {
    const queue = new DeltaFIFO({ keyFunc, knownObjects: known(pod("pod-7")) });
    const count = 20_000;
    for (const round of [1, 2]) {
      for (let index = 0; index < count; index += 1) queue.update(pod(`pod-${index}`, round));
      expect(queue.length).toBe(count);
      for (let index = 0; index < count; index += 1) {
        const [delta, ...others] = await queue.pop(() => {});
        if (delta?.type !== "Updated" || delta.object.value !== round || others.length > 0) {
          throw new Error(`Expected one update of round ${round}, got ${types([...others])}`);
        }
      }
    }
    expect(queue.list()).toEqual([]);
    expect(queue.listKeys()).toEqual([]);
    expect(queue.getByKey("pod-7")).toBeUndefined();
    queue.delete(pod("pod-8"));
    expect(queue.length).toBe(0);
    queue.resync();
    expect(queue.listKeys()).toEqual(["pod-7"]);
    queue.replace([], "1");
    expect(types(queue.getByKey("pod-7"))).toBe("Sync,Deleted");
    expect(queue.length).toBe(1);
  });

  test("computes the key of an object, a tombstone and deltas", async () => {
    const queue = new DeltaFIFO({ keyFunc });
    queue.add(pod("a"));
    const deltas = await queue.pop(() => {});
    expect(queue.keyOf(deltas)).toBe("a");
    expect(queue.keyOf(pod("b"))).toBe("b");
    expect(queue.keyOf(new DeletedFinalStateUnknown("c", undefined))).toBe("c");
    expect(() => queue.keyOf([])).toThrow(KeyError);
  });

  test("waits, iterates and closes like every queue", async () => {
    const queue = new DeltaFIFO({ keyFunc, name: "pods" });
    const waiting = queue.pop(() => {});
    queue.add(pod("a"));
    expect(types(await waiting)).toBe("Added");
    expect(queue.name).toBe("pods");
    queue.add(pod("b"));
    queue.close();
    const keys: string[] = [];
    for await (const { deltas, isInInitialList } of queue) {
      keys.push(`${queue.keyOf(deltas)} ${isInInitialList}`);
    }
    expect(keys).toEqual(["b false"]);
    await queue.synced;
    expect(queue.isClosed).toBe(true);
    expect(() => queue.pop(() => {})).toThrow(QueueClosedError);
  });
});
