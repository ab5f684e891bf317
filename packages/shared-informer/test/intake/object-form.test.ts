import { lazyMembers } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";
import { Cluster, sourceForm } from "../support/cluster.ts";
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
  expect(Array.isArray(members) && members[1]).toBe(sourceForm.lazy ? '{"n":"1"}' : false);
  expect(object).toMatchObject({ metadata: { name: "a" }, data: { n: "1" } });
  stop.abort();
  await ended;
});
