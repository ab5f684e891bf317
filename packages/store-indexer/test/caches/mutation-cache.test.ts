import {
  DeletedFinalStateUnknown,
  ExplicitKey,
  metaNamespaceKey,
  ResourceVersionError,
} from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  clientGoStoreBehaviour,
  Indexer,
  MutationCache,
  type MutationCacheOptions,
  namespaceIndex,
} from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { keysOf, pod, type Pod } from "../pod.ts";

type Indexes = { namespace: string; node: string };

const create = (options: Partial<MutationCacheOptions<Pod, Indexes>> = {}) => {
  const clock = new SimulatedClock();
  const store = new Indexer({
    indexers: { ...namespaceIndex, node: (object: Pod) => object.spec.nodeName },
  });
  const cache = new MutationCache(store, { indexer: store, clock, ...options });
  return { cache, clock, store };
};

const web = (resourceVersion: string, uid = "u1", nodeName = "n1"): Pod =>
  pod("a/web", { resourceVersion, uid, nodeName });

describe("getByKey", () => {
  test("returns the newer of the stored and the mutated object (MUT-2)", () => {
    const { cache, store } = create();
    const [one, two, three] = [web("9"), web("10"), web("11")];
    store.add(one);
    cache.mutation(two);
    expect(cache.getByKey("a/web")).toBe(two);
    store.update(three);
    expect(cache.getByKey("a/web")).toBe(three);
  });

  test("drops the mutated object once the store has caught up (MUT-2)", () => {
    const { cache, store } = create();
    const caughtUp = web("5");
    cache.mutation(web("5", "u1", "ours"));
    store.add(caughtUp);
    expect(cache.getByKey("a/web")).toBe(caughtUp);
    const older = web("3");
    store.update(older);
    expect(cache.getByKey("a/web")).toBe(older);
  });

  test("with includeAdds returns an object that is not in the store, however often it is read (MUT-2)", () => {
    const { cache } = create({ includeAdds: true });
    const added = web("5");
    cache.mutation(added);
    expect(cache.getByKey("a/web")).toBe(added);
    expect(cache.getByKey("a/web")).toBe(added);
    const without = create();
    without.cache.mutation(added);
    expect(without.cache.getByKey("a/web")).toBeUndefined();
  });

  test("with client-go's behaviour drops an added object once it is read (MUT-2)", () => {
    const { cache } = create({ includeAdds: true, behaviour: clientGoStoreBehaviour });
    cache.mutation(web("5"));
    expect(cache.getByKey("a/web")).toBeDefined();
    expect(cache.getByKey("a/web")).toBeUndefined();
  });

  test("a missing resourceVersion is the oldest, one that is not a number throws (MUT-7)", () => {
    const { cache, store } = create();
    store.add(pod("a/web"));
    cache.mutation(web("2"));
    expect(cache.getByKey("a/web")?.metadata.resourceVersion).toBe("2");
    store.update(web("abc"));
    expect(() => cache.getByKey("a/web")).toThrow(ResourceVersionError);
  });

  test("the resourceVersion 0 counts as missing, and is only comparable to a number (MUT-7)", () => {
    const { cache, store } = create();
    store.add(web("0"));
    cache.mutation(web("2"));
    cache.mutation(web("0"));
    expect(cache.getByKey("a/web")?.metadata.resourceVersion).toBe("2");
    store.update(web("abc"));
    cache.mutation(web("3"));
    expect(() => cache.getByKey("a/web")).toThrow(ResourceVersionError);
    expect(() => cache.mutation(web("abc"))).toThrow(ResourceVersionError);
  });

  test("an object without metadata has no version: the last write is kept, and the stored object is returned (MUT-4)", () => {
    const keyOnly = new ExplicitKey("a/web");
    const store = new Indexer<unknown>({ keyFunc: (object) => metaNamespaceKey(object) });
    const cache = new MutationCache<unknown>(store, {
      includeAdds: true,
      behaviour: clientGoStoreBehaviour,
    });
    cache.mutation(web("7"));
    cache.mutation(keyOnly);
    expect(cache.getByKey("a/web")).toBe(keyOnly);
    expect(cache.getByKey("a/web")).toBe(keyOnly);
    store.add(web("1"));
    expect(cache.getByKey("a/web")).toEqual(web("1"));
  });
});

