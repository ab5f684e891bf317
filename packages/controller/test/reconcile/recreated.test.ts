import { seededRandom } from "@listwatch/core-fifo/testing";
import { silentLog, type Cached } from "@listwatch/core-fifo";
import {
  annotationsChanged,
  Controller,
  generationChanged,
  labelsChanged,
} from "@listwatch/controller";
import { SharedInformer } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { Cluster, configMap, type ConfigMap } from "../support/cluster.ts";

const predicates = { generationChanged, labelsChanged, annotationsChanged };
const names = ["a", "b", "c"];

/** Creates objects again at random, with and without a watch; returns what was not reconciled. */
async function missedOf(
  seed: number,
  predicate: (typeof predicates)[keyof typeof predicates],
  detectRecreate: boolean,
): Promise<readonly string[]> {
  const cluster = new Cluster(seed);
  const random = seededRandom(seed);
  const stop = new AbortController();
  const informer = new SharedInformer<ConfigMap>({
    clock: cluster.clock,
    listerWatcher: cluster.source(),
    cache: { detectRecreate },
    list: { watchList: random() < 0.5 },
    telemetry: { log: silentLog },
  });
  const reconciled = new Set<string | undefined>();
  const uidOf = (object: Cached<ConfigMap> | undefined): string | undefined => object?.metadata.uid;
  const controller = new Controller({
    clock: cluster.clock,
    telemetry: { log: silentLog },
    reconcile: async (key) => void reconciled.add(uidOf(informer.store.getByKey(key))),
  }).for(informer, { predicate });
  for (const name of names) await cluster.create(name);
  const running = [informer.run(stop.signal), controller.run(stop.signal)];
  await cluster.clock.advance(1000);
  for (let left = 6; left > 0; left--) {
    const isDown = random() < 0.7;
    if (isDown) await interruptWatch(cluster);
    for (const name of names) {
      if (random() < 0.5) continue;
      await cluster.delete(name);
      await cluster.configMaps.create(configMap(`default/${name}`));
    }
    if (isDown) cluster.api.control.compact();
    await cluster.clock.advance(60_000);
  }
  const missed = informer.store.list().filter((object) => !reconciled.has(uidOf(object)));
  stop.abort();
  await cluster.clock.advance(10_000);
  await Promise.all(running);
  return missed.map(({ metadata }) => metadata.name);
}

/** Ends the watches and refuses the next one. */
async function interruptWatch({ api, clock }: Cluster): Promise<void> {
  api.control.watches.end();
  const status = { code: 503 };
  const match = { resource: "configmaps", verb: "watch" } as const;
  api.control.faults.add({ match, action: { type: "status", status }, times: 2 });
  await clock.settle();
}

test.each(
  Object.entries(predicates).flatMap(([name, predicate]) =>
    [true, false].map((detectRecreate) => [name, detectRecreate, predicate] as const),
  ),
)(
  "a controller with %s reconciles each object that was created again (detectRecreate: %s)",
  async (_, detectRecreate, predicate) => {
    for (let seed = 1; seed <= 20; seed++) {
      const missed = await missedOf(seed, predicate, detectRecreate);
      expect({ seed, missed }).toEqual({ seed, missed: [] });
    }
  },
);
