import { createClient, createConnection, isRolledOut, waitFor, WaitError } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";

type Members = Readonly<Record<string, unknown>>;

const deadline = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }];
const rolling = { type: "RollingUpdate" };

/** Returns what `kubectl rollout status` does: ends with success, waits, or fails for a reason. */
function outcome(kind: string, generation: number, spec: Members, status: Members): unknown {
  const object = { kind, metadata: { name: "web", generation }, spec, status };
  const failure = isRolledOut.failure?.(object);
  expect([isRolledOut(object), failure === undefined]).not.toEqual([true, false]);
  return failure ?? (isRolledOut(object) ? "done" : "waits");
}

describe("isRolledOut follows kubectl rollout status", () => {
  const complete = {
    observedGeneration: 2,
    replicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    readyReplicas: 3,
  };

  test.each<[string, Members, Members, string]>([
    ["all replicas are updated and available", { replicas: 3 }, complete, "done"],
    ["no status yet", { replicas: 3 }, {}, "waits"],
    [
      "the generation was not observed",
      { replicas: 3 },
      { ...complete, observedGeneration: 1 },
      "waits",
    ],
    ["fewer are updated", { replicas: 3 }, { ...complete, updatedReplicas: 2 }, "waits"],
    ["old ones are left", { replicas: 3 }, { ...complete, replicas: 4 }, "waits"],
    [
      "updated ones are not available",
      { replicas: 3 },
      { ...complete, availableReplicas: 2 },
      "waits",
    ],
    [
      "more are available than updated",
      { replicas: 3 },
      { ...complete, availableReplicas: 4 },
      "done",
    ],
    ["it has no replicas", { replicas: 0 }, { observedGeneration: 2 }, "done"],
    ["spec.replicas is absent", {}, { ...complete, updatedReplicas: 3 }, "done"],
    [
      "it is paused",
      { replicas: 3, paused: true },
      { ...complete, updatedReplicas: 0, replicas: 3 },
      "waits",
    ],
    [
      "the deadline is exceeded",
      { replicas: 3 },
      { ...complete, updatedReplicas: 1, conditions: deadline },
      "its progress deadline is exceeded",
    ],
    [
      "the deadline is exceeded, although the numbers are complete",
      { replicas: 3 },
      { ...complete, conditions: deadline },
      "its progress deadline is exceeded",
    ],
    [
      "the deadline of an older generation was exceeded",
      { replicas: 3 },
      { ...complete, observedGeneration: 1, conditions: deadline },
      "waits",
    ],
    [
      "another condition has the reason",
      { replicas: 3 },
      { ...complete, conditions: [{ ...deadline[0], type: "Available" }] },
      "done",
    ],
  ])("Deployment: %s", (_, spec, status, expected) => {
    expect(outcome("Deployment", 2, spec, status)).toBe(expected);
  });

  const scheduled = {
    observedGeneration: 2,
    desiredNumberScheduled: 2,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
  };

  test.each<[string, Members, Members, string]>([
    ["all pods are updated and available", { updateStrategy: rolling }, scheduled, "done"],
    [
      "fewer are updated",
      { updateStrategy: rolling },
      { ...scheduled, updatedNumberScheduled: 1 },
      "waits",
    ],
    [
      "fewer are available",
      { updateStrategy: rolling },
      { ...scheduled, numberAvailable: 1 },
      "waits",
    ],
    ["no number is present", { updateStrategy: rolling }, { observedGeneration: 2 }, "done"],
    [
      "the generation was not observed",
      { updateStrategy: rolling },
      { ...scheduled, observedGeneration: 1 },
      "waits",
    ],
    [
      "its pods are updated on their deletion",
      { updateStrategy: { type: "OnDelete" } },
      scheduled,
      'its update strategy is "OnDelete", expected "RollingUpdate"',
    ],
    ["it has no strategy", {}, scheduled, 'its update strategy is "", expected "RollingUpdate"'],
  ])("DaemonSet: %s", (_, spec, status, expected) => {
    expect(outcome("DaemonSet", 2, spec, status)).toBe(expected);
  });

  const current = {
    observedGeneration: 2,
    readyReplicas: 3,
    updatedReplicas: 3,
    currentRevision: "web-2",
    updateRevision: "web-2",
  };
  const from = (partition: number) => ({
    replicas: 3,
    updateStrategy: { ...rolling, rollingUpdate: { partition } },
  });

  test.each<[string, Members, Members, string]>([
    ["the revisions are equal", { replicas: 3, updateStrategy: rolling }, current, "done"],
    [
      "the revisions differ",
      { replicas: 3, updateStrategy: rolling },
      { ...current, currentRevision: "web-1" },
      "waits",
    ],
    ["the generation was not observed", from(0), { ...current, observedGeneration: 1 }, "waits"],
    ["fewer are ready", from(0), { ...current, readyReplicas: 2 }, "waits"],
    ["fewer are updated", from(0), { ...current, updatedReplicas: 2 }, "waits"],
    [
      "all are updated, while the revisions differ",
      from(0),
      { ...current, currentRevision: "web-1" },
      "done",
    ],
    [
      "those from the partition on are updated",
      from(2),
      { ...current, updatedReplicas: 1 },
      "done",
    ],
    [
      "fewer than those from the partition on",
      from(1),
      { ...current, updatedReplicas: 1 },
      "waits",
    ],
    ["the partition is above the replicas", from(5), { ...current, updatedReplicas: 0 }, "done"],
    [
      "a rolling update without partition",
      { replicas: 3, updateStrategy: { ...rolling, rollingUpdate: { maxUnavailable: 1 } } },
      { ...current, updatedReplicas: 0, currentRevision: "web-1" },
      "done",
    ],
    [
      "its pods are updated on their deletion",
      { replicas: 3, updateStrategy: { type: "OnDelete" } },
      current,
      'its update strategy is "OnDelete", expected "RollingUpdate"',
    ],
  ])("StatefulSet: %s", (_, spec, status, expected) => {
    expect(outcome("StatefulSet", 2, spec, status)).toBe(expected);
  });

  test("a new StatefulSet waits, even if its generation is unknown", () => {
    expect(outcome("StatefulSet", 0, from(0), { readyReplicas: 3 })).toBe("waits");
  });

  test("an object without kind is recognised by its spec", () => {
    const without = (spec: Members, status: Members) => ({
      metadata: { name: "web", generation: 2 },
      spec,
      status,
    });
    expect(isRolledOut(without({ replicas: 3, strategy: rolling }, complete))).toBe(true);
    expect(isRolledOut(without({ updateStrategy: rolling }, scheduled))).toBe(true);
    expect(isRolledOut(without(from(2), { ...current, updatedReplicas: 1 }))).toBe(true);
    expect(isRolledOut(without(from(1), { ...current, updatedReplicas: 1 }))).toBe(false);
    expect(isRolledOut.failure?.(without({ replicas: 3 }, complete))).toContain("got an object");
    expect(isRolledOut.failure?.({ ...without({}, {}), kind: "Pod" })).toContain("got Pod");
  });
});

