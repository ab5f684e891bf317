import { describe, expect, test } from "vitest";
import { ControlledWorld, workloadWith } from "../support/controlled-world.ts";
import type { Json } from "../support/api-client.ts";

async function sizes(world: ControlledWorld): Promise<Json> {
  const sets = await world.list("replicasets");
  return Object.fromEntries(
    sets.map(({ metadata, spec }) => [
      metadata.annotations["deployment.kubernetes.io/revision"],
      spec.replicas,
    ]),
  );
}

describe("a deployment", () => {
  test("gets a replica set whose pods run and are ready", async () => {
    const world = new ControlledWorld();
    await world.create("deployments", "web", workloadWith("nginx:1", { replicas: 3 }));
    const { metadata, status } = await world.get("deployments", "web");
    expect(metadata.annotations).toEqual({ "deployment.kubernetes.io/revision": "1" });
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    });
    expect(status).not.toHaveProperty("unavailableReplicas");
    expect(await world.conditions("deployments", "web")).toEqual({
      Available: "True MinimumReplicasAvailable",
      Progressing: "True NewReplicaSetAvailable",
    });
    const [set] = await world.list("replicasets");
    const hash = set?.["metadata"].labels["pod-template-hash"];
    expect(set?.["metadata"]).toMatchObject({
      name: `web-${hash}`,
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          name: "web",
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      annotations: {
        "deployment.kubernetes.io/desired-replicas": "3",
        "deployment.kubernetes.io/max-replicas": "4",
        "deployment.kubernetes.io/revision": "1",
      },
    });
    const pods = await world.list("pods");
    expect(pods.map((pod) => pod["status"].phase)).toEqual(["Running", "Running", "Running"]);
    expect(new Set(pods.map((pod) => pod["status"].podIP)).size).toBe(3);
    expect(pods[0]?.["metadata"].labels).toEqual({ app: "web", "pod-template-hash": hash });
    const managers = pods[0]?.["metadata"].managedFields.map((entry: Json) => entry["manager"]);
    expect(managers).toEqual(["kube-controller-manager", "kubelet"]);
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("rolls out with at most maxSurge new and maxUnavailable missing pods", async () => {
    const world = new ControlledWorld();
    const limits = { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
    const spec = { replicas: 4, strategy: { type: "RollingUpdate", ...limits } };
    await world.create("deployments", "web", workloadWith("nginx:1", spec));
    const { revision } = world.server.control;
    await world.patch("deployments", "web", { spec: workloadWith("nginx:2", spec) });
    expect(await sizes(world)).toEqual({ 1: 0, 2: 4 });
    const log = world.server.control.eventLog("deployments.apps", { after: revision });
    const states = log.map(({ object }) => (object as Json)["status"]);
    expect(Math.max(...states.map((status) => status.replicas))).toBe(5);
    expect(Math.min(...states.map((status) => status.availableReplicas))).toBeGreaterThanOrEqual(3);
    const images = (await world.list("pods")).map((pod) => pod["spec"].containers[0].image);
    expect(images).toEqual(["nginx:2", "nginx:2", "nginx:2", "nginx:2"]);
  });

  test("recreates all pods at once with the strategy Recreate", async () => {
    const world = new ControlledWorld();
    const spec = { replicas: 2, strategy: { type: "Recreate" } };
    await world.create("deployments", "web", workloadWith("nginx:1", spec));
    const { revision } = world.server.control;
    await world.patch("deployments", "web", { spec: workloadWith("nginx:2", spec) });
    const events = world.server.control.eventLog("pods", { after: revision });
    const order = events.map(({ type }) => type).filter((type) => type !== "MODIFIED");
    expect(order).toEqual(["DELETED", "DELETED", "ADDED", "ADDED"]);
    expect(await sizes(world)).toEqual({ 1: 0, 2: 2 });
  });

  test("returns to an earlier revision with a higher number", async () => {
    const world = new ControlledWorld();
    for (const image of ["nginx:1", "nginx:2", "nginx:1"]) {
      const spec = workloadWith(image, { replicas: 1 });
      if ((await world.names("deployments")).length === 0) {
        await world.create("deployments", "web", spec);
      } else await world.patch("deployments", "web", { spec });
    }
    expect(await sizes(world)).toEqual({ 2: 0, 3: 1 });
    const sets = await world.list("replicasets");
    const histories = sets.map(
      ({ metadata }) => metadata.annotations["deployment.kubernetes.io/revision-history"],
    );
    expect(histories).toContain("1");
  });

  test("keeps as many old replica sets as revisionHistoryLimit", async () => {
    const world = new ControlledWorld();
    const spec = { replicas: 1, revisionHistoryLimit: 1 };
    await world.create("deployments", "web", workloadWith("nginx:1", spec));
    for (const image of ["nginx:2", "nginx:3", "nginx:4"]) {
      await world.patch("deployments", "web", { spec: workloadWith(image) });
    }
    expect(await sizes(world)).toEqual({ 3: 0, 4: 1 });
  });

  test("does not roll out while it is paused, but scales", async () => {
    const world = new ControlledWorld();
    await world.create("deployments", "web", workloadWith("nginx:1", { replicas: 1 }));
    await world.patch("deployments", "web", { spec: { paused: true } });
    await world.patch("deployments", "web", { spec: workloadWith("nginx:2", { replicas: 2 }) });
    expect(await sizes(world)).toEqual({ 1: 2 });
    expect(await world.conditions("deployments", "web")).toMatchObject({
      Progressing: "Unknown DeploymentPaused",
    });
    await world.patch("deployments", "web", { spec: { paused: false } });
    expect(await sizes(world)).toEqual({ 1: 0, 2: 2 });
  });

  test("times out when its pods do not become ready in time", async () => {
    const world = new ControlledWorld({
      pods: ({ spec }) =>
        JSON.stringify(spec).includes("broken")
          ? { conditions: [{ type: "Ready", status: "False" }] }
          : undefined,
    });
    const spec = { replicas: 2, progressDeadlineSeconds: 60 };
    await world.create("deployments", "web", workloadWith("nginx:1", spec));
    await world.patch("deployments", "web", { spec: workloadWith("broken:1") });
    await world.clock.advance(59_000);
    expect(await world.conditions("deployments", "web")).toEqual({
      Available: "True MinimumReplicasAvailable",
      Progressing: "True ReplicaSetUpdated",
    });
    await world.clock.advance(3000);
    expect(await world.conditions("deployments", "web")).toEqual({
      Available: "True MinimumReplicasAvailable",
      Progressing: "False ProgressDeadlineExceeded",
    });
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("counts pods as available after minReadySeconds", async () => {
    const world = new ControlledWorld();
    await world.create(
      "deployments",
      "web",
      workloadWith("a", { replicas: 1, minReadySeconds: 10 }),
    );
    expect((await world.get("deployments", "web"))["status"].unavailableReplicas).toBe(1);
    await world.clock.advance(10_000);
    expect((await world.get("deployments", "web"))["status"].availableReplicas).toBe(1);
    // The deadline of a roll-out that has ended.
    await world.clock.advance(601_000);
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("takes its pods with it", async () => {
    const world = new ControlledWorld();
    await world.create("deployments", "web", workloadWith("nginx:1", { replicas: 2 }));
    await world.delete("deployments", "web");
    expect([await world.names("replicasets"), await world.names("pods")]).toEqual([[], []]);
  });
});

describe("a replica set", () => {
  test("replaces deleted pods, and removes those that are not ready first", async () => {
    const world = new ControlledWorld({ controllers: ["replicasets"] });
    await world.create("replicasets", "web", workloadWith("nginx:1", { replicas: 3 }));
    const [first = "", second = ""] = await world.names("pods");
    await world.delete("pods", first);
    expect(await world.names("pods")).toHaveLength(3);
    await world.patch("pods", `${second}/status`, {
      status: { conditions: [{ type: "Ready", status: "False" }] },
    });
    await world.patch("replicasets", "web", { spec: { replicas: 2 } });
    expect(await world.names("pods")).not.toContain(second);
  });

  test("adopts matching pods and releases others", async () => {
    const world = new ControlledWorld({ controllers: ["replicasets"] });
    const containers = [{ name: "app", image: "nginx" }];
    await world.create("pods", "own", { containers }, { labels: { app: "web" } });
    await world.create("replicasets", "web", workloadWith("nginx:1", { replicas: 2 }));
    expect(await world.names("pods")).toHaveLength(2);
    expect((await world.get("pods", "own"))["metadata"].ownerReferences).toHaveLength(1);
    await world.patch("pods", "own", { metadata: { labels: { app: "other" } } });
    expect((await world.get("pods", "own"))["metadata"]).not.toHaveProperty("ownerReferences");
    expect(await world.names("pods")).toHaveLength(3);
  });

  test("reports why it cannot create pods, and tries again", async () => {
    const refused = { allowed: false, message: "no pods today" };
    let isRefused = true;
    const match = { resources: ["pods"], operations: ["CREATE"] as const };
    const validate = (): typeof refused | undefined => (isRefused ? refused : undefined);
    const world = new ControlledWorld({
      controllers: ["replicasets"],
      admission: [{ name: "gate.example.com", match, validate }],
    });
    await world.create("replicasets", "web", workloadWith("nginx:1", { replicas: 1 }));
    expect(await world.conditions("replicasets", "web")).toEqual({
      ReplicaFailure: "True FailedCreate",
    });
    isRefused = false;
    await world.clock.advance(10_000);
    expect(await world.names("pods")).toHaveLength(1);
    expect(await world.conditions("replicasets", "web")).toEqual({});
  });
});
