import { metaNamespaceKey, type Cached } from "@listwatch/core-fifo";
import {
  Indexer,
  type Indexers,
  type IndexValues,
  Lister,
  namespaceIndex,
  type NoIndexes,
  type Store,
} from "@listwatch/store-indexer";
import { expect, expectTypeOf, test } from "vitest";
import { pod, type Pod } from "../pod.ts";

const ports = (object: Pod): number[] => object.metadata.name.split("").map(Number);

test("object type and index types come from the index functions", () => {
  const pods = new Indexer({
    indexers: { ...namespaceIndex, node: (object: Pod) => [object.spec.nodeName], port: ports },
  });
  expectTypeOf(pods).toEqualTypeOf<
    Indexer<Pod, { namespace: string; node: string; port: number }>
  >();
  expectTypeOf(pods.getByKey("a/b")).toEqualTypeOf<Cached<Pod> | undefined>();
  expectTypeOf(pods.listIndexFuncValues("port")).toEqualTypeOf<number[]>();
  expect(pods.byIndex("port", 1)).toEqual([]);
});

test("index functions are typed by explicit type arguments too", () => {
  const pods = new Indexer<Pod, { node: string }>({
    indexers: { node: (object) => object.spec.nodeName },
  });
  expectTypeOf(pods.getIndexers()).toExtend<{ node: (object: Pod) => unknown }>();
  expect(pods.byIndex("node", "n1")).toEqual([]);
});

test("parameters of index functions need no annotation where the object type is known", () => {
  const pods = new Indexer({
    keyFunc: (object: Pod) => object.metadata.name,
    indexers: {
      ...namespaceIndex,
      node: (object) => object.spec.nodeName,
      length: (object) => (object.metadata.name.length > 3 ? "long" : "short"),
      port: (object) => [object.metadata.name.length],
    },
  });
  expectTypeOf(pods).toEqualTypeOf<
    Indexer<Pod, { namespace: string; node: string; length: "long" | "short"; port: number }>
  >();
  expect(pods.byIndex("length", "short")).toEqual([]);
  // @ts-expect-error -- not a value of this index
  expect(pods.byIndex("length", "sideways")).toEqual([]);
  const more = pods.addIndexers({ first: (object) => object.metadata.name.startsWith("a") });
  expectTypeOf(more.listIndexFuncValues("first")).toEqualTypeOf<boolean[]>();
  expectTypeOf(pods.reader.byIndex("node", "n1")).toEqualTypeOf<Cached<Pod>[]>();
});

test("a function that takes a handle of the type infers names and values of indexes", () => {
  interface Handle<T> {
    readonly object?: T;
  }
  const createIndexer = <T, const I extends IndexValues = NoIndexes>(
    _handle: Handle<T>,
    options: { readonly keyFunc: (object: T) => string; readonly indexers?: Indexers<T, I> },
  ): Indexer<T, I> => new Indexer<T, I>(options);
  const handle: Handle<Pod> = {};
  const pods = createIndexer(handle, {
    keyFunc: (object) => object.metadata.name,
    indexers: { length: (object) => (object.metadata.name.length > 3 ? "long" : "short") },
  });
  expectTypeOf(pods).toEqualTypeOf<Indexer<Pod, { length: "long" | "short" }>>();
  expect(pods.byIndex("length", "long")).toEqual([]);
});

test("a key function determines the object type by itself", () => {
  const pods = new Indexer({ keyFunc: (object: Pod) => object.metadata.name });
  expectTypeOf(pods.list()).toEqualTypeOf<Cached<Pod>[]>();
  expect(pods.size).toBe(0);
});

test("index functions determine the object type next to a key function for any object", () => {
  const pods = new Indexer({
    keyFunc: metaNamespaceKey,
    indexers: { ...namespaceIndex, node: (object: Pod) => object.spec.nodeName },
  });
  expectTypeOf(pods).toEqualTypeOf<Indexer<Pod, { namespace: string; node: string }>>();
  const byName = (object: { readonly metadata: { readonly name: string } }): string =>
    object.metadata.name;
  const named = new Indexer({
    keyFunc: byName,
    indexers: { port: (object: Pod) => ports(object) },
  });
  expectTypeOf(named).toEqualTypeOf<Indexer<Pod, { port: number }>>();
  const contextual = new Indexer({
    keyFunc: (object) => {
      expectTypeOf(object).toEqualTypeOf<Pod>();
      return object.metadata.name;
    },
    indexers: { port: (object: Pod) => ports(object) },
  });
  expectTypeOf(contextual).toEqualTypeOf<Indexer<Pod, { port: number }>>();
  // @ts-expect-error -- the objects of the indexes have no serial
  void new Indexer({ keyFunc: (object: { serial: string }) => object.serial, indexers: { ports } });
  expectTypeOf(new Indexer({ keyFunc: metaNamespaceKey })).toEqualTypeOf<Indexer<unknown>>();
});

