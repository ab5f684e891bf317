import { EventRecorder, LeaderElector, withFinalizer, writeStatus } from "@listwatch/controller";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { beforeEach, describe, expect, test } from "vitest";
import { checkIdle, Cluster, configMap, type ConfigMap } from "./support/cluster.ts";

interface Pod extends KubernetesObject {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly message?: string };
}

interface Lease extends KubernetesObject {
  readonly spec: { readonly renewTime: string };
}

const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
let cluster: Cluster;
const options = { delays: { durationMs: 60_000, factor: 1, jitter: 0, steps: 2 } };

beforeEach(() => {
  cluster = new Cluster();
});

/** Resolves after a simulated minute, which a call on the system clock would take in real time. */
async function afterMinute<R>(call: Promise<R>): Promise<R> {
  await cluster.clock.advance(60_000);
  return call;
}

describe("without a clock uses the clock of its client", () => {
  test("writeStatus", async () => {
    const pods = cluster.client.resource<Pod>({ group: "", version: "v1", resource: "pods" });
    const draft = {
      metadata: { namespace: "default", name: "web" },
      spec: { containers: [{ name: "main", image: "example" }] },
    };
    const stale = await pods.create(draft);
    await pods.patch("default/web", { metadata: { labels: { a: "b" } } });
    const written = await afterMinute(
      writeStatus(pods, stale, () => ({ message: "fine" }), options),
    );
    expect(written.status?.message).toBe("fine");
  });

  test("withFinalizer", async () => {
    const { configMaps } = cluster;
    const stale: ConfigMap = await configMaps.create(configMap("default/a"));
    await configMaps.patch("default/a", { data: { x: "1" } });
    const actions = { finalizer: "example.com/a", apply: async () => 1, cleanup: async () => {} };
    const call = withFinalizer(configMaps, stale, { ...actions, ...options });
    expect(await afterMinute(call)).toBe(1);
  });

  test("an EventRecorder", async () => {
    const stop = new AbortController();
    const { client, clock } = cluster;
    const recorder = new EventRecorder({ client, controller: "example.com/a", instance: "one" });
    const running = recorder.run(stop.signal);
    const regarding = { kind: "Pod", metadata: { namespace: "default", name: "web" } };
    const eventTime = new Date(clock.now()).toISOString();
    recorder.event({ regarding, reason: "Restarted", action: "Restart", note: "It was slow" });
    stop.abort();
    await clock.advance(1000);
    await running;
    const events = client.resource({ group: "events.k8s.io", version: "v1", resource: "events" });
    const { items } = await events.list();
    expect(String(Reflect.get(items[0] ?? {}, "eventTime")).slice(0, 19)).toBe(
      eventTime.slice(0, 19),
    );
    checkIdle(clock);
  });

  test("a LeaderElector", async () => {
    const stop = new AbortController();
    const { client, clock } = cluster;
    const lease = { namespace: "default", name: "election" };
    const elector = new LeaderElector({ client, lease, identity: "one" });
    const running = elector.run(stop.signal);
    await clock.advance(10_000);
    const { spec } = await client.resource<Lease>(leases).get("default/election");
    const renewedMs = Date.parse(spec.renewTime);
    expect(renewedMs).toBeLessThanOrEqual(clock.now());
    expect(renewedMs).toBeGreaterThan(clock.now() - 5000);
    stop.abort();
    await clock.advance(60_000);
    await running;
    checkIdle(clock);
  });
});

test("a user-supplied client needs no clock", () => {
  const { clock: _, ...client } = cluster.client;
  const elector = new LeaderElector({ client, lease: { namespace: "default", name: "own" } });
  expect(elector.isLeader).toBe(false);
  expect(() => new EventRecorder({ client, controller: "own", instance: "own" })).not.toThrow();
});
