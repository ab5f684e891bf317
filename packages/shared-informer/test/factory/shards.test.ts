import { Collection, createClient, createConnection, ShardSelector } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { SharedInformerFactory } from "../../src/index.ts";
import { configMapReference, server, type ConfigMap } from "../support/cluster.ts";
import { configMaps } from "../support/factory.ts";
import { LineLog } from "../support/lines.ts";

const low = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const high = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

/** A factory, and an API server that supports shards or ignores them. */
class World {
  readonly clock = new SimulatedClock();
  readonly api: FakeApiServer;
  readonly factory: SharedInformerFactory;
  readonly log = new LineLog();
  readonly #client;
  readonly #connection;

  constructor(shardedListAndWatch: boolean) {
    const { clock } = this;
    this.api = new FakeApiServer({ clock, seed: 1, shardedListAndWatch });
    this.#connection = createConnection({ server, fetch: this.api.fetch });
    this.#client = createClient(this.#connection, { clock }).resource<ConfigMap>(
      configMapReference,
    );
    const connection = createConnection({
      server,
      fetch: this.api.fetch,
      headers: { "x-by": "factory" },
    });
    this.factory = new SharedInformerFactory({ connection, clock, log: this.log });
  }

  async create(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#client.create({ metadata: { name, namespace: "kube-public" } });
    }
  }

  /** Creates objects until one satisfies a condition, and returns it. */
  async createUntil(isWanted: (object: ConfigMap) => boolean, name = "c"): Promise<ConfigMap> {
    for (let index = 0; ; index++) {
      const metadata = { name: index === 0 ? name : `${name}${index}`, namespace: "kube-public" };
      const object = await this.#client.create({ metadata });
      if (isWanted(object)) return object;
    }
  }

  async touch(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#client.patch(`kube-public/${name}`, { data: { touched: "yes" } });
    }
  }

  async remove(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.#client.delete(`kube-public/${name}`);
  }

  /** Returns the shard that a list echoes. */
  async echo(shardSelector: string): Promise<string | undefined> {
    const collection = new Collection({
      connection: this.#connection,
      resource: configMapReference,
      shardSelector,
      clock: this.clock,
    });
    const { signal } = new AbortController();
    const list = await collection.list({}, { signal });
    for await (const batch of list.items) void batch;
    return list.metadata?.shardInfo?.selector;
  }
}

const some = Array.from({ length: 20 }, (_, index) => `a${index}`);
const more = Array.from({ length: 20 }, (_, index) => `b${index}`);
const options = { namespace: "kube-public" };