test("unknown names and values of another type do not compile", () => {
  const pods = new Indexer({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  // @ts-expect-error -- no such index
  expect(() => pods.byIndex("nope", "x")).toThrow("nope");
  // @ts-expect-error -- the values are strings
  expect(pods.byIndex("node", 1)).toEqual([]);
  // @ts-expect-error -- no such index
  expect(() => pods.byIndexes({ nope: "x" })).toThrow("nope");
  // @ts-expect-error -- no such index
  expect(pods.listIndexFuncValues("nope")).toEqual([]);
  // @ts-expect-error -- an index function must return values to look up by
  expect(() => pods.addIndexers({ broken: () => new Date() })).not.toThrow();
});

test("addIndexers adds to the type", () => {
  const pods = new Indexer({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  const more = pods.addIndexers({ port: (object) => ports(object) });
  expectTypeOf(more.listIndexFuncValues("port")).toEqualTypeOf<number[]>();
  expectTypeOf(more.listIndexFuncValues("node")).toEqualTypeOf<string[]>();
  expect(more).toBe(pods);
});

test("cached objects can be handed back to the store, and any indexer is a store and listable", () => {
  const pods = new Indexer<Pod>();
  pods.add(pod("a/web"));
  const [cached] = pods.list();
  expect(cached && pods.get(cached)).toBe(cached);
  const store: Store<Pod> = new Indexer<Pod, { namespace: string }>({ indexers: namespaceIndex });
  expectTypeOf(new Lister(pods, { resource: "pods" }).get("a/web")).toEqualTypeOf<Cached<Pod>>();
  expect(store.list()).toEqual([]);
});

test("code can be generic over objects and indexes", () => {
  function count<T, N extends string>(
    objects: T[],
    name: N,
    indexers: Indexers<T, { [K in N]: string }>,
  ) {
    const store = new Indexer<T, { [K in N]: string }>({ keyFunc: String, indexers });
    for (const object of objects) store.add(object);
    return store.listIndexFuncValues(name).length;
  }
  expect(
    count([1, 2, 3], "parity", { parity: (n: number) => (n % 2 === 0 ? "even" : "odd") }),
  ).toBe(2);
});

test("index functions read objects that are read-only at every depth", () => {
  interface Job {
    metadata: { name: string; labels?: { [key: string]: string } };
    spec: { hosts: string[]; node?: string };
  }
  const jobs = new Indexer({
    keyFunc: (job: Job) => job.metadata.name,
    indexers: {
      ...namespaceIndex,
      node: (job) => {
        expectTypeOf(job).toEqualTypeOf<Cached<Job>>();
        // @ts-expect-error -- read-only
        void (() => (job.spec.node = "n1"));
        // @ts-expect-error -- lists are read-only too
        void (() => job.spec.hosts.push("h"));
        return job.spec.node;
      },
    },
  });
  expectTypeOf(jobs.getByKey("a")).toEqualTypeOf<Cached<Job> | undefined>();
  const more = jobs.addIndexers({
    host: (job) => {
      expectTypeOf(job).toEqualTypeOf<Cached<Job>>();
      return job.spec.hosts;
    },
  });
  expect(more.byIndex("host", "h")).toEqual([]);
  // Functions that annotate their parameter determine the object type, in either form.
  const indexers = { ...namespaceIndex, node: (job: Cached<Job>) => job.spec.node };
  expectTypeOf(new Indexer({ indexers }).list()).toEqualTypeOf<Cached<Job>[]>();
  const ofPlain = new Indexer({
    indexers: { ...namespaceIndex, node: (job: Job) => job.spec.node },
  });
  expectTypeOf(ofPlain.list()).toEqualTypeOf<Cached<Job>[]>();
});
