import { Controller, EventRecorder } from "@listwatch/controller";
import { configmaps, pods } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { describe, expect, test } from "vitest";
import {
  matchers,
  testCluster,
  TestEventRecorder,
  withTestCluster,
  type TestCluster,
} from "../../src/index.ts";

function map(name: string, data: Record<string, string> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "a", name }, data };
}

/** Labels each ConfigMap after five seconds. */
function startController(cluster: TestCluster) {
  const { client, clock, connection, log } = cluster;
  const factory = new SharedInformerFactory({ connection, clock, log });
  const informer = factory.informer(configmaps);
  const controller = new Controller({
    informer,
    clock,
    telemetry: { log },
    reconcile: async (key) => {
      if (informer.store.getByKey(key)?.metadata.labels?.["seen"] !== undefined) return;
      await client.resource(configmaps).patch(key, { metadata: { labels: { seen: "yes" } } });
    },
  });
  cluster.run("the informers", async (signal) => {
    factory.start();
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await factory[Symbol.asyncDispose]();
  });
  cluster.run("the controller", (signal) => controller.run(signal));
  return informer;
}

describe("a test cluster", () => {
  test(
    "runs a controller until a condition holds, and ends it",
    withTestCluster({ objects: [map("one")] }, async (cluster) => {
      const informer = startController(cluster);
      const seen = await cluster
        .until(
          (state) => state.get(configmaps, "a/one")?.metadata.labels?.["seen"],
          // A string does not hold.
          { timeoutMs: 0 },
        )
        .catch((error: unknown) => String(error));
      expect(seen).toContain("The condition did not hold within 0 s");
      await cluster.until(
        (state) => state.get(configmaps, "a/one")?.metadata.labels?.["seen"] === "yes",
      );
      await cluster.client.resource(configmaps).create(map("two") as never);
      await cluster.until(
        (state) => state.get(configmaps, "a/two")?.metadata.labels?.["seen"] === "yes",
      );
      await cluster.settle();
      expect(matchers.toBeInSync(informer, cluster, configmaps)).toMatchObject({ pass: true });
    }),
  );

  test("runs a manager, whose elector and controllers it ends", async () => {
    await using cluster = await testCluster({ objects: [map("one")] });
    const manager = cluster.manager({ name: "labels", election: { namespace: "a" } });
    manager.controller({
      name: "labels",
      for: configmaps,
      reconcile: async (key) => {
        const maps = manager.client.resource(configmaps);
        await maps.patch(key, { metadata: { labels: { seen: "yes" } } });
      },
    });
    cluster.run("the operator", (signal) => manager.run(signal));
    const seen = await cluster.until((state) => {
      const one = state.get(configmaps, "a/one");
      return one?.metadata.labels?.["seen"] === "yes" && one;
    });
    expect(matchers.toHaveReconciled(manager, "a/one", { outcome: "success" }).pass).toBe(true);
    const failure = matchers.toHaveReconciled(manager, "a/one", { outcome: "error" });
    expect(failure.pass).toBe(false);
    expect(failure.message()).toContain("Expected a reconcile of a/one, error, found");
    expect(matchers.toHaveReconciled(manager, "a/two").pass).toBe(false);
    expect(seen.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(cluster.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("is a test without parameters, for which no runner waits for a callback", () => {
    expect(withTestCluster({}, () => Promise.resolve())).toHaveLength(0);
  });

  test("says what was last seen when a condition does not hold", async () => {
    await using cluster = await testCluster({ objects: [map("one", { state: "cold" })] });
    const waiting = cluster.until(
      (state) => state.get(configmaps, "a/one")?.data?.["state"] === "warm",
      { timeoutMs: 5000 },
    );
    await expect(waiting).rejects.toThrow(
      /did not hold within 5 s of simulated time; last seen: false\n {2}configmaps a\/one: .*"cold"/,
    );
    const thrown = cluster.until((state) => state.get(pods, "a/b")!.metadata.name === "b", {
      timeoutMs: 1,
    });
    await expect(thrown).rejects.toThrow(/it threw: .*\n {2}pods a\/b: nothing/);
    const described = cluster.until(() => "two of three", { timeoutMs: 1 });
    await expect(described).rejects.toThrow("last seen: two of three");
    expect(cluster.nowMs).toBe(5002);
  });

  test("fails if a timer, a watch or a part is left", async () => {
    const cluster = await testCluster();
    cluster.clock.setTimeout(() => {}, 1e9);
    const watch = `http://cluster/api/v1/pods?watch=1`;
    const answer = await cluster.connection.fetch?.(new Request(watch));
    void answer?.body
      ?.getReader()
      .read()
      .catch(() => {});
    cluster.run("a deaf part", () => new Promise(() => {}));
    await expect(cluster.stop()).rejects.toMatchObject({
      left: ["a deaf part running", "a timer", "a watch of /api/v1/pods"],
    });
  });

  test("throws the error of a part at once", async () => {
    const cluster = await testCluster();
    cluster.run("a broken part", () => Promise.reject(new Error("broken")));
    await expect(cluster.settle()).rejects.toThrow("broken");
    expect(await cluster.stop()).toBeUndefined();
  });

  test("keeps the lines of the log, with their times", async () => {
    await using cluster = await testCluster({ startMs: 5000 });
    await cluster.advance(10);
    cluster.log.warn("careful", { key: "a" });
    expect(cluster.lines).toEqual([
      { atMs: 5010, level: "warn", message: "careful", fields: { key: "a" } },
    ]);
  });

  test("is the same for the same seed", async () => {
    const uids = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        await using cluster = await testCluster({ seed });
        const made = await cluster.client.resource(configmaps).create(map("one") as never);
        return `${made.metadata.uid} ${cluster.random()}`;
      }),
    );
    expect(uids[0]).toBe(uids[1]);
    expect(uids[0]).not.toBe(uids[2]);
  });

  test("plays a recording", async () => {
    const object = {
      ...map("recorded"),
      metadata: {
        namespace: "a",
        name: "recorded",
        uid: "u",
        resourceVersion: "1",
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
    };
    const { group, kind, resource, version } = configmaps;
    const lines = [
      {
        recording: 1,
        startedAt: "2026-01-01T00:00:00Z",
        includes: [],
        hashedNames: false,
        resources: [{ group, kind, resource, version, namespaced: true }],
      },
      { at: 0, type: "LIST", resource: 0, items: 1, resourceVersion: "1" },
      { at: 0, type: "LISTED", resource: 0, object },
      { at: 90_000, type: "DELETED", resource: 0, object },
    ].map((line) => JSON.stringify(line));
    await using cluster = await testCluster({ replay: lines });
    expect(cluster.get(configmaps, "a/recorded")).toBeDefined();
    await cluster.advance(90_000);
    expect(cluster.get(configmaps, "a/recorded")).toBeUndefined();
  });

  test("with a real server needs its programs, and refuses what that cannot do", async () => {
    // `npm run test:cluster -- testing` starts the programs.
    const environment = (globalThis as { process?: { env: Record<string, string> } }).process?.env;
    const assets = environment?.["KUBEBUILDER_ASSETS"];
    if (environment !== undefined) environment["KUBEBUILDER_ASSETS"] = "/nowhere";
    try {
      const starting = testCluster({ server: "real" });
      await expect(starting).rejects.toMatchObject({ code: "LW_UNSUPPORTED" });
    } finally {
      if (environment !== undefined) delete environment["KUBEBUILDER_ASSETS"];
      if (environment !== undefined && assets !== undefined)
        environment["KUBEBUILDER_ASSETS"] = assets;
    }
    const mixed = { server: "real", startMs: 5 } as never;
    await expect(testCluster(mixed)).rejects.toThrow("startMs");
  });

  test("refuses unknown options", async () => {
    await expect(testCluster({ seeds: 3 } as never)).rejects.toThrow("seeds");
    await expect(testCluster({ startMs: "now" } as never)).rejects.toThrow("startMs");
  });
});

test("a recorder of a test keeps the events of a program", () => {
  const recorder = new TestEventRecorder();
  const write = ({ event }: Pick<EventRecorder, "event">): void => {
    event({ regarding: map("one"), reason: "Created", action: "Create", note: "made it" });
    event({ regarding: map("one"), type: "Warning", reason: "Failed", action: "Create" });
  };
  write(recorder);
  expect(recorder.lines).toEqual(["Normal Created a/one: made it", "Warning Failed a/one: "]);
  expect(recorder.events[0]?.action).toBe("Create");
});

describe("matchers", () => {
  test("find conditions", () => {
    const object = { status: { conditions: [{ type: "Ready", status: "False", reason: "Wait" }] } };
    expect(matchers.toHaveCondition(object, "Ready", "False").pass).toBe(true);
    const { message, pass } = matchers.toHaveCondition(object, "Ready");
    expect(pass).toBe(false);
    expect(message()).toContain("Expected a condition Ready with status True, found");
    expect(message()).toContain('"reason": "Wait"');
    expect(matchers.toHaveCondition({}, "Ready").pass).toBe(false);
  });

  test("find events", async () => {
    await using cluster = await testCluster({ objects: [map("one")] });
    const { client, clock } = cluster;
    const one = await client.resource(configmaps).get("a/one");
    const recorder = new EventRecorder({ client, clock, controller: "tester", instance: "a" });
    cluster.run("the recorder", (signal) => recorder.run(signal));
    recorder.event({ regarding: one, reason: "Created", action: "Create", note: "made a thing" });
    await cluster.until(() => matchers.toHaveEvent(cluster, { reason: "Created" }).pass);
    expect(matchers.toHaveEvent(cluster, { reason: "Created", about: one }).pass).toBe(true);
    const other = matchers.toHaveEvent(cluster, { reason: "Deleted" });
    expect(other.pass).toBe(false);
    expect(other.message()).toContain("made a thing");
  });

  test("find differences of a cache", async () => {
    await using cluster = await testCluster({ objects: [map("one"), map("two")] });
    const [one] = cluster.list(configmaps);
    const cache = {
      store: { list: () => (one === undefined ? [] : [{ ...one, data: { x: "y" } }]) },
    };
    const { message, pass } = matchers.toBeInSync(cache, cluster, configmaps);
    expect(pass).toBe(false);
    expect(message()).toContain("a/one differs");
    expect(message()).toContain("a/two is missing in the cache");
  });

  test("extend expect", () => {
    expect.extend(matchers as never);
    const object = { status: { conditions: [{ type: "Ready", status: "True" }] } };
    const extended = expect as (value: unknown) => any;
    extended(object).toHaveCondition("Ready");
    extended(object).not.toHaveCondition("Failed");
  });
});
