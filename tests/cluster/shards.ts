import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { createClient, ShardSelector, shardRange, type Connection } from "@listwatch/client";
import { metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { LineLog } from "../support/lines.ts";
import type { ControlPlane } from "./control-plane.ts";
import { describe } from "./programs/checks.ts";
import { namespaces } from "./programs/cluster.ts";
import type { Counts } from "./run-program.ts";

const configMaps = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
} as const;
const namespace = "listwatch-shards";
const equalLimitMs = 30_000;
const ranges = [0, 1].map((index) => shardRange("uid", index, 2));

/**
 * Restarts the API server with the feature gate of KEP-5866 on and off, prints a line for each
 * check of informers of shards, and counts them.
 */
export async function runShardChecks(connection: Connection, plane: ControlPlane): Promise<Counts> {
  const counts = { passed: 0, failed: 0 };
  await createClient(connection)
    .resource(namespaces)
    .create({ metadata: { name: namespace } });
  try {
    for (const isOn of [true, false]) {
      await plane.killApiServer();
      await plane.startApiServer({ "feature-gates": `ShardedListAndWatch=${isOn}` });
      for (const watchList of [true, false]) {
        const gate = `gate ${isOn ? "on" : "off"}, ${watchList ? "streamed" : "listed"}`;
        try {
          console.log(`ok   shards: ${gate} (${await followShards(connection, isOn, watchList)})`);
          counts.passed++;
        } catch (error) {
          console.log(`FAIL shards: ${gate}: ${describe(error)}`);
          counts.failed++;
        }
      }
    }
  } finally {
    await plane.killApiServer();
    await plane.startApiServer();
  }
  return counts;
}

/** Compares what two shards hold and deliver with what an unsharded list has. */
async function followShards(
  connection: Connection,
  isFiltered: boolean,
  watchList: boolean,
): Promise<string> {
  const maps = createClient(connection).resource(configMaps);
  const create = async (prefix: string): Promise<void> => {
    for (let index = 0; index < 20; index++) {
      await maps.create({ metadata: { namespace, name: `${prefix}${index}` } });
    }
  };
  const log = new LineLog();
  await create("before");
  await using factory = new SharedInformerFactory({ connection, log });
  const received = ranges.map(() => new Set<string>());
  const informers = ranges.map((shardSelector, index) => {
    const informer = factory.informer(configMaps, {
      namespace,
      shardSelector,
      list: { watchList },
    });
    const add = (object: KubernetesObject): unknown =>
      received[index]?.add(object.metadata?.uid ?? "");
    informer.addEventHandler({ onAdd: add, onUpdate: (_, object) => add(object) });
    return informer;
  });
  factory.start();
  await factory.waitForCacheSync();
  await create("after");
  for (let index = 0; index < 20; index++) {
    await maps.patch(`${namespace}/before${index}`, { metadata: { labels: { touched: "yes" } } });
  }
  for (let index = 0; index < 10; index++) await maps.delete(`${namespace}/after${index}`);
  const { items } = await maps.list({ namespace });
  for (const [index, informer] of informers.entries()) {
    const shard = ShardSelector.parse(ranges[index] ?? "");
    const own = items
      .filter((object) => shard.matches(object))
      .map((object) => metaNamespaceKey(object))
      .toSorted();
    assert.ok(own.length > 0);
    const held = (): readonly string[] => informer.store.listKeys().toSorted();
    const endMs = performance.now() + equalLimitMs;
    // A server that filters sends no event of the last write, so there is no version to wait for.
    while (!isDeepStrictEqual(held(), own) && performance.now() < endMs) await delay(50);
    assert.deepEqual(held(), own);
    assert.ok([...(received[index] ?? [])].every((uid) => shard.matches({ metadata: { uid } })));
  }
  const warned = log.loud.filter(({ message }) => message.includes("filter shards"));
  const selectors = warned.map(({ fields }) => String(fields["shardSelector"]));
  assert.deepEqual(selectors.toSorted(), isFiltered ? [] : ranges.toSorted());
  const sizes = informers.map(({ store }) => store.listKeys().length);
  await maps.deleteCollection({ namespace, all: true });
  return `${sizes.join(" and ")} objects, ${warned.length} lines`;
}