describe("a wait for a rollout", () => {
  function setUp() {
    const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
    const { fetch } = new FakeApiServer({ clock, seed: 1 });
    const client = createClient(createConnection({ server: "http://fake", fetch }), { clock });
    const deployments = client.resource({ group: "apps", version: "v1", resource: "deployments" });
    const labels = { app: "web" };
    const containers = [{ name: "web", image: "web:1" }];
    const create = () =>
      deployments.create({
        metadata: { namespace: "default", name: "web" },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      });
    const setStatus = (status: object) => deployments.patchStatus("default/web", { status });
    const wait = () => waitFor(deployments, "default/web", isRolledOut, { timeoutMs: 60_000 });
    return { clock, client, deployments, create, setStatus, wait };
  }
  const numbers = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };

  test("begins before the object exists, and ends with its last step", async () => {
    const { clock, create, deployments, setStatus, wait } = setUp();
    const waiting = wait();
    await clock.advance(1000);
    await create();
    await clock.advance(1000);
    await setStatus({ ...numbers, availableReplicas: 0, observedGeneration: 1 });
    await clock.advance(1000);
    await setStatus({ ...numbers, observedGeneration: 1 });
    expect((await waiting)?.metadata?.name).toBe("web");
    expect((await deployments.list()).items.every(isRolledOut)).toBe(true);
  });

  test("fails at once when the progress deadline is exceeded", async () => {
    const { clock, create, setStatus, wait } = setUp();
    await create();
    const waiting = failureOf(wait());
    await clock.advance(1000);
    await setStatus({
      ...numbers,
      updatedReplicas: 0,
      observedGeneration: 1,
      conditions: deadline,
    });
    const failure = await waiting;
    expect(failure).toBeInstanceOf(WaitError);
    expect(failure).toMatchObject({
      code: "LW_WAIT",
      lastSeen: { status: { observedGeneration: 1 } },
    });
    expect(String(failure)).toMatch(
      /default\/web is not rolled out: its progress deadline is exceeded; last seen: resourceVersion \d+/,
    );
  });

  test("fails when the object is deleted, and does not follow another one of the name", async () => {
    const { clock, create, deployments, wait } = setUp();
    await create();
    const waiting = failureOf(wait());
    await clock.advance(1000);
    await deployments.delete("default/web");
    await create();
    expect(String(await waiting)).toContain("default/web is not rolled out: it was deleted");
  });
});
