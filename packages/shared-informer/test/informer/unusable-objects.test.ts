import { KeyError, TransformError } from "@listwatch/core-fifo";
import { IndexFunctionError, namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import {
  InformerView,
  SharedInformer,
  type InformerStatus,
  type SharedInformerOptions,
} from "../../src/index.ts";
import { checkIdle, Cluster, type ConfigMap } from "../support/cluster.ts";
import { recorder } from "../support/informer.ts";
import { mistypingFetch } from "../support/mistyped-answers.ts";

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type Indexes = { namespace: string; color: string };
type Options = Partial<SharedInformerOptions<ConfigMap, Indexes>>;

/** Throws for a config map without data. */
const colorOf = ({ data }: ConfigMap): string => {
  if (data === undefined) throw new TypeError("it has no data");
  return data["color"] ?? "none";
};

const indexers = { ...namespaceIndex, color: colorOf };

class Subject {
  readonly cluster = new Cluster();
  readonly errors: unknown[] = [];
  readonly calls: string[] = [];
  readonly informer: SharedInformer<ConfigMap, Indexes>;

  constructor(options: Options = {}) {
    this.informer = new SharedInformer<ConfigMap, Indexes>({
      listerWatcher: this.cluster.source(),
      indexers,
      clock: this.cluster.clock,
      random: this.cluster.random,
      onError: (error) => void this.errors.push(error),
      ...options,
    });
    this.informer.addEventHandler(recorder(this.calls));
  }

  get status(): InformerStatus {
    return this.informer.status();
  }

  get isFresh(): boolean {
    return this.informer.isFresh({ withinMs: 120_000 });
  }

  get keys(): string[] {
    return this.informer.store.listKeys().toSorted();
  }

  /** Creates a config map, with a color or without data. */
  async write(key: string, color?: string): Promise<void> {
    const data = color === undefined ? undefined : { color };
    await this.cluster.create(key, data === undefined ? {} : { data });
  }

  async relist(): Promise<void> {
    const { api, clock } = this.cluster;
    api.control.watches.list()[0]?.sendError({ code: 410 });
    await clock.advance(30_000);
  }

  async end(): Promise<void> {
    await this.informer[Symbol.asyncDispose]();
    checkIdle(this.cluster.clock);
  }
}

/** Ways for an unusable object to arrive: name, whether at the start, and whether streamed. */
const ways: readonly (readonly [name: string, atStart: boolean, watchList: boolean])[] = [
  ["in a list", true, false],
  ["in a streamed list", true, true],
  ["on a watch", false, false],
];

describe.each(ways)("an object that cannot be indexed, %s,", (_, atStart, watchList) => {
  test("is cached, reaches handlers, hides no other, and is reported until it is repaired", async () => {
    const subject = new Subject({ list: { watchList } });
    const { cluster, errors, informer } = subject;
    await subject.write("shop/a", "red");
    if (atStart) await subject.write("shop/bad");
    void informer.run();
    await informer.synced;
    if (!atStart) await subject.write("shop/bad");
    await subject.write("shop/c", "red");
    await cluster.clock.settle();
    expect(subject.keys).toEqual(["shop/a", "shop/bad", "shop/c"]);
    expect(informer.store.indexKeys("color", "red")).toEqual(["shop/a", "shop/c"]);
    expect(informer.store.indexKeys("namespace", "shop")).toEqual(subject.keys);
    expect(subject.calls.filter((call) => call.startsWith("add bad"))).toHaveLength(1);
    expect(errors).toEqual([expect.any(IndexFunctionError)]);
    expect(subject.status.problem).toMatchObject({
      reason: "indexFunction",
      error: { key: "shop/bad", indexName: "color" },
      attempts: 1,
      keys: ["shop/bad"],
    });
    expect([informer.hasSynced, subject.isFresh]).toEqual([true, true]);

    await subject.relist();
    await cluster.update("shop/bad", { labels: { still: "bad" } });
    await cluster.clock.settle();
    expect(errors.filter((error) => error instanceof IndexFunctionError)).toHaveLength(1);
    expect(subject.status.problem?.keys).toEqual(["shop/bad"]);

    await cluster.update("shop/bad", { data: { color: "red" } });
    await cluster.clock.settle();
    expect(informer.store.indexKeys("color", "red")).toEqual(["shop/a", "shop/bad", "shop/c"]);
    expect(subject.status.problem).toBeUndefined();
    await subject.end();
  });
});

describe("an index that is added while the informer runs", () => {
  test("omits objects that its function throws for, reports them, and follows the repair", async () => {
    const subject = new Subject({ indexers: undefined });
    const { cluster, errors, informer } = subject;
    await subject.write("shop/a", "red");
    await subject.write("shop/bad");
    await subject.write("shop/worse");
    void informer.run();
    await informer.synced;
    const indexed = informer.addIndexers({ late: colorOf });
    expect(indexed.store.indexKeys("late", "red")).toEqual(["shop/a"]);
    expect(errors).toHaveLength(2);
    expect(subject.status.problem).toMatchObject({
      reason: "indexFunction",
      sinceMs: cluster.clock.now(),
      keys: ["shop/bad", "shop/worse"],
    });
    await cluster.delete("shop/bad");
    await cluster.update("shop/worse", { data: { color: "red" } });
    await cluster.clock.settle();
    expect(indexed.store.indexKeys("late", "red")).toEqual(["shop/a", "shop/worse"]);
    expect(subject.status.problem).toBeUndefined();
    await subject.end();
  });
});

describe("a view", () => {
  test("has separate indexes: their failures are its problem, not that of its informer", async () => {
    const subject = new Subject({ indexers: undefined });
    const { cluster, informer } = subject;
    const errors: unknown[] = [];
    const view = new InformerView([informer], {
      clock: cluster.clock,
      indexers,
      onError: (error) => void errors.push(error),
    });
    const viewOfView = new InformerView([view], { clock: cluster.clock });
    await subject.write("shop/a", "red");
    await subject.write("shop/bad");
    const ended = Promise.all([informer.run(), view.run(), viewOfView.run()]);
    await viewOfView.synced;
    await subject.write("shop/worse");
    await cluster.clock.settle();
    expect(view.store.listKeys().toSorted()).toEqual(["shop/a", "shop/bad", "shop/worse"]);
    expect(view.store.indexKeys("color", "red")).toEqual(["shop/a"]);
    expect(errors).toHaveLength(2);
    expect(view.status().problem?.keys).toEqual(["shop/bad", "shop/worse"]);
    expect([subject.status.problem, viewOfView.status().problem]).toEqual([undefined, undefined]);
    for (const key of ["shop/bad", "shop/worse"]) {
      await cluster.update(key, { data: { color: "red" } });
    }
    await cluster.clock.settle();
    expect(view.store.indexKeys("color", "red")).toHaveLength(3);
    expect(view.status().problem).toBeUndefined();
    await subject.end();
    await ended;
  });

  test("reports the objects that its filter throws for, once, and is not fresh until it works", async () => {
    const subject = new Subject({ indexers: undefined });
    const { cluster, informer } = subject;
    const errors: unknown[] = [];
    const view = new InformerView([informer], {
      clock: cluster.clock,
      filter: (object) => colorOf(object) === "red",
      onError: (error) => void errors.push(error),
    });
    await subject.write("shop/a", "red");
    await subject.write("shop/bad");
    await subject.write("shop/gone");
    const ended = Promise.all([informer.run(), view.run()]);
    await view.synced;
    await cluster.update("shop/bad", { labels: { still: "bad" } });
    await cluster.clock.settle();
    expect(view.store.listKeys()).toEqual(["shop/a"]);
    expect(errors).toHaveLength(2);
    expect(view.status().problem).toMatchObject({
      reason: "unusableObject",
      keys: ["shop/bad", "shop/gone"],
    });
    expect([view.isFresh({ withinMs: 60_000 }), subject.isFresh]).toEqual([false, true]);
    await cluster.update("shop/bad", { data: { color: "red" } });
    await cluster.delete("shop/gone");
    await cluster.clock.settle();
    expect(view.store.listKeys().toSorted()).toEqual(["shop/a", "shop/bad"]);
    expect(view.status().problem).toBeUndefined();
    expect(view.isFresh({ withinMs: 60_000 })).toBe(true);
    await subject.end();
    await ended;
  });
});

/** A transform and a key function that throw for a config map without data. */
const failing: readonly (readonly [
  name: string,
  cache: NonNullable<Options["cache"]>,
  error: typeof KeyError | typeof TransformError,
])[] = [
  [
    "transform",
    {
      transform: (object) => {
        colorOf(object);
        return object;
      },
    },
    TransformError,
  ],
  [
    "key function",
    {
      keyFunc: (object) => {
        colorOf(object);
        return `${object.metadata.namespace}/${object.metadata.name}`;
      },
    },
    KeyError,
  ],
];

describe.each(failing)("an object for which the %s throws", (_, cache, expected) => {
  test.each(ways)(
    "%s hides no other, is reported until it is repaired, and the informer is not fresh",
    async (_way, atStart, watchList) => {
      const subject = new Subject({ cache, indexers: undefined, list: { watchList } });
      const { cluster, errors, informer } = subject;
      await subject.write("shop/a", "red");
      if (atStart) await subject.write("shop/bad");
      void informer.run();
      await informer.synced;
      if (!atStart) await subject.write("shop/bad");
      await subject.write("shop/c", "red");
      await cluster.clock.advance(5000);
      expect(subject.keys).toEqual(["shop/a", "shop/c"]);
      expect(errors).toEqual([expect.any(expected)]);
      expect(String(errors[0])).toContain('"shop/bad"');
      expect(subject.status.problem).toMatchObject({
        reason: "unusableObject",
        keys: ["shop/bad"],
      });
      expect([informer.hasSynced, subject.isFresh]).toEqual([true, false]);

      const before = cluster.requests().length;
      await cluster.update("shop/bad", { labels: { still: "bad" } });
      await subject.write("shop/worse");
      await subject.write("shop/e", "red");
      await cluster.clock.settle();
      expect(subject.keys).toEqual(["shop/a", "shop/c", "shop/e"]);
      expect(cluster.requests()).toHaveLength(before);
      expect(errors).toHaveLength(2);
      await subject.relist();
      expect(errors.filter((error) => error instanceof expected)).toHaveLength(2);
      expect(subject.status.problem?.keys?.toSorted()).toEqual(["shop/bad", "shop/worse"]);

      await cluster.update("shop/bad", { data: { color: "red" } });
      await cluster.delete("shop/worse");
      await cluster.clock.advance(5000);
      expect(subject.keys).toEqual(["shop/a", "shop/bad", "shop/c", "shop/e"]);
      expect(subject.status.problem).toBeUndefined();
      expect(subject.isFresh).toBe(true);
      await subject.end();
    },
  );
});

describe("a cached object whose transform begins to throw", () => {
  test("keeps its last state, over relists, until it is repaired or deleted", async () => {
    const [[, cache]] = failing as [(typeof failing)[number]];
    const subject = new Subject({ cache, indexers: undefined });
    const { cluster, informer } = subject;
    await subject.write("shop/a", "red");
    await subject.write("shop/b", "blue");
    void informer.run();
    await informer.synced;
    const state = (): unknown[] =>
      informer.store.list().map(({ data, metadata }) => `${metadata.name} ${data?.["color"]}`);
    for (const name of ["a", "b"]) {
      await cluster.api.fetch(
        new Request(`http://cluster/api/v1/namespaces/shop/configmaps/${name}`, {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ metadata: { name, namespace: "shop" } }),
        }),
      );
    }
    await cluster.clock.advance(10_000);
    await subject.relist();
    expect(state()).toEqual(["a red", "b blue"]);
    expect(subject.status.problem?.keys).toEqual(["shop/a", "shop/b"]);
    expect(subject.calls.filter((call) => !call.startsWith("add"))).toEqual([]);
    await cluster.update("shop/a", { data: { color: "green" } });
    await cluster.delete("shop/b");
    await cluster.clock.advance(5000);
    expect(state()).toEqual(["a green"]);
    expect(subject.calls.at(-1)).toBe("delete shop/b unseen");
    expect(subject.status.problem).toBeUndefined();
    await subject.end();
  });

  test("is not deleted for handlers that have never seen it", async () => {
    const [[, cache]] = failing as [(typeof failing)[number]];
    const subject = new Subject({ cache, indexers: undefined });
    const { cluster, informer } = subject;
    await subject.write("shop/bad");
    void informer.run();
    await informer.synced;
    await cluster.delete("shop/bad");
    await cluster.clock.settle();
    expect(subject.calls).toEqual([]);
    expect(subject.status.problem).toBeUndefined();
    await subject.end();
  });

  test("is repaired by a list if the failure was temporary", async () => {
    let failures = 1;
    const subject = new Subject({
      indexers: undefined,
      cache: {
        transform: (object) => {
          if (object.metadata.name === "b" && failures-- > 0) throw new Error("an accident");
          return object;
        },
      },
    });
    const { cluster, errors, informer } = subject;
    await subject.write("shop/a");
    void informer.run();
    await informer.synced;
    await subject.write("shop/b");
    await cluster.clock.advance(10_000);
    expect(subject.keys).toEqual(["shop/a", "shop/b"]);
    expect(errors).toEqual([expect.any(TransformError)]);
    expect(subject.status.problem).toBeUndefined();
    expect(subject.isFresh).toBe(true);
    await subject.end();
  });
});

