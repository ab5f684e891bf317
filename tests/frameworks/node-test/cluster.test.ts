import assert from "node:assert/strict";
import { test } from "node:test";
import { configmaps } from "listwatch/resources/core/v1";
import { matchers, withTestCluster } from "listwatch/testing";
import { deleteTemporary } from "../delete-temporary.ts";

const old = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name: "old", labels: { temporary: "yes" } },
};

void test(
  "deletes what is temporary, in a cluster that ends by itself",
  withTestCluster({ objects: [old] }, async (cluster) => {
    cluster.run("the program", () => deleteTemporary(cluster.connection, "default"));
    await cluster.until((state) => state.get(configmaps, "default/old") === undefined);
    assert.deepEqual(cluster.list(configmaps), []);
    const ready = { status: { conditions: [{ type: "Ready", status: "True" }] } };
    const { message, pass } = matchers.toHaveCondition(ready, "Ready");
    assert.ok(pass, message());
  }),
);
