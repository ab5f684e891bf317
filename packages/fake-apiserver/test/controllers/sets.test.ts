import type { ApiObject } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ControlledWorld, workloadWith } from "../support/controlled-world.ts";

const node = (name: string, spec: object = {}): ApiObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: { disk: name === "a" ? "ssd" : "hdd" } },
  spec,
});

/** Returns creations and deletions of pods since a revision, such as `+web-0`. */
function podChanges(world: ControlledWorld, after = 0): readonly string[] {
  return world.server.control
    .eventLog("pods", { after })
    .filter(({ type }) => type !== "MODIFIED")
    .map(({ name, type }) => `${type === "ADDED" ? "+" : "-"}${name}`);
}

async function images(world: ControlledWorld): Promise<readonly string[]> {
  return (await world.list("pods")).map(({ spec }) => spec.containers[0].image);
}

async function revisionNumbers(world: ControlledWorld): Promise<ReadonlySet<unknown>> {
  return new Set((await world.list("controllerrevisions")).map((one) => one["revision"]));
}

describe("a stateful set", () => {
  test("starts its pods in order and removes them in reverse", async () => {
    const world = new ControlledWorld();
    const template = { metadata: { name: "data" }, spec: {} as object };
    template.spec = {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    };
    const spec = { replicas: 3, serviceName: "web", volumeClaimTemplates: [template] };
    await world.create("statefulsets", "web", workloadWith("nginx:1", spec));
    expect(podChanges(world)).toEqual(["+web-0", "+web-1", "+web-2"]);
    const pod = await world.get("pods", "web-1");
    const { status } = await world.get("statefulsets", "web");
    expect(pod["metadata"].labels).toEqual({
      app: "web",
      "apps.kubernetes.io/pod-index": "1",
      "controller-revision-hash": status.updateRevision,
      "statefulset.kubernetes.io/pod-name": "web-1",
    });
    expect(pod["spec"]).toMatchObject({ hostname: "web-1", subdomain: "web" });
    expect(pod["spec"].volumes[0].persistentVolumeClaim.claimName).toBe("data-web-1");
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      availableReplicas: 3,
      currentRevision: status.updateRevision,
    });
    expect(await world.names("persistentvolumeclaims")).toEqual([
      "data-web-0",
      "data-web-1",
      "data-web-2",
    ]);
    const { revision } = world.server.control;
    await world.patch("statefulsets", "web", { spec: { replicas: 1 } });
    expect(podChanges(world, revision)).toEqual(["-web-2", "-web-1"]);
    expect(await world.names("persistentvolumeclaims")).toHaveLength(3);
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("waits for a pod that is not ready, unless it is Parallel", async () => {
    const pods = ({ metadata }: ApiObject): { readonly phase: string } | undefined =>
      metadata.name?.endsWith("-0") === true ? { phase: "Pending" } : undefined;
    const world = new ControlledWorld({ pods });
    await world.create("statefulsets", "web", workloadWith("nginx:1", { replicas: 2 }));
    expect(podChanges(world)).toEqual(["+web-0"]);
    const spec = { replicas: 2, podManagementPolicy: "Parallel" };
    const labels = { app: "other" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
    await world.create("statefulsets", "other", {
      ...spec,
      template,
      selector: { matchLabels: labels },
    });
    expect(podChanges(world)).toEqual(["+web-0", "+other-0", "+other-1"]);
  });

  test("updates from the last pod down to the partition", async () => {
    const world = new ControlledWorld();
    const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
    const spec = { replicas: 3, updateStrategy };
    await world.create("statefulsets", "web", workloadWith("nginx:1", spec));
    const { revision } = world.server.control;
    await world.patch("statefulsets", "web", { spec: workloadWith("nginx:2", spec) });
    expect(podChanges(world, revision)).toEqual(["-web-2", "+web-2", "-web-1", "+web-1"]);
    expect(await images(world)).toEqual(["nginx:1", "nginx:2", "nginx:2"]);
    const { status } = await world.get("statefulsets", "web");
    expect(status.updatedReplicas).toBe(2);
    expect(status.currentRevision).not.toBe(status.updateRevision);
    await world.delete("pods", "web-0");
    expect(await images(world)).toEqual(["nginx:1", "nginx:2", "nginx:2"]);
    await world.patch("statefulsets", "web", {
      spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } } },
    });
    expect(await images(world)).toEqual(["nginx:2", "nginx:2", "nginx:2"]);
    expect(await revisionNumbers(world)).toEqual(new Set([1, 2]));
  });
});

