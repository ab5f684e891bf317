import { InvalidOptionsError, systemClock } from "@listwatch/core-fifo";
import { hasCode } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { Indexer, IndexFunctionError, KeyedStore, TransactionError } from "../../src/index.ts";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly nodeName?: unknown };
}

const pod = (name: string, nodeName?: unknown): Pod => ({
  metadata: { name },
  ...(nodeName === undefined ? {} : { spec: { nodeName } }),
});

/** Throws for a pod without spec, and returns an invalid value for an invalid node. */
const node = (object: Pod): string => {
  if (object.spec === undefined) throw new TypeError("it has no spec");
  return object.spec.nodeName as string;
};

const everyPod = (): string => "pod";

type Indexes = Record<"every" | "node", string>;

interface Subject {
  readonly store: Indexer<Pod, Indexes>;
  readonly errors: IndexFunctionError[];
}

function createTolerant(): Subject {
  const errors: IndexFunctionError[] = [];
  const store = new Indexer<Pod, Indexes>({
    indexers: { every: everyPod, node },
    onIndexError: (error) => errors.push(error),
  });
  return { store, errors };
}

const describeErrors = (errors: readonly IndexFunctionError[]): string[] =>
  errors.map(({ indexName, key }) => `${indexName} of ${key}`);

function contentOf(store: Indexer<Pod, Indexes>): unknown {
  return {
    objects: store.list(),
    nodes: store
      .listIndexFuncValues("node")
      .map((value) => [value, store.indexKeys("node", value)]),
    every: store.indexKeys("every", "pod"),
    version: store.lastStoreSyncResourceVersion,
  };
}

const ways: Readonly<Record<string, (store: Indexer<Pod, Indexes>, pods: readonly Pod[]) => void>> =
  {
    add: (store, pods) => pods.forEach((object) => store.add(object)),
    update: (store, pods) => pods.forEach((object) => store.update(object)),
    replace: (store, pods) => store.replace(pods, "9"),
    transaction: (store, pods) =>
      store.transaction(pods.map((object) => ({ type: "Add", object }))),
    stageReplace: (store, pods) => {
      const staged = store.keyed.stageReplace();
      for (const object of pods) staged.put(object.metadata.name, object);
      staged.commit("9");
    },
  };

describe.each(Object.entries(ways))("an index function that throws in %s", (_, write) => {
  test("omits the object from its index only, and is reported once until the object is repaired", () => {
    const { store, errors } = createTolerant();
    write(store, [pod("a", "n1"), pod("bad"), pod("c", "n2")]);
    expect(store.listKeys().toSorted()).toEqual(["a", "bad", "c"]);
    expect(store.indexKeys("every", "pod")).toEqual(["a", "bad", "c"]);
    expect(store.listIndexFuncValues("node").toSorted()).toEqual(["n1", "n2"]);
    write(store, [pod("a", "n1"), pod("bad"), pod("c", "n2")]);
    expect(describeErrors(errors)).toEqual(["node of bad"]);
    expect(errors[0]).toMatchObject({
      code: "LW_INDEX_FUNCTION",
      message: 'Cannot compute the index "node" of "bad": it has no spec',
      cause: new TypeError("it has no spec"),
    });
    expect(store.listIndexErrors()).toEqual(errors);

    write(store, [pod("a", "n1"), pod("bad", "n3"), pod("c", "n2")]);
    expect(store.listIndexErrors()).toEqual([]);
    expect(store.indexKeys("node", "n3")).toEqual(["bad"]);
    write(store, [pod("a", "n1"), pod("bad"), pod("c", "n2")]);
    expect(store.listIndexFuncValues("node").toSorted()).toEqual(["n1", "n2"]);
    expect(describeErrors(errors)).toEqual(["node of bad", "node of bad"]);
    store.delete(pod("bad"));
    expect(store.listIndexErrors()).toEqual([]);
  });

  test("fails the write of a store without onIndexError, which changes nothing (IDX-4)", () => {
    const store = new Indexer<Pod, Indexes>({ indexers: { every: everyPod, node } });
    store.add(pod("a", "n1"));
    store.bookmark("5");
    for (const nonsense of [undefined, {}, Symbol("node"), new Set(["n2"]), ["n2", { n: 1 }]]) {
      const before = contentOf(store);
      expect(() => write(store, [pod("a", nonsense)])).toThrow(/Cannot compute the index "node"/);
      expect(contentOf(store)).toEqual(before);
    }
    expect(store.listIndexErrors()).toEqual([]);
    store.delete(pod("a"));
    expect(store.listIndexFuncValues("every")).toEqual([]);
    expect(store.listIndexFuncValues("node")).toEqual([]);
  });

  test("must not write to the store", () => {
    const tried: unknown[] = [];
    const meddle = (object: Pod): string => {
      const writes = [
        () => store.add(object),
        () => store.delete(object),
        () => store.replace([], "1"),
        () => store.bookmark("1"),
        () => store.keyed.stageReplace().commit("1"),
        () => store.addIndexers({ more: everyPod }),
        () => store.index("every", object),
        () => store.keyed.delete("other"),
      ];
      for (const attempt of writes) {
        try {
          attempt();
          tried.push("done");
        } catch (error) {
          tried.push(hasCode(error, "LW_NESTED_WRITE") ? "refused" : error);
        }
      }
      return "n1";
    };
    const store: Indexer<Pod, Indexes> = new Indexer<Pod, Indexes>({
      indexers: { every: everyPod, node: meddle },
    });
    write(store, [pod("a")]);
    expect(tried).toEqual([
      ...Array.from({ length: 6 }, () => "refused"),
      "done", // a read
      "refused",
    ]);
    expect(store.listKeys()).toEqual(["a"]);
    expect(store.indexKeys("node", "n1")).toEqual(["a"]);
    store.add(pod("b"));
    expect(store.listKeys()).toEqual(["a", "b"]);
  });
});

