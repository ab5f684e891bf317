import { describe, expect, test } from "vitest";
import { ControlledWorld } from "../support/controlled-world.ts";
import { podSpec } from "../support/valid-specs.ts";

const container = (requests: object): object => ({
  name: "a",
  image: "a",
  resources: { requests },
});
const pod = (requests: object): object => ({ ...podSpec, containers: [container(requests)] });

async function usedBy(world: ControlledWorld, name = "q"): Promise<unknown> {
  return (await world.get("resourcequotas", name))["status"].used;
}

describe("a resource quota", () => {
  test("gets its limits and its usage, which falls as objects go", async () => {
    const world = new ControlledWorld();
    await world.create("pods", "before", pod({ cpu: "250m", memory: "1Gi" }));
    const hard = { pods: "2", cpu: "1", memory: "3Gi", "count/deployments.apps": "1" };
    await world.create("resourcequotas", "q", { hard });
    const { status } = await world.get("resourcequotas", "q");
    const used = { pods: "1", cpu: "250m", memory: "1Gi", "count/deployments.apps": "0" };
    expect(status).toEqual({ hard, used });
    await world.create("pods", "b", pod({ cpu: "500m", memory: "512Mi" }));
    expect(await usedBy(world)).toMatchObject({ pods: "2", cpu: "750m", memory: "1536Mi" });
    await expect(world.create("pods", "c", pod({ cpu: "1m", memory: "1" }))).rejects.toThrow(
      "exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2",
    );
    await world.delete("pods", "before");
    expect(await usedBy(world)).toMatchObject({ pods: "1", cpu: "500m", memory: "512Mi" });
    await world.create("pods", "c", pod({ cpu: "1m", memory: "1" }));
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("without limits is left alone", async () => {
    const world = new ControlledWorld();
    const { metadata } = await world.create("resourcequotas", "q", { hard: {} });
    const after = await world.get("resourcequotas", "q");
    expect(after["metadata"].resourceVersion).toBe(metadata.resourceVersion);
  });

  test("follows changed limits, and keeps usage that is right", async () => {
    const world = new ControlledWorld();
    await world.create("resourcequotas", "q", { hard: { configmaps: "5", secrets: "5" } });
    // kube-root-ca.crt is the first one.
    expect(await usedBy(world)).toEqual({ configmaps: "1", secrets: "0" });
    await world.patch("resourcequotas", "q", { spec: { hard: { secrets: null } } });
    const { metadata, status } = await world.get("resourcequotas", "q");
    expect(status).toEqual({ hard: { configmaps: "5" }, used: { configmaps: "1" } });
    await world.send("POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "s" } });
    const after = await world.get("resourcequotas", "q");
    expect(after["metadata"].resourceVersion).toBe(metadata.resourceVersion);
  });

  test("counts the pods of its scopes alone, and ended pods no longer", async () => {
    const ends: string[] = [];
    const world = new ControlledWorld({
      pods: ({ metadata }) =>
        ends.includes(metadata.name ?? "") ? { phase: "Succeeded" } : undefined,
    });
    const hard = { pods: "5", "count/pods": "5" };
    await world.create("resourcequotas", "best", { hard: { pods: "5" }, scopes: ["BestEffort"] });
    await world.create("resourcequotas", "rest", {
      hard: { pods: "5" },
      scopes: ["NotBestEffort"],
    });
    await world.create("resourcequotas", "q", { hard });
    ends.push("ended");
    await world.create("pods", "ended", podSpec);
    await world.create("pods", "running", pod({ cpu: "1", memory: "1" }));
    expect(await usedBy(world, "best")).toEqual({ pods: "0" });
    expect(await usedBy(world, "rest")).toEqual({ pods: "1" });
    expect(await usedBy(world)).toEqual({ pods: "1", "count/pods": "2" });
  });

  test("counts custom resources, but no events and nothing without a definition", async () => {
    const world = new ControlledWorld();
    const names = ["count/widgets.example.com", "count/gadgets.example.com", "count/events"];
    const hard = Object.fromEntries(names.map((name) => [name, "1"]));
    const schema = { openAPIV3Schema: { type: "object" } };
    await world.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Widget", plural: "widgets" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    await world.create("resourcequotas", "q", { hard });
    expect(await usedBy(world)).toEqual({ "count/widgets.example.com": "0" });
    const path = "/apis/example.com/v1/namespaces/default/widgets";
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
    await world.send("POST", path, widget);
    expect(await usedBy(world)).toEqual({ "count/widgets.example.com": "1" });
    await world.send("DELETE", `${path}/w`);
    expect(await usedBy(world)).toEqual({ "count/widgets.example.com": "0" });
  });
});