describe("a daemon set", () => {
  test("has a pod on each node that fits, and follows the nodes", async () => {
    const taints = [{ key: "only", effect: "NoSchedule" }];
    const objects = [node("a"), node("b", { unschedulable: true }), node("c", { taints })];
    const world = new ControlledWorld({ objects });
    await world.create("daemonsets", "agent", workloadWith("agent:1"));
    const nodes = async (): Promise<ReadonlySet<string>> =>
      new Set((await world.list("pods")).map(({ spec }) => spec.nodeName));
    expect(await nodes()).toEqual(new Set(["a", "b"]));
    const { status } = await world.get("daemonsets", "agent");
    expect(status).toEqual({
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      desiredNumberScheduled: 2,
      numberReady: 2,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
      observedGeneration: 1,
    });
    await world.patch("nodes", "c", { spec: { taints: null } });
    expect(await nodes()).toEqual(new Set(["a", "b", "c"]));
    await world.delete("nodes", "a");
    expect(await nodes()).toEqual(new Set(["b", "c"]));
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("has no pods without nodes", async () => {
    const world = new ControlledWorld();
    await world.create("daemonsets", "agent", workloadWith("agent:1"));
    expect(await world.names("pods")).toEqual([]);
    expect((await world.get("daemonsets", "agent"))["status"].desiredNumberScheduled).toBe(0);
  });

  test.each([{ maxUnavailable: 1 }, { maxSurge: 1, maxUnavailable: 0 }])(
    "replaces one pod after the other with %o",
    async (rollingUpdate) => {
      const world = new ControlledWorld({ objects: ["a", "b", "c"].map((name) => node(name)) });
      const updateStrategy = { type: "RollingUpdate", rollingUpdate };
      await world.create("daemonsets", "agent", workloadWith("agent:1", { updateStrategy }));
      const { revision } = world.server.control;
      await world.patch("daemonsets", "agent", { spec: workloadWith("agent:2") });
      expect(await images(world)).toEqual(["agent:2", "agent:2", "agent:2"]);
      const changes = podChanges(world, revision).map(([sign]) => sign);
      const step = "maxSurge" in rollingUpdate ? ["+", "-"] : ["-", "+"];
      expect(changes).toEqual([...step, ...step, ...step]);
      expect(await revisionNumbers(world)).toEqual(new Set([1, 2]));
    },
  );
});

test("a replication controller keeps and adopts the pods of its labels", async () => {
  const world = new ControlledWorld();
  const labels = { app: "web" };
  const containers = [{ name: "a", image: "a" }];
  await world.create("pods", "orphan", { containers }, { labels });
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: 3, selector: labels, template };
  const { metadata } = await world.create("replicationcontrollers", "web", spec);
  const pods = await world.list("pods");
  expect(pods.map((pod) => pod["metadata"].ownerReferences)).toEqual(
    pods.map(() => [
      expect.objectContaining({
        apiVersion: "v1",
        kind: "ReplicationController",
        uid: metadata.uid,
      }),
    ]),
  );
  expect((await world.get("replicationcontrollers", "web"))["status"]).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    observedGeneration: 1,
  });
  await world.patch("pods", "orphan", { metadata: { labels: { app: "other" } } });
  expect((await world.get("pods", "orphan"))["metadata"]).not.toHaveProperty("ownerReferences");
  expect(await world.names("pods")).toHaveLength(4);
  await world.patch("replicationcontrollers", "web", { spec: { replicas: 1 } });
  expect(await world.names("pods")).toHaveLength(2);
  expect(world.clock.pendingTimers).toBe(0);
});