describe("an index", () => {
  test("that is added late omits the objects for which its function throws, and reports each", () => {
    const errors: IndexFunctionError[] = [];
    const store = new KeyedStore<Pod>({ onIndexError: (error) => errors.push(error) });
    store.add("a", pod("a", "n1"));
    store.add("bad", pod("bad"));
    store.add("c", pod("c", "n1"));
    const indexed = store.addIndexers({ node });
    expect(indexed.indexKeys("node", "n1")).toEqual(["a", "c"]);
    expect(describeErrors(errors)).toEqual(["node of bad"]);
    expect(store.listIndexErrors()).toEqual(errors);
    indexed.add("bad", pod("bad", "n1"));
    expect(indexed.indexKeys("node", "n1")).toEqual(["a", "bad", "c"]);
    expect(store.listIndexErrors()).toEqual([]);
  });

  test("that is added while a replacement is prepared reports its failures with the commit, once", () => {
    const { store, errors } = createTolerant();
    store.add(pod("bad"));
    const staged = store.keyed.stageReplace();
    staged.put("bad", pod("bad"));
    staged.put("worse", pod("worse"));
    expect(describeErrors(errors)).toEqual(["node of bad"]);
    store.addIndexers({ late: node });
    staged.commit("9");
    expect(describeErrors(errors)).toEqual([
      "node of bad",
      "late of bad",
      "node of worse",
      "late of worse",
    ]);
  });

  test("must be a function", () => {
    const store = new Indexer<Pod>();
    const nothing: unknown = "node";
    expect(() => store.addIndexers({ node: nothing as typeof node, other: everyPod })).toThrow(
      InvalidOptionsError,
    );
    expect(store.getIndexers()).toEqual({});
  });

  test.each(["__proto__", "constructor", "toString", ""])("may have the name %j", (name) => {
    const store = new Indexer<Pod>({ onIndexError: () => {} }).addIndexers<Record<string, string>>({
      [name]: node,
    });
    store.add(pod("a", "n1"));
    store.add(pod("bad"));
    expect(store.byIndex(name, "n1")).toEqual([pod("a", "n1")]);
    expect(store.byIndexes({ [name]: "n1" })).toEqual([pod("a", "n1")]);
    expect(Object.entries(store.getIndexers())).toEqual([[name, node]]);
    expect(describeErrors(store.listIndexErrors())).toEqual([`${name} of bad`]);
    expect(() => store.addIndexers({ [name]: node })).toThrow(/expected new names/);
  });

  test("throws the error, or rejects the value, of its function for the object of a query", () => {
    const { store, errors } = createTolerant();
    expect(() => store.index("node", pod("bad"))).toThrow("it has no spec");
    expect(() => store.index("node", pod("bad", { name: "n1" }))).toThrow(
      'expected a string, a number, a boolean, an array of them, or undefined, got {"name":"n1"}',
    );
    expect(errors).toEqual([]);
    store.add(pod("a", "n1"));
    expect(store.index("node", pod("b", ["n1", undefined, null]))).toEqual([pod("a", "n1")]);
  });
});

test("onIndexError is called after the write, and may write itself", () => {
  const found: unknown[] = [];
  const store: Indexer<Pod, Indexes> = new Indexer<Pod, Indexes>({
    indexers: { every: everyPod, node },
    onIndexError: ({ key }) => {
      found.push(store.getByKey(key));
      store.add(pod(key, "repaired"));
    },
  });
  store.replace([pod("bad"), pod("worse")], "1");
  expect(found).toEqual([pod("bad"), pod("worse")]);
  expect(store.indexKeys("node", "repaired")).toEqual(["bad", "worse"]);
  expect(store.listIndexErrors()).toEqual([]);
});

