import { Collection, createClient, createConnection } from "@listwatch/client";
import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { SharedInformerFactory } from "../../src/index.ts";
import { configMapReference, server, type ConfigMap } from "../support/cluster.ts";
import { configMaps } from "../support/factory.ts";

const low = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const high = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

/** A factory, and an API server that supports shards or ignores them. */
class World {
  readonly clock = new SimulatedClock();
  readonly api: FakeApiServer;
  readonly factory: SharedInformerFactory;
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
    this.factory = new SharedInformerFactory({ connection, clock, log: silentLog });
  }

  async create(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#client.create({ metadata: { name, namespace: "kube-public" } });
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
    "requests it in every list and watch, holds no other object, and no object leaves it; streamed: %s (SHD-5, SHD-6)",
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

  test("holds the whole collection of a server that ignores shards, whose lists do not echo it (SHD-3)", async () => {
    const world = new World(false);
    await world.create(...some);
    const informer = world.factory.informer(configMaps, { ...options, shardSelector: low });
    world.factory.start();
    await world.factory.waitForCacheSync();
    expect(informer.store.listKeys()).toHaveLength(20);
    expect(await world.echo(low)).toBeUndefined();
    expect(await new World(true).echo(low)).toBe(low);
    await world.factory[Symbol.asyncDispose]();
  });
});