describe("an informer of a shard (KEP-5866)", () => {
  test.each([true, false])(
    "requests it in every list and watch, holds no other object, and no object leaves it; streamed: %s (SHD-5, SHD-6, SHS-3)",
    async (watchList) => {
      const world = new World(true);
      await world.create(...some);
      const events: string[][] = [];
      const informers = [low, high].map((shardSelector) => {
        const list = { watchList };
        const informer = world.factory.informer(configMaps, { ...options, shardSelector, list });
        const seen: string[] = [];
        events.push(seen);
        informer.addEventHandler({
          onAdd: ({ metadata }) => seen.push(`add ${metadata?.name}`),
          onDelete: ({ key }) => seen.push(`delete ${key}`),
        });
        return informer;
      });
      const keys = (): string[][] => informers.map(({ store }) => store.listKeys());
      expect(informers[0]).not.toBe(informers[1]);
      world.factory.start();
      await world.factory.waitForCacheSync();
      await world.create(...more);
      await world.touch(...some, ...more);
      await world.clock.settle();
      const all = [...some, ...more].map((name) => `kube-public/${name}`);
      expect(keys().flat().toSorted()).toEqual(all.toSorted());
      expect(keys().every((shard) => shard.length > 5)).toBe(true);
      expect(events.flat()).toHaveLength(40);
      await world.remove(...some);
      await world.clock.settle();
      expect(keys().flat()).toHaveLength(20);
      expect(events.flat()).toHaveLength(60);
      const requests = world.api.control.recorder.list({ headers: { "x-by": "factory" } });
      expect(requests.length).toBeGreaterThanOrEqual(2);
      for (const { query } of requests) expect([low, high]).toContain(query.get("shardSelector"));
      await world.factory[Symbol.asyncDispose]();
    },
  );

  test("a list of a server that ignores shards does not echo the selector (SHD-3)", async () => {
    expect(await new World(false).echo(low)).toBeUndefined();
    expect(await new World(true).echo(low)).toBe(low);
  });

  test.each([
    { watchList: true, pageSize: 0 },
    { watchList: false, pageSize: 0 },
    { watchList: false, pageSize: 2 },
  ])(
    "holds only its objects although the server sends all, and reports that once; %o (SHS-2)",
    async (list) => {
      const world = new World(false);
      await world.create(...some);
      const [mine, others] = [low, high].map((shardSelector) =>
        world.factory.informer(configMaps, { ...options, shardSelector, list }),
      );
      if (mine === undefined || others === undefined) throw new Error("unreachable");
      const seen = new Set<string>();
      mine.addEventHandler({
        onAdd: ({ metadata }) => seen.add(metadata?.name ?? ""),
        onUpdate: (_, { metadata }) => seen.add(metadata?.name ?? ""),
        onDelete: ({ key }) => seen.add(key.split("/")[1] ?? ""),
      });
      world.factory.start();
      await world.factory.waitForCacheSync();
      await world.create(...more);
      await world.touch(...some, ...more);
      await world.clock.settle();
      const shard = ShardSelector.parse(low);
      expect(mine.store.listKeys().length).toBeGreaterThan(5);
      expect(mine.store.list().every((object) => shard.matches(object))).toBe(true);
      expect(others.store.list().some((object) => shard.matches(object))).toBe(false);
      const all = [...some, ...more].map((name) => `kube-public/${name}`);
      const held = [mine, others].flatMap(({ store }) => store.listKeys());
      expect(held.toSorted()).toEqual(all.toSorted());
      const names = new Set(mine.store.listKeys().map((key) => key.split("/")[1] ?? ""));
      await world.remove(...some, ...more);
      await world.clock.settle();
      expect(seen).toEqual(names);
      expect(mine.store.listKeys()).toEqual([]);
      const warned = world.log.loud.filter(({ message }) => message.includes("filter shards"));
      expect(warned.map(({ fields }) => fields["shardSelector"])).toEqual([low, high]);
      await world.factory[Symbol.asyncDispose]();
    },
  );

  test("follows the versions of objects that it leaves out, so that a watch resumes after them (SHS-2)", async () => {
    const world = new World(false);
    await world.create(...some);
    const informer = world.factory.informer(configMaps, { ...options, shardSelector: low });
    world.factory.start();
    await world.factory.waitForCacheSync();
    const shard = ShardSelector.parse(low);
    const foreign = await world.createUntil((object) => !shard.matches(object));
    await world.clock.settle();
    expect(informer.lastStoreSyncResourceVersion).toBe(foreign.metadata?.resourceVersion);
    world.api.control.recorder.clear();
    world.api.control.watches.reset();
    await world.clock.advance(5000);
    const watches = world.api.control.recorder.list({ verb: "watch" });
    expect(watches.map(({ query }) => query.get("resourceVersion"))).toContain(
      foreign.metadata?.resourceVersion,
    );
    expect(world.api.control.recorder.list({ verb: "list" })).toEqual([]);
    await world.factory[Symbol.asyncDispose]();
  });

  test("forgets an object that is deleted and created again with a uid of another shard (SHS-2)", async () => {
    const world = new World(false);
    const informer = world.factory.informer(configMaps, { ...options, shardSelector: low });
    const shard = ShardSelector.parse(low);
    world.factory.start();
    await world.factory.waitForCacheSync();
    const counts = { held: 0, other: 0 };
    for (let round = 0; round < 12; round++) {
      const created = await world.createUntil(() => true, "again");
      await world.clock.settle();
      const isHeld = shard.matches(created);
      counts[isHeld ? "held" : "other"] += 1;
      expect(informer.store.listKeys()).toEqual(isHeld ? ["kube-public/again"] : []);
      // The informer misses every second deletion, and finds it in a list.
      if (round % 2 === 0) world.api.control.watches.reset();
      await world.remove("again");
    }
    expect(Math.min(counts.held, counts.other)).toBeGreaterThan(0);
    await world.factory[Symbol.asyncDispose]();
  });

  test("an invalid selector is refused before a request, which a server would answer with 500 (SHS-5)", () => {
    const world = new World(true);
    const shardSelector = "shardRange(object.metadata.uid, '0x0', '0x8')";
    expect(() => world.factory.informer(configMaps, { ...options, shardSelector })).toThrow(
      "Cannot use the option shardSelector: expected ranges such as",
    );
  });
});
