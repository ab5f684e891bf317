// Not in Chromium, like all elections.
import { beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "@listwatch/core-fifo";
import { EventRecorder, LeaderElector } from "@listwatch/controller";
import { Cluster, checkIdle } from "../support/cluster.ts";

const lease = { namespace: "default", name: "election" };
const regarding = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "default", name: "a" } };
const note = { regarding, reason: "Stopped", action: "Stop" };

let cluster: Cluster;
let recorder: EventRecorder;
let stop: AbortController;
let errors: unknown[];

async function notes(): Promise<(string | undefined)[]> {
  const { items } = await cluster.client
    .resource<{ note?: string; metadata: object }>({
      group: "events.k8s.io",
      version: "v1",
      resource: "events",
    })
    .list();
  return items.map(({ note: text }) => text);
}

function elector(): LeaderElector {
  const { client, clock } = cluster;
  const telemetry = { log: silentLog };
  return new LeaderElector({ client, clock, lease, identity: "one", recorder, telemetry });
}

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  errors = [];
  recorder = new EventRecorder({
    client: cluster.client,
    controller: "example.com/operator",
    instance: "pod-1",
    clock: cluster.clock,
    onError: (error) => errors.push(error),
  });
});

describe("a retained recorder", () => {
  test("writes that its elector stopped leading, when one signal stops both (LE-8)", async () => {
    const running = Promise.all([recorder.run(stop.signal), elector().run(stop.signal)]);
    await cluster.clock.advance(1000);
    stop.abort();
    await cluster.clock.settle();
    await running;
    expect(await notes()).toEqual(["one became leader", "one stopped leading"]);
    expect(errors).toEqual([]);
    checkIdle(cluster.clock);
  });

  test("waits for the work that a stopped leader finishes", async () => {
    const one = elector();
    const working = Promise.withResolvers<void>();
    const led = one.lead(() => working.promise);
    let hasEnded = false;
    const recording = recorder.run(stop.signal).then(() => (hasEnded = true));
    const electing = one.run(stop.signal);
    await cluster.clock.advance(1000);
    stop.abort();
    await cluster.clock.advance(20_000);
    expect(hasEnded).toBe(false);
    expect(await notes()).toEqual(["one became leader"]);
    working.resolve();
    await cluster.clock.settle();
    await Promise.all([led, recording, electing]);
    expect(await notes()).toEqual(["one became leader", "one stopped leading"]);
    checkIdle(cluster.clock);
  });

  test("ends when all holders have released it, each counted once", async () => {
    const releases = [recorder.retain(), recorder.retain()];
    let hasEnded = false;
    const recording = recorder.run(stop.signal).then(() => (hasEnded = true));
    stop.abort();
    releases[0]?.();
    releases[0]?.();
    await cluster.clock.settle();
    expect(hasEnded).toBe(false);
    recorder.event({ ...note, note: "Last words" });
    releases[1]?.();
    await cluster.clock.settle();
    await recording;
    expect(await notes()).toEqual(["Last words"]);
    recorder.event({ ...note, note: "Too late" });
    expect(await notes()).toEqual(["Last words"]);
    checkIdle(cluster.clock);
  });

  test("that is released before its stop ends with the stop", async () => {
    recorder.retain()();
    const recording = recorder.run(stop.signal);
    stop.abort();
    await cluster.clock.settle();
    await expect(recording).resolves.toBeUndefined();
    checkIdle(cluster.clock);
  });

  test("ends on disposal, even while it is held: no disposal waits for another", async () => {
    recorder.retain();
    recorder.event({ ...note, note: "Written" });
    const recording = recorder.run();
    await cluster.clock.settle();
    await recorder[Symbol.asyncDispose]();
    await recording;
    expect(await notes()).toEqual(["Written"]);
    checkIdle(cluster.clock);
  });
});
