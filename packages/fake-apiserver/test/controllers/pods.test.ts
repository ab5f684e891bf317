import { type ApiObject, FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ControlledWorld } from "../support/controlled-world.ts";
import { podSpec } from "../support/valid-specs.ts";

describe("pods with simulated controllers", () => {
  test("run on the node with the fewest pods that they fit on", async () => {
    const node = (name: string, spec: object = {}): ApiObject => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      spec,
      status: { addresses: [{ type: "InternalIP", address: "192.0.2.7" }] },
    });
    const taints = [{ key: "only", value: "special", effect: "NoSchedule" }];
    const world = new ControlledWorld({
      objects: [node("a"), node("b"), node("c", { unschedulable: true }), node("d", { taints })],
    });
    for (const name of ["p1", "p2", "p3", "p4"]) await world.create("pods", name, podSpec);
    const pods = await world.list("pods");
    expect(pods.map(({ spec }) => spec.nodeName)).toEqual(["a", "b", "a", "b"]);
    expect(pods[0]?.["status"]).toMatchObject({ hostIP: "192.0.2.7", phase: "Running" });
    await world.create("pods", "picky", { ...podSpec, nodeSelector: { disk: "ssd" } });
    expect(await world.conditions("pods", "picky")).toEqual({
      PodScheduled: "False Unschedulable",
    });
    await world.patch("nodes", "b", { metadata: { labels: { disk: "ssd" } } });
    expect((await world.get("pods", "picky"))["spec"].nodeName).toBe("b");
  });

  test("succeed after a second if they are not to be restarted", async () => {
    const world = new ControlledWorld();
    await world.create("pods", "once", { ...podSpec, restartPolicy: "Never" });
    expect((await world.get("pods", "once"))["status"].phase).toBe("Running");
    await world.clock.advance(1000);
    const { status } = await world.get("pods", "once");
    expect(status.phase).toBe("Succeeded");
    expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 0 });
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("have the status that the hook returns, when it returns it", async () => {
    const { promise, resolve } = Promise.withResolvers<{ phase: string }>();
    const world = new ControlledWorld({
      pods: ({ metadata }) => (metadata.name === "slow" ? promise : undefined),
    });
    await world.create("pods", "slow", podSpec);
    await world.create("pods", "quick", podSpec);
    const phases = async (): Promise<unknown> =>
      (await world.list("pods")).map(({ status }) => status.phase);
    expect(await phases()).toEqual(["Running", "Pending"]);
    resolve({ phase: "Failed" });
    await world.clock.settle();
    expect(await phases()).toEqual(["Running", "Failed"]);
    expect(await world.conditions("pods", "slow")).toMatchObject({ Ready: "False PodFailed" });
  });

  test("stay pending without controllers", async () => {
    const world = new ControlledWorld({ controllers: [] });
    await world.create("pods", "p", podSpec);
    expect((await world.get("pods", "p"))["status"].phase).toBe("Pending");
  });
});

describe("the option controllers", () => {
  test("refuses an unknown name with the nearest one", () => {
    const create = (controllers: unknown) => () =>
      new FakeApiServer({ controllers: controllers as never });
    expect(create(["deployment"])).toThrow(
      'Cannot use the option controllers[0]: expected a known name, did you mean deployments?, got the string "deployment"',
    );
    expect(create("all")).toThrow(
      'Cannot use the option controllers: expected true, or an array of names such as deployments, got the string "all"',
    );
  });

  test("acts on objects that exist from the start, and on a restored state", async () => {
    const world = new ControlledWorld({
      objects: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "seed" }, spec: podSpec }],
    });
    await world.clock.settle();
    const phase = async (): Promise<unknown> => (await world.get("pods", "seed"))["status"].phase;
    expect(await phase()).toBe("Running");
    const { control } = world.server;
    const snapshot = control.snapshot();
    await world.delete("pods", "seed");
    await world.create("pods", "seed", podSpec);
    control.restore(snapshot);
    await world.clock.settle();
    expect(await world.names("pods")).toEqual(["seed"]);
    expect(await phase()).toBe("Running");
  });
});