describe("a transform that removes the name", () => {
  const broken = new Set<string>();
  const transform = (object: ConfigMap): ConfigMap =>
    // An untyped transform may return anything.
    broken.has(object.metadata.name) ? JSON.parse("{}") : object;

  async function running(watchList: boolean, ...bad: string[]): Promise<Subject> {
    const subject = new Subject({ indexers: undefined, list: { watchList }, cache: { transform } });
    broken.clear();
    for (const name of bad) broken.add(name);
    for (const key of ["shop/a", "shop/bad", "shop/c"]) await subject.write(key);
    void subject.informer.run();
    await subject.informer.synced;
    return subject;
  }

  test.each([true, false])(
    "affects that object only, which is reported until an event repairs it (streamed: %s)",
    async (watchList) => {
      const subject = await running(watchList, "bad");
      expect(subject.keys).toEqual(["shop/a", "shop/c"]);
      expect(subject.status.problem).toMatchObject({
        reason: "unusableObject",
        attempts: 1,
        keys: ["shop/bad"],
      });
      expect(subject.isFresh).toBe(false);
      broken.clear();
      await subject.cluster.update("shop/bad", { data: { color: "red" } });
      await subject.cluster.clock.advance(1000);
      expect(subject.keys).toEqual(["shop/a", "shop/bad", "shop/c"]);
      expect(subject.status.problem).toBeUndefined();
      expect(subject.isFresh).toBe(true);
      await subject.end();
    },
  );

  test.each([true, false])(
    "keeps the last state of the object in the cache, in events and relists (streamed: %s)",
    async (watchList) => {
      const subject = await running(watchList);
      broken.add("bad");
      await subject.cluster.update("shop/bad", { data: { color: "red" } });
      await subject.cluster.clock.advance(30_000);
      await subject.relist();
      expect(subject.keys).toEqual(["shop/a", "shop/bad", "shop/c"]);
      expect(subject.informer.store.getByKey("shop/bad")?.data).toBeUndefined();
      expect(subject.calls.filter((call) => call.startsWith("delete"))).toEqual([]);
      expect(subject.status.problem?.keys).toEqual(["shop/bad"]);
      broken.clear();
      await subject.cluster.update("shop/bad", { data: { color: "green" } });
      await subject.cluster.clock.advance(1000);
      expect(subject.informer.store.getByKey("shop/bad")?.data).toEqual({ color: "green" });
      expect(subject.status.problem).toBeUndefined();
      await subject.end();
    },
  );

  test("does not prevent a deletion", async () => {
    const subject = await running(true);
    broken.add("bad");
    await subject.cluster.delete("shop/bad");
    await subject.cluster.clock.settle();
    expect(subject.keys).toEqual(["shop/a", "shop/c"]);
    expect(subject.calls.at(-1)).toBe("delete shop/bad unseen");
    expect(subject.status.problem).toBeUndefined();
    await subject.end();
  });
});

