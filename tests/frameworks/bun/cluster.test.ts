import { expect, test } from "bun:test";
import { configmaps } from "listwatch/resources/core/v1";
import { matchers, withTestCluster } from "listwatch/testing";
import { deleteTemporary } from "../delete-temporary.ts";

const old = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name: "old", labels: { temporary: "yes" } },
};

expect.extend(matchers);
const extended = expect as unknown as (value: unknown) => any;

test(
  "deletes what is temporary, in a cluster that ends by itself",
  withTestCluster({ objects: [old] }, async (cluster) => {
    cluster.run("the program", () => deleteTemporary(cluster.connection, "default"));
    await cluster.until((state) => state.get(configmaps, "default/old") === undefined);
    expect(cluster.list(configmaps)).toEqual([]);
    const ready = { status: { conditions: [{ type: "Ready", status: "True" }] } };
    extended(ready).toHaveCondition("Ready");
  }),
);
