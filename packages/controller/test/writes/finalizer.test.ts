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
});