describe("memory", () => {
  test("a mutation expires after the TTL, which every mutation renews (MUT-1)", async () => {
    const { cache, clock, store } = create({ ttlMs: 1000 });
    store.add(web("1"));
    cache.mutation(web("5"));
    await clock.advance(900);
    cache.mutation(web("6"));
    await clock.advance(1000);
    expect(cache.getByKey("a/web")?.metadata.resourceVersion).toBe("6");
    await clock.advance(1);
    expect(cache.getByKey("a/web")?.metadata.resourceVersion).toBe("1");
  });

  test("the default TTL is 5 minutes and the default size 100 (MUT-1)", async () => {
    const { cache, clock } = create({ includeAdds: true });
    for (let index = 0; index <= 100; index += 1) {
      cache.mutation(pod(`many/m${index}`, { resourceVersion: "1" }));
    }
    expect(cache.byIndex("namespace", "many")).toHaveLength(100);
    expect(cache.getByKey("many/m0")).toBeUndefined();
    await clock.advance(300_000);
    expect(cache.getByKey("many/m1")).toBeDefined();
    await clock.advance(1);
    expect(cache.getByKey("many/m1")).toBeUndefined();
  });

  test("a read keeps an object in the cache, and age alone does not drop it (MUT-1)", () => {
    const { cache } = create({ includeAdds: true, maxEntries: 2 });
    cache.mutation(pod("a/one", { resourceVersion: "1" }));
    cache.mutation(pod("a/two", { resourceVersion: "1" }));
    cache.getByKey("a/one");
    cache.mutation(pod("a/three", { resourceVersion: "1" }));
    expect(keysOf(cache.byIndex("namespace", "a"))).toEqual(["a/one", "a/three"]);
  });
});

describe("byIndex (MUT-3)", () => {
  test("replaces stored objects by newer mutations, whatever their index value", () => {
    const { cache, store } = create();
    const moved = web("5", "u1", "n2");
    store.add(web("1"));
    cache.mutation(moved);
    expect(cache.byIndex("node", "n1")).toEqual([moved]);
    expect(cache.byIndex("node", "n2")).toEqual([]);
  });

  test("with includeAdds finds mutations by the index function", () => {
    const { cache, store } = create({ includeAdds: true });
    store.add(pod("a/stored", { nodeName: "n1", resourceVersion: "1" }));
    cache.mutation(web("5", "u1", "n1"));
    cache.mutation(pod("a/other", { nodeName: "n2", resourceVersion: "6" }));
    expect(keysOf(cache.byIndex("node", "n1"))).toEqual(["a/stored", "a/web"]);
  });

  test("reports an index function that throws and continues without the object", () => {
    const errors: unknown[] = [];
    const store = new Indexer({
      indexers: {
        node: (object: Pod) => {
          if (object.spec.nodeName === undefined) throw new Error("No node");
          return object.spec.nodeName;
        },
      },
    });
    const cache = new MutationCache(store, {
      indexer: store,
      includeAdds: true,
      onError: (error) => errors.push(error),
    });
    cache.mutation(pod("a/broken", { resourceVersion: "1" }));
    cache.mutation(web("2"));
    expect(keysOf(cache.byIndex("node", "n1"))).toEqual(["a/web"]);
    expect(errors).toEqual([new Error("No node")]);
  });

  test("throws without an indexer that has the index", () => {
    const { cache, store } = create();
    const untyped: MutationCache<Pod, Record<string, string>> = new MutationCache(store);
    expect(() => untyped.byIndex("node", "n1")).toThrow(
      expect.objectContaining({ code: "LW_NO_INDEXER" }),
    );
    // @ts-expect-error -- no such index
    expect(() => cache.byIndex("nope", "x")).toThrow(
      expect.objectContaining({ code: "LW_NO_SUCH_INDEX" }),
    );
  });
});

