// With informers, controllers and an election, which are heavy for a page.
import { createClient, observeConnection } from "@listwatch/client";
import { Controller, LeaderElector } from "@listwatch/controller";
import { silentLog, type MetricDefinition, type MetricsSink } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { Cluster } from "../support/cluster.ts";
import { knownMetrics } from "../../src/index.ts";

test("the known metrics are those that the packages create, with their kinds and labels (OBS-4)", async () => {
  const cluster = new Cluster();
  const created = new Map<string, string>();
  const note =
    (type: string) =>
    ({ labels = [], name }: MetricDefinition) => {
      created.set(name, `${type} ${labels.join(",")}`);
      return () => ({ inc: () => {}, set: () => {}, observe: () => {} });
    };
  const metrics: MetricsSink = {
    counter: note("counter"),
    gauge: note("gauge"),
    histogram: note("histogram"),
  };
  const { clock } = cluster;
  const connection = observeConnection(cluster.connection, { clock, metrics });
  const telemetry = { log: silentLog, metrics };
  await using factory = new SharedInformerFactory({ connection, clock, log: silentLog, metrics });
  const informer = factory.informer({ group: "", version: "v1", resource: "configmaps" });
  void new Controller({ informer, reconcile: () => {}, clock, telemetry });
  const client = createClient(connection, { clock });
  void new LeaderElector({ client, lease: { namespace: "default", name: "a" }, clock, telemetry });
  const stop = new AbortController();
  factory.start();
  await factory.waitForCacheSync();
  stop.abort();
  const known = knownMetrics.map(({ labels, name, type }) => [name, `${type} ${labels.join(",")}`]);
  // Only connections with an exec plugin have these; the tests of plugins run them.
  const others = knownMetrics.filter(({ name }) => /exec_plugin/.test(name));
  for (const { labels, name, type } of others) created.set(name, `${type} ${labels.join(",")}`);
  expect(Object.fromEntries(created)).toEqual(Object.fromEntries(known));
});
