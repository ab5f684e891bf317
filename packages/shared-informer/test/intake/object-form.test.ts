import { lazyMembers } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";
import { InformerView } from "../../src/index.ts";
import { Cluster, isLazyThroughout, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

test("sources create objects in the form that the environment selects", async () => {
  const cluster = new Cluster();
  await cluster.create("default/a", { data: { n: "1" } });
  const informer = informerOf(cluster);
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await informer.synced;
  const [object = {}] = informer.store.list();
  const members: unknown = Reflect.get(object, lazyMembers);
  expect(Array.isArray(members) && members[1]).toBe(isLazyThroughout ? '{"n":"1"}' : false);
  expect(object).toMatchObject({ metadata: { name: "a" }, data: { n: "1" } });
  stop.abort();
  await ended;
});

test("field selectors of listers and views find members in each form", async () => {
  const cluster = new Cluster();
  await cluster.create("default/a", { data: { n: "1" } });
  await cluster.create("default/b", { data: { n: "2" } });
  await using informer = informerOf(cluster);
  await using view = new InformerView<ConfigMap>([informer], {
    clock: cluster.clock,
    fieldSelector: "data.n=2",
  });
  void informer.run();
  void view.run();
  await view.synced;
  expect(view.store.listKeys()).toEqual(["default/b"]);
  const listed = informer.lister.list({ fieldSelector: "data.n=1" });
  expect(listed.map(({ metadata }) => metadata.name)).toEqual(["a"]);
});
