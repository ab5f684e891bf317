import { describe, expect, test } from "vitest";
import { metricsSink } from "../support/metrics-sink.ts";
import { Cluster } from "../support/cluster.ts";
import { start } from "../support/running.ts";

describe("a metric that throws", () => {
  test("disturbs nothing, and is reported once", async () => {
    const cluster = new Cluster();
    const fail = (): never => {
      throw new Error("no registry");
    };
    const { store, errors, reflector, stop } = await start(cluster.clock, cluster.source(), {
      metrics: metricsSink(({ name }) => {
        if (/last_resource_version|_watches_total/.test(name)) fail();
      }),
    });
    await cluster.create("a");
    await cluster.create("b");
    await cluster.clock.settle();
    expect(store.state()).toEqual(await cluster.state());
    expect(reflector.status()).toMatchObject({ phase: "watching", attempts: 0 });
    expect(errors).toMatchObject([
      { operation: "metrics", recovery: "skip", error: { message: "no registry" } },
      { operation: "metrics", recovery: "skip" },
    ]);
    await stop();
  });
});
