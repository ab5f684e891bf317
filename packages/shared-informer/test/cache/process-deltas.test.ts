import { DeletedFinalStateUnknown, metaNamespaceKey, type Deltas } from "@listwatch/core-fifo";
import { Indexer, TransactionError } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import {
  processDeltas,
  processDeltasInBatch,
  type DeltaTarget,
  type InformerEvent,
} from "../../src/index.ts";

interface Pod {
  metadata: { name: string; resourceVersion: string };
  bad?: boolean;
}

function pod(name: string, resourceVersion = "1"): Pod {
  return { metadata: { name, resourceVersion } };
}

function targetOf(...pods: readonly Pod[]): {
  readonly store: Indexer<Pod, { bad: boolean }>;
  readonly told: InformerEvent<Pod>[];
  readonly target: DeltaTarget<Pod>;
} {
  const store = new Indexer<Pod, { bad: boolean }>({
    indexers: {
      bad: ({ bad }: Pod) => {
        if (bad === true) throw new Error("cannot be indexed");
        return false;
      },
    },
  });
  for (const one of pods) store.add(one);
  const told: InformerEvent<Pod>[] = [];
  const target: DeltaTarget<Pod> = {
    store: store.keyed,
    keyFunc: metaNamespaceKey,
    notify: (notification) => told.push(notification),
  };
  return { store, told, target };
}

const upserts = ["Added", "Updated", "Replaced", "Sync"] as const;

describe("processDeltas", () => {
  test.each(upserts)("treats %s as an update or an add depending on the store (CTL-7)", (type) => {
    const { store, target, told } = targetOf(pod("a"));
    const deltas: Deltas<Pod> = [
      { type, key: "a", object: pod("a", "2") },
      { type, key: "b", object: pod("b", "3") },
    ];
    processDeltas(deltas, true, target);
    expect(told).toEqual([
      { type: "update", key: "a", old: pod("a", "1"), object: pod("a", "2") },
      { type: "add", key: "b", object: pod("b", "3"), isInInitialList: true },
    ]);
    expect(store.lastStoreSyncResourceVersion).toBe("3");
  });

  test("notifies of deletions, including unknown objects and tombstones", () => {
    const { store, target, told } = targetOf(pod("a"));
    const deltas: Deltas<Pod> = [
      { type: "Deleted", key: "a", object: pod("a", "2") },
      { type: "Deleted", key: "b", object: new DeletedFinalStateUnknown("b", pod("b")) },
      { type: "Deleted", key: "c", object: new DeletedFinalStateUnknown("c", undefined) },
    ];
    processDeltas(deltas, false, target);
    expect(store.list()).toEqual([]);
    expect(told).toEqual([
      { type: "delete", key: "a", stale: false, object: pod("a", "2") },
      { type: "delete", key: "b", stale: true, object: pod("b") },
      { type: "delete", key: "c", stale: true },
    ]);
  });

  test("replaces everything atomically: deletes first, then the list in its order (CTL-9)", () => {
    const { store, target, told } = targetOf(pod("a"), pod("b"));
    const objects = [pod("c"), pod("b", "5")];
    const seen: string[][] = [];
    processDeltas([{ type: "ReplacedAll", objects, resourceVersion: "9" }], false, {
      ...target,
      notify: (notification) => {
        target.notify(notification);
        seen.push(store.listKeys().toSorted());
      },
    });
    expect(told.map(({ key, type }) => `${type} ${key}`)).toEqual([
      "delete a",
      "add c",
      "update b",
    ]);
    expect(seen).toEqual([
      ["b", "c"],
      ["b", "c"],
      ["b", "c"],
    ]);
    expect(store.lastStoreSyncResourceVersion).toBe("9");
  });

  test("changes nothing when an object of a list has no key (CTL-8, CTL-9)", () => {
    const { store, target, told } = targetOf(pod("a"));
    const objects = [pod("b"), pod("")];
    expect(() =>
      processDeltas([{ type: "ReplacedAll", objects, resourceVersion: "9" }], false, target),
    ).toThrow("Cannot compute a key");
    expect(store.listKeys()).toEqual(["a"]);
    expect(told).toEqual([]);
  });

  test("uses the keys that a list carries", () => {
    const { store, target } = targetOf();
    const delta = { type: "ReplacedAll", objects: [pod("a")], keys: ["x"], resourceVersion: "1" };
    processDeltas([{ ...delta, type: "ReplacedAll" }], true, target);
    expect(store.listKeys()).toEqual(["x"]);
  });

  test("delivers everything again on a resync, and follows bookmarks", () => {
    const { store, target, told } = targetOf(pod("a"));
    processDeltas(
      [{ type: "SyncAll" }, { type: "Bookmark", resourceVersion: "77" }],
      false,
      target,
    );
    const [update] = told;
    expect(update).toMatchObject({ type: "update", key: "a" });
    expect(update?.type === "update" && update.old === update.object).toBe(true);
    expect(store.lastStoreSyncResourceVersion).toBe("77");
  });
});

describe("processDeltasInBatch", () => {
  test("shows the whole batch in the store to every notification (CTL-11, CTL-12)", () => {
    const { store, target, told } = targetOf(pod("b"));
    const seen: string[] = [];
    processDeltasInBatch(
      [
        { type: "Added", key: "a", object: pod("a", "2") },
        { type: "Deleted", key: "b", object: pod("b", "3") },
        { type: "Added", key: "c", object: pod("c", "4") },
      ],
      false,
      {
        ...target,
        notify: (notification) => {
          target.notify(notification);
          seen.push(`${store.listKeys().toSorted().join()} ${store.lastStoreSyncResourceVersion}`);
        },
      },
    );
    expect(told.map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(seen).toEqual(["a,c 4", "a,c 4", "a,c 4"]);
  });

  test("applies every valid delta, and reports the others", () => {
    const { store, target, told } = targetOf();
    const deltas: Deltas<Pod> = [
      { type: "Added", key: "a", object: pod("a") },
      { type: "Added", key: "b", object: { ...pod("b"), bad: true } },
      { type: "Bookmark", resourceVersion: "9" },
      { type: "Added", key: "c", object: pod("c") },
    ];
    let error: unknown;
    try {
      processDeltasInBatch(deltas, false, target);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TransactionError);
    expect(error).toMatchObject({ successfulIndices: [0, 3], totalTransactions: 4 });
    expect(store.listKeys()).toEqual(["a", "c"]);
    expect(told.map(({ key }) => key)).toEqual(["a", "c"]);
  });
});
