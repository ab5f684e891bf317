import type { ResourceReference } from "@listwatch/client";
import { Controller, ownerOf } from "@listwatch/controller";
import { InformerView, SharedInformerFactory } from "@listwatch/shared-informer";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cluster, configMapReference, type ConfigMap } from "./support/cluster.ts";

const secrets: ResourceReference = {
  group: "",
  version: "v1",
  resource: "secrets",
};

const loud = ["warn", "error"] as const;

beforeEach(() => {
  for (const level of loud) vi.spyOn(console, level).mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("a complete program without failures logs nothing above info, for hours", async () => {
  const cluster = new Cluster();
  const { clock, connection } = cluster;
  await using factory = new SharedInformerFactory({ clock, connection });
  const maps = factory.informer<ConfigMap>(configMapReference);
  const owned = factory.informer(secrets);
  const web = new InformerView([maps], { clock, labelSelector: "app=web" });
  const stop = new AbortController();
  let conflicts = 0;
  const controller = new Controller({
    clock,
    informer: maps,
    reconcile: async (key) => {
      const map = maps.store.getByKey(key);
      if (map === undefined || map.data?.["done"] !== undefined) return undefined;
      // A concurrent write causes a conflict, which is retried.
      if (conflicts++ === 0) await cluster.update(key, { data: { other: "1" } });
      await cluster.configMaps.update({ ...map, data: { ...map.data, done: "yes" } });
      return { requeueAfterMs: 1000 };
    },
  }).owns(owned, ownerOf({ group: "", kind: "ConfigMap" }));
  const seen: string[] = [];
  web.addEventHandler({ onAdd: ({ metadata }) => seen.push(metadata.name) });
  factory.start(stop.signal);
  const ends = [web.run(stop.signal), controller.run(stop.signal)];
  await cluster.create("shop/a", { labels: { app: "web" } });
  await clock.advance(1000);
  for (let hour = 0; hour < 3; hour++) {
    await cluster.create(`shop/b${hour}`);
    await clock.advance(1_800_000);
    for (const watch of cluster.api.control.watches.list()) watch.sendError({ code: 410 });
    await cluster.delete(`shop/b${hour}`);
    await clock.advance(1_800_000);
  }
  expect(seen).toEqual(["a"]);
  expect(conflicts).toBeGreaterThan(1);
  expect(await cluster.configMaps.get("shop/a")).toMatchObject({ data: { done: "yes" } });
  stop.abort();
  await Promise.all(ends);
  await factory.shutdown();
  for (const level of loud) expect(vi.mocked(console[level]).mock.calls).toEqual([]);
});
