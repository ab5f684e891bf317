import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import { configmaps } from "listwatch/resources/core/v1";
import { eventStreamSource, toEventStream } from "listwatch/streams";
import { Informer, SharedInformerFactory } from "listwatch";
import { withTestCluster } from "listwatch/testing";

const settings = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "shop", name: "settings" },
};

void test(
  "a page gets a collection from a route of Hono",
  withTestCluster({ objects: [settings] }, async (cluster) => {
    const { clock, connection, signal } = cluster;
    const factory = new SharedInformerFactory({ connection, clock });
    const maps = factory.informer(configmaps);
    const handler = toEventStream({ maps }, { authorize: () => true, clock });
    const app = new Hono().get("/stream", ({ req }) => handler(req.raw));
    const stream = eventStreamSource("http://dashboard/stream", {
      fetch: async (url, init) => app.request(url, init),
    });
    const page = new Informer(stream.collection("maps"), { name: "maps", clock });
    cluster.run("the server", async () => {
      factory.start();
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      await handler[Symbol.asyncDispose]();
      await factory[Symbol.asyncDispose]();
    });
    cluster.run("the page", () => page.run(signal));
    await cluster.until(() => page.store.getByKey("shop/settings") !== undefined);
    assert.deepEqual(page.store.listKeys(), ["shop/settings"]);
  }),
);
