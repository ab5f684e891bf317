import { SharedInformer, type SharedInformerOptions } from "@listwatch/shared-informer";
import { describe, expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

type Options = Partial<SharedInformerOptions<ConfigMap, { readonly namespace: string }>>;

/** Keeps objects marked in `data.keep`, independently of each other. */
const isMarked = ({ data }: ConfigMap): boolean => data?.["keep"] === "yes";
const marked = { data: { keep: "yes" } };
const unmarked = { data: { keep: "no" } };

function follow(cluster: Cluster, options: Options = {}) {
  const { cache, ...rest } = options;
  const informer = new SharedInformer<ConfigMap>({
    listerWatcher: cluster.source(),
    clock: cluster.clock,
    cache: { keep: isMarked, ...cache },
    ...rest,
  });
  const calls: string[] = [];
  informer.addEventHandler({
    onAdd: ({ metadata }) => void calls.push(`add ${metadata.name}`),
    onUpdate: (_, { metadata }) => void calls.push(`update ${metadata.name}`),
    onDelete: ({ key }) => void calls.push(`delete ${key}`),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await cluster.clock.advance(0);
    await running;
  };
  return { informer, calls, end };
}

describe.each<[string, Options]>([
  ["a list", { list: { watchList: false } }],
  ["a streamed list", {}],
])("the kept part, with %s", (_, options) => {
  test("is in the cache, the rest is not, and objects enter and leave it", async () => {
    const cluster = new Cluster(1);
    await cluster.create("default/a", marked);
    await cluster.create("default/b", unmarked);
    const { informer, calls, end } = follow(cluster, options);
    await cluster.clock.advance(1000);
    expect(informer.store.listKeys()).toEqual(["default/a"]);
    await cluster.create("default/c", unmarked);
    await cluster.create("default/d", marked);
    await cluster.update("default/b", marked);
    await cluster.update("default/a", unmarked);
    await cluster.update("default/c", { data: { keep: "still not" } });
    await cluster.delete("default/c");
    await cluster.delete("default/d");
    await cluster.clock.advance(1000);
    expect(informer.store.listKeys()).toEqual(["default/b"]);
    expect(calls).toEqual(["add a", "add d", "add b", "delete default/a", "delete default/d"]);
    await end();
  });

  test("is the same after a relist, and held objects keep their identity", async () => {
    const cluster = new Cluster(1);
    await cluster.create("default/a", marked);
    await cluster.create("default/b", unmarked);
    await cluster.create("default/c", marked);
    const { informer, calls, end } = follow(cluster, options);
    await cluster.clock.advance(1000);
    const held = informer.store.getByKey("default/a");
    cluster.api.control.watches.end();
    await cluster.update("default/b", marked);
    await cluster.update("default/c", unmarked);
    cluster.api.control.compact();
    await cluster.clock.advance(60_000);
    expect(informer.store.listKeys().toSorted()).toEqual(["default/a", "default/b"]);
    expect(informer.store.getByKey("default/a")).toBe(held);
    expect(calls.filter((call) => call.startsWith("delete"))).toEqual(["delete default/c"]);
    await end();
  });
});

test("the write of an object that is not kept resolves a wait for its version", async () => {
  const cluster = new Cluster(1);
  const { informer, end } = follow(cluster);
  await cluster.clock.advance(1000);
  const created = await cluster.create("default/a", unmarked);
  const waiting = informer.waitForObject(created);
  await cluster.clock.advance(1000);
  await waiting;
  expect(informer.store.listKeys()).toEqual([]);
  await end();
});

test("the filter runs before the transform", async () => {
  const cluster = new Cluster(1);
  await cluster.create("default/a", marked);
  await cluster.create("default/b", unmarked);
  const { informer, end } = follow(cluster, {
    cache: { transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) },
  });
  await cluster.clock.advance(1000);
  expect(informer.store.list()).toMatchObject([{ metadata: { name: "a" } }]);
  expect(informer.store.list()[0]).not.toHaveProperty("data");
  await end();
});

test("an object for which the filter throws is kept, and the error is reported", async () => {
  const cluster = new Cluster(1);
  await cluster.create("default/a", marked);
  await cluster.create("default/b");
  const errors: string[] = [];
  const { informer, end } = follow(cluster, {
    cache: {
      keep: (object) => {
        if (object.metadata.name === "b") throw new Error("no rule for b");
        return false;
      },
    },
    onError: (error) => void errors.push(String(error)),
  });
  await cluster.clock.advance(1000);
  expect(informer.store.listKeys()).toEqual(["default/b"]);
  expect(errors).toEqual(["Error: no rule for b"]);
  await end();
});

test("a filter that returns a promise is reported, and its object is kept", async () => {
  const cluster = new Cluster(1);
  await cluster.create("default/a", unmarked);
  const errors: unknown[] = [];
  const { informer, end } = follow(cluster, {
    // An untyped filter may be asynchronous.
    cache: { keep: (async () => false) as unknown as () => boolean },
    onError: (error) => void errors.push(error),
  });
  await cluster.clock.advance(1000);
  expect(informer.store.listKeys()).toEqual(["default/a"]);
  expect(errors).toMatchObject([{ message: expect.stringContaining("must not be asynchronous") }]);
  await end();
});

describe("an object for which the filter throws", () => {
  test.each([true, false])(
    "is a problem until the filter works for it, or it is deleted (streamed lists: %s)",
    async (watchList) => {
      const cluster = new Cluster(1);
      const lines: string[] = [];
      const write = (message: string): void => void lines.push(message);
      const log = { debug: write, info: write, warn: write, error: write };
      for (const key of ["default/a", "default/b", "default/c"]) await cluster.create(key, marked);
      let isBroken = true;
      const { informer, end } = follow(cluster, {
        list: { watchList },
        telemetry: { log },
        cache: {
          keep: (object) => {
            if (isBroken && object.metadata.name !== "a") throw new TypeError("no such field");
            return isMarked(object);
          },
        },
      });
      const relist = async (): Promise<void> => {
        cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
        await cluster.clock.advance(5000);
      };
      await cluster.clock.advance(61_000);
      expect(informer.status().problem).toMatchObject({
        reason: "unusableObject",
        attempts: 2,
        keys: ["default/b", "default/c"],
        error: { message: "no such field" },
      });
      expect(informer.isFresh({ withinMs: 90_000 })).toBe(true);
      expect(lines).toEqual(["Cache update failed", "Cache update still fails"]);
      await cluster.delete("default/b");
      await relist();
      expect(informer.status().problem?.keys).toEqual(["default/c"]);
      isBroken = false;
      if (watchList) await cluster.update("default/c", { data: { other: "change" } });
      else await relist();
      await cluster.clock.advance(1000);
      expect(informer.status().problem).toBeUndefined();
      await end();
    },
  );
});