describe("mutation (MUT-4)", () => {
  test("keeps the newer object, and the later of equally new ones", () => {
    const { cache, store } = create();
    store.add(web("1"));
    cache.mutation(web("9"));
    cache.mutation(web("5"));
    expect(cache.getByKey("a/web")?.metadata.resourceVersion).toBe("9");
    const later = web("9", "u1", "later");
    cache.mutation(later);
    expect(cache.getByKey("a/web")).toBe(later);
  });

  test("without a key is reported and otherwise ignored", () => {
    const errors: unknown[] = [];
    const { cache } = create({ onError: (error) => errors.push(error) });
    cache.mutation({ metadata: { name: "" }, spec: {} });
    expect(errors).toEqual([
      expect.objectContaining({
        code: "LW_KEY",
        cause: expect.objectContaining({ code: "LW_NO_METADATA" }),
      }),
    ]);
  });

  test("is ignored after the deletion of the same instance was seen (MUT-6)", () => {
    const { cache } = create({ includeAdds: true });
    cache.onDelete(web("8"));
    cache.mutation(web("7"));
    cache.mutation(web("8", "u2"));
    cache.mutation(web("9"));
    expect(cache.getByKey("a/web")).toBeUndefined();
    expect(cache.byIndex("namespace", "a")).toEqual([]);
    cache.mutation(web("9", "u2"));
    expect(cache.getByKey("a/web")?.metadata.uid).toBe("u2");
  });
});

describe("events of the informer", () => {
  test("an object that is at least as new clears a mutation, an older one does not (MUT-5)", () => {
    const cleared = ["4", "5", "6"].map((version) => {
      const { cache } = create({ includeAdds: true });
      cache.mutation(web("5"));
      cache.onAddOrUpdate(web(version, "any"));
      return cache.getByKey("a/web") === undefined;
    });
    expect(cleared).toEqual([false, true, true]);
  });

  test("a deletion clears a mutation unless that is newer and another instance (MUT-6)", () => {
    const kept = [
      ["u1", "9"],
      ["u2", "3"],
      ["u2", "9"],
      ["u2", "5"],
    ].map(([uid, version]) => {
      const { cache } = create({ includeAdds: true });
      cache.mutation(web(version ?? "", uid));
      cache.onDelete(web("5", "u1"));
      return cache.getByKey("a/web") !== undefined;
    });
    expect(kept).toEqual([false, false, true, false]);
  });

  test("a missed deletion counts with its last known state (MUT-6)", () => {
    const { cache } = create({ includeAdds: true });
    cache.mutation(web("9"));
    cache.onDelete(new DeletedFinalStateUnknown("a/web", web("5")));
    expect(cache.getByKey("a/web")).toBeUndefined();
    cache.mutation(web("12", "u2"));
    cache.onDelete(new DeletedFinalStateUnknown("a/web", undefined));
    expect(cache.getByKey("a/web")?.metadata.uid).toBe("u2");
  });

  test("the stored object wins over a mutation that comes after update, delete and re-creation", () => {
    const { cache, store } = create({ includeAdds: true });
    cache.onAddOrUpdate(web("6"));
    cache.onDelete(web("7"));
    const recreated = web("8", "u2");
    store.add(recreated);
    cache.onAddOrUpdate(recreated);
    cache.mutation(web("6"));
    expect(cache.getByKey("a/web")).toBe(recreated);
    store.delete(recreated);
    expect(cache.getByKey("a/web")).toBeUndefined();
  });

  test("a remembered deletion never hides a stored object", () => {
    const { cache, store } = create();
    const stored = web("3");
    store.add(stored);
    cache.onDelete(web("7"));
    expect(cache.getByKey("a/web")).toBe(stored);
    expect(cache.byIndex("namespace", "a")).toEqual([stored]);
  });
});
