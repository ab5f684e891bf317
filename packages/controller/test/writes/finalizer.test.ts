import { beforeEach, describe, expect, test } from "vitest";
import { withFinalizer } from "@listwatch/controller";
import { Cluster, configMap } from "../support/cluster.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

describe("withFinalizer", () => {
  test("adds the finalizer before it applies, cleans up before it removes it, and keeps other finalizers", async () => {
    const { configMaps } = cluster;
    const finalizer = "example.com/cleanup";
    const steps: string[] = [];
    const actions = {
      finalizer,
      apply: async () => {
        const { metadata } = await configMaps.get("default/a");
        steps.push(`apply ${metadata.finalizers?.join()}`);
        return "applied";
      },
      cleanup: async () => {
        const { metadata } = await configMaps.get("default/a");
        steps.push(`cleanup ${metadata.finalizers?.join()}`);
      },
    };
    const created = await configMaps.create(
      configMap("default/a", { metadata: { name: "", finalizers: ["example.com/other"] } }),
    );
    expect(await withFinalizer(configMaps, created, actions)).toBe("applied");
    await configMaps.delete("default/a");
    expect(
      await withFinalizer(configMaps, await configMaps.get("default/a"), actions),
    ).toBeUndefined();
    expect(steps).toEqual([
      `apply example.com/other,${finalizer}`,
      `cleanup example.com/other,${finalizer}`,
    ]);
    const left = await configMaps.get("default/a");
    expect(left.metadata.finalizers).toEqual(["example.com/other"]);
    expect(await withFinalizer(configMaps, left, actions)).toBeUndefined();
    expect(steps).toHaveLength(2);
  });

  test("ends its requests and the wait for the next attempt with the signal of its options", async () => {
    const { configMaps } = cluster;
    const stale = await configMaps.create(configMap("default/a"));
    await configMaps.patch("default/a", { data: { x: "1" } });
    const controller = new AbortController();
    const { signal } = controller;
    const delays = { durationMs: 60_000, factor: 1, jitter: 0, steps: 2 };
    const steps: string[] = [];
    const writing = withFinalizer(configMaps, stale, {
      finalizer: "example.com/cleanup",
      apply: async () => steps.push("apply"),
      cleanup: async () => {},
      delays,
      signal,
    });
    const ended = writing.catch((error: unknown) => error);
    await cluster.clock.advance(1000);
    const reason = new Error("stopped by the test");
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect(steps).toEqual([]);
  });
});