test("a key function that returns no string affects that object only, and hides no other", async () => {
  const keys: Readonly<Record<string, unknown>> = { b: 5, c: "c" };
  const subject = new Subject({
    indexers: undefined,
    // An untyped key function may return anything.
    cache: { keyFunc: ({ metadata }) => keys[metadata.name] as string },
  });
  const { cluster, informer } = subject;
  for (const key of ["shop/a", "shop/b", "shop/c"]) await subject.write(key);
  void informer.run();
  await cluster.clock.settle();
  expect(subject.keys).toEqual(["c"]);
  expect(subject.status.problem).toMatchObject({
    reason: "unusableObject",
    attempts: 2,
    keys: ["shop/a", "shop/b"],
  });
  await subject.end();
});

describe("an object without a name in a list, caused by a faulty response,", () => {
  const nameless = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop" } };

  test.each([
    ["a list", false, 1],
    ["a streamed list", true, 1],
    ["a list, which is the same each time", false, Infinity],
    ["a streamed list, which is the same each time", true, Infinity],
  ])("is requested in one more list: %s", async (_, watchList, times) => {
    let left = times;
    const cluster = new Cluster();
    const fetch = mistypingFetch(
      (request) => cluster.api.fetch(request),
      (kind, document) => {
        const text = JSON.stringify(document);
        if (!text.includes('"name":"bad"') || left <= 0) return document;
        left -= 1;
        if (kind === "event") return { type: "ADDED", object: nameless };
        const { items, ...list } = JSON.parse(text);
        return {
          ...list,
          items: items.map((item: ConfigMap) => (item.metadata.name === "bad" ? nameless : item)),
        };
      },
    );
    const listerWatcher = cluster.source({ encoding: "json" }, { fetch });
    const subject = new Subject({
      indexers: undefined,
      list: { watchList },
      listerWatcher,
      clock: cluster.clock,
    });
    for (const key of ["shop/a", "shop/bad"]) await cluster.create(key);
    void subject.informer.run();
    await cluster.clock.advance(300_000);
    expect(subject.keys).toEqual(times === 1 ? ["shop/a", "shop/bad"] : ["shop/a"]);
    expect(subject.status.problem?.reason).toBe(times === 1 ? undefined : "unusableObject");
    const lists = cluster.requests().filter((request) => !request.startsWith("watch "));
    // The first list, the second one, and one of a single item after silent watches.
    expect(lists.length).toBeLessThan(4);
    expect(subject.errors).toHaveLength(1);
    await subject.informer[Symbol.asyncDispose]();
    checkIdle(cluster.clock);
  });
});

test("a DELETED without a name is reported, and repaired by a list", async () => {
  const cluster = new Cluster();
  const fetch = mistypingFetch(
    (request) => cluster.api.fetch(request),
    (kind, document) =>
      kind === "event" && Reflect.get(Object(document), "type") === "DELETED"
        ? { type: "DELETED", object: { apiVersion: "v1", kind: "ConfigMap", metadata: {} } }
        : document,
  );
  const listerWatcher = cluster.source({ encoding: "json" }, { fetch });
  const subject = new Subject({ listerWatcher, clock: cluster.clock });
  for (const key of ["shop/a", "shop/b"]) {
    await cluster.create(key, { data: { color: "red" } });
  }
  void subject.informer.run();
  await cluster.clock.settle();
  await cluster.delete("shop/a");
  await cluster.clock.advance(30_000);
  expect(subject.keys).toEqual(["shop/b"]);
  expect(subject.errors).toEqual([expect.any(KeyError)]);
  await subject.informer[Symbol.asyncDispose]();
  checkIdle(cluster.clock);
});