test("a transaction omits objects that cannot be indexed, and reports their positions", () => {
  const store = new Indexer<Pod, Indexes>({ indexers: { every: everyPod, node } });
  let failure: unknown;
  try {
    store.transaction([
      { type: "Add", object: pod("a", "n1") },
      { type: "Add", object: pod("bad", [{}]) },
      { type: "Add", object: pod("c", "n1") },
    ]);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(TransactionError);
  expect(failure).toMatchObject({
    successfulIndices: [0, 2],
    errors: [expect.any(IndexFunctionError)],
  });
  expect(store.indexKeys("node", "n1")).toEqual(["a", "c"]);
});

test("an error describes the thrown value, whatever it is", () => {
  const thrown = [new Error("text"), "a text", undefined, Object.create(null), { a: 1 }];
  const messages = thrown.map((cause) => new IndexFunctionError("node", "a", cause).message);
  expect(messages.map((message) => message.split(": ").at(-1))).toEqual([
    "text",
    "a text",
    "undefined",
    "{}",
    '{"a":1}',
  ]);
});

describe("the errors of more than 1000 objects", () => {
  const names = Array.from({ length: 1500 }, (_, index) => `bad-${index}`);
  const bad = names.map((name) => pod(name));

  test.each(Object.entries(ways))(
    "are kept for the first 1000 in %s, and all are counted",
    (_, write) => {
      const { errors, store } = createTolerant();
      write(store, bad);
      expect(errors).toHaveLength(1000);
      expect(store.listIndexErrors()).toEqual(errors);
      expect(store.unindexedCount).toBe(1500);
      write(store, bad);
      expect(errors).toHaveLength(1000);

      for (const name of names.slice(0, 1100)) store.add(pod(name, "n1"));
      expect(store.unindexedCount).toBe(400);
      expect(store.listIndexErrors()).toEqual([]);
      store.add(pod("bad-1499"));
      expect(describeErrors(store.listIndexErrors())).toEqual(["node of bad-1499"]);
      expect(errors).toHaveLength(1001);
      for (const name of names) store.delete(pod(name));
      expect(store.unindexedCount).toBe(0);
    },
  );

  test("are kept for the first 1000 when an index is added late", () => {
    const errors: IndexFunctionError[] = [];
    const store = new KeyedStore<Pod>({ onIndexError: (error) => errors.push(error) });
    for (const object of bad) store.add(object.metadata.name, object);
    const indexed = store.addIndexers({ node });
    expect(errors).toHaveLength(1000);
    expect([indexed.listIndexErrors().length, indexed.unindexedCount]).toEqual([1000, 1500]);
  });
});

test("an index function may return the same array each time; the entries of other objects do not change", () => {
  const shared: string[] = [];
  const name = (object: Pod): string[] => {
    shared.length = 0;
    shared.push(object.metadata.name);
    return shared;
  };
  const store = new Indexer<Pod, { name: string }>({ indexers: { name } });
  store.replace([pod("a"), pod("b")], "1");
  const late = store.addIndexers({ late: name });
  for (const value of ["a", "b"]) {
    expect(store.indexKeys("name", value)).toEqual([value]);
    expect(late.indexKeys("late", value)).toEqual([value]);
  }
});

test("an asynchronous index function is rejected, and its rejection is handled", async () => {
  const rejecting = async (): Promise<string> => {
    throw new Error("later");
  };
  const store = new Indexer<Pod, Indexes>({
    indexers: JSON.parse("{}"),
    onIndexError: () => undefined,
  });
  // Untyped programs write index functions too.
  store.addIndexers({ late: rejecting as unknown as () => string });
  store.add(pod("a"));
  expect(store.listIndexErrors()).toMatchObject([
    { indexName: "late", key: "a", message: expect.stringContaining("must not be asynchronous") },
  ]);
  // An unhandled rejection fails the test run.
  await systemClock.nextTurn();
});

test("a failure for an object that cannot be frozen does not affect a later write", () => {
  const errors: IndexFunctionError[] = [];
  const store = new Indexer<Pod, { node: string }>({
    freeze: true,
    indexers: { node },
    onIndexError: (error) => errors.push(error),
  });
  const noExtensions = new Proxy(pod("proxy"), { preventExtensions: () => false });
  expect(() => store.add(noExtensions)).toThrow(TypeError);
  store.add(pod("fine", "n1"));
  expect(errors).toEqual([]);
  expect([store.size, store.unindexedCount]).toEqual([1, 0]);
});
