// Not in Chromium, which reads request bodies in separate tasks. A simulated clock cannot see when
// they end, and advances meanwhile.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, createConnection, InvalidNameError, type Client } from "@listwatch/client";
import { AlreadyRunningError, InvalidOptionsError, silentLog, sleep } from "@listwatch/core-fifo";
import {
  Controller,
  LeaderElector,
  LeadershipLostError,
  type LeaderElectorOptions,
} from "@listwatch/controller";
import { Cluster, checkIdle, configMap, failureOf } from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";

let cluster: Cluster;
let stop: AbortController;

const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
const key = "default/election";

interface Lease {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

function elector(identity: string, options: Partial<LeaderElectorOptions> = {}): LeaderElector {
  return new LeaderElector({
    client: cluster.client,
    lease: { namespace: "default", name: "election" },
    identity,
    clock: cluster.clock,
    random: () => 0.5,
    ...options,
  });
}

const readLease = (): Promise<Lease> => cluster.client.resource<Lease>(leases).get(key);

/** A client whose requests have a header with the name of its candidate. */
function clientOf(candidate: string): Client {
  const headers = { "x-candidate": candidate };
  const { fetch } = cluster.api;
  const connection = createConnection({ server: "http://cluster", headers, fetch });
  return createClient(connection, { clock: cluster.clock });
}

function cutNetwork(): void {
  cluster.api.control.faults.add({
    match: { resource: "leases" },
    times: Infinity,
    action: { type: "reset" },
  });
}

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
  checkIdle(cluster.clock);
});

test.each([
  { namespace: "", name: "election" },
  { namespace: "..", name: "election" },
  { namespace: "default", name: "a/b" },
  { namespace: "default", name: "" },
])("LeaderElector rejects the lease name %j, which cannot be part of a request path", (lease) => {
  expect(() => elector("one", { lease })).toThrow(InvalidNameError);
});

describe("LeaderElector", () => {
  test("creates the lease, with labels, and renews it every retry period (LE-3, LE-5)", async () => {
    const one = elector("one", {
      lease: { namespace: "default", name: "election", labels: { app: "operator" } },
    });
    const running = one.run(stop.signal);
    await cluster.clock.advance(0);
    expect(one.isLeader).toBe(true);
    const first = await readLease();
    expect(first.metadata.labels).toEqual({ app: "operator" });
    expect(first.spec).toMatchObject({
      holderIdentity: "one",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: "2026-01-01T00:00:00.000000Z",
    });
    await cluster.clock.advance(4000);
    expect((await readLease()).spec).toMatchObject({
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:04.000000Z",
    });
    expect(one.isHealthy()).toBe(true);
    stop.abort();
    await cluster.clock.advance(0);
    await running;
    await expect(one.run()).rejects.toThrow(AlreadyRunningError);
  });

  describe("whose lease is deleted, if it cannot reach the server", () => {
    const emptied = { metadata: { namespace: "default", name: "election" }, spec: {} };
    test.each([
      { name: "stays away", restore: () => undefined },
      {
        name: "is created again without a holder",
        restore: () => cluster.client.resource<Lease>(leases).create(emptied),
      },
    ])("leads alone until its time is over, while the lease $name", async ({ restore }) => {
      const one = elector("one", { client: clientOf("one"), onError: () => {} });
      const two = elector("two");
      void one.run(stop.signal).catch(() => undefined);
      await cluster.clock.advance(0);
      void two.run(stop.signal);
      await cluster.clock.advance(2500);
      cluster.api.control.faults.add({
        match: { resource: "leases", headers: { "x-candidate": "one" } },
        times: Infinity,
        action: { type: "reset" },
      });
      await cluster.client.resource<Lease>(leases).delete(key);
      await restore();
      let ledMs = 0;
      while (!two.isLeader && ledMs < 60_000) {
        ledMs += 100;
        await cluster.clock.advance(100);
        expect([one.isLeader, two.isLeader]).not.toEqual([true, true]);
      }
      expect(one.isLeader).toBe(false);
      // The duration of the lease, from the moment when it was missed, and one try.
      expect(ledMs).toBeLessThanOrEqual(15_000 + 2 * 2000 * 2.2);
      expect(ledMs).toBeGreaterThan(10_000);
    });
  });

  test("takes a lease at once that is released, or that it has never seen", async () => {
    const first = new AbortController();
    const one = elector("one");
    const running = one.run(first.signal);
    await cluster.clock.advance(0);
    const two = elector("two");
    void two.run(stop.signal);
    await cluster.clock.advance(2500);
    first.abort();
    await running;
    await cluster.clock.advance(2 * 2000 * 2.2);
    expect(two.isLeader).toBe(true);
  });

  test.each([undefined, { app: "old", team: "infra" }])(
    "writes only the Lease, and adds its labels to the existing ones: %j (LE-9)",
    async (labels) => {
      const created = { metadata: { namespace: "default", name: "election", labels }, spec: {} };
      await cluster.client.resource<Lease>(leases).create(created);
      const { recorder } = cluster.api.control;
      recorder.clear();
      const lease = { namespace: "default", name: "election", labels: { app: "operator" } };
      const one = elector("one", { lease });
      void one.run(stop.signal);
      await cluster.clock.advance(4000);
      expect(one.isLeader).toBe(true);
      expect(recorder.list().map(({ resource }) => resource)).toEqual(
        Array.from({ length: recorder.count }, () => "leases"),
      );
      expect(recorder.list().map(({ verb }) => verb)).toEqual([
        "get",
        "update",
        "update",
        "update",
      ]);
      expect((await readLease()).metadata.labels).toEqual({ ...labels, app: "operator" });
    },
  );

  test("a stopped leader releases the lease, and the next one acquires it at its next attempt (LE-4, LE-7)", async () => {
    const seen: string[] = [];
    const other = elector("two", { onNewLeader: (identity) => seen.push(identity) });
    const stopOne = new AbortController();
    void elector("one").run(stopOne.signal);
    await cluster.clock.advance(0);
    void other.run(stop.signal);
    await cluster.clock.advance(10_000);
    expect(other.leader).toBe("one");
    stopOne.abort();
    await cluster.clock.advance(0);
    expect((await readLease()).spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    await cluster.clock.advance(2000 * 1.6);
    expect(other.isLeader).toBe(true);
    expect((await readLease()).spec).toMatchObject({ leaseTransitions: 1 });
    expect(seen).toEqual(["one", "", "two"]);
  });

  test("a lease without a holder is not reported as a new leader (LE-6)", async () => {
    const spec = { holderIdentity: "", leaseDurationSeconds: 1 };
    const created = { metadata: { namespace: "default", name: "election" }, spec };
    await cluster.client.resource<Lease>(leases).create(created);
    const seen: string[] = [];
    void elector("one", { onNewLeader: (identity) => seen.push(identity) }).run(stop.signal);
    await cluster.clock.advance(5000);
    expect(seen).toEqual(["one"]);
  });

  test("keeps the lease until the work has ended, and calls onStoppedLeading last (LE-6)", async () => {
    const events: string[] = [];
    const one = elector("one", {
      onStartedLeading: async ({ signal, lost }) => {
        await sleep(1e9, { clock: cluster.clock, signal }).catch(() => {});
        await sleep(30_000, { clock: cluster.clock });
        events.push(`work ends, lost: ${lost.aborted}`);
      },
      onStoppedLeading: () => events.push("stopped"),
    });
    const running = one.run(stop.signal);
    await cluster.clock.advance(5000);
    stop.abort();
    await cluster.clock.advance(29_000);
    expect((await readLease()).spec["holderIdentity"]).toBe("one");
    await cluster.clock.advance(1000);
    await running;
    expect(events).toEqual(["work ends, lost: false", "stopped"]);
    expect((await readLease()).spec["holderIdentity"]).toBe("");
  });

  test("loses at the renew deadline after the last renewal began, before others can acquire the lease", async () => {
    const lostAt: number[] = [];
    const startMs = cluster.clock.now();
    const one = elector("one", {
      telemetry: { log: silentLog },
      onStartedLeading: ({ lost }) =>
        lost.addEventListener("abort", () => lostAt.push(cluster.clock.now() - startMs)),
    });
    const running = one.run(stop.signal);
    const failed = failureOf(running);
    await cluster.clock.advance(5000);
    cutNetwork();
    await cluster.clock.advance(8999);
    expect(one.isLeader).toBe(true);
    await cluster.clock.advance(1);
    expect(await failed).toBeInstanceOf(LeadershipLostError);
    expect(one.isLeader).toBe(false);
    expect(lostAt).toEqual([14_000]);
  });

  test("does not take over because of a wrong clock: only observed changes count (LE-2)", async () => {
    await cluster.client.resource<Lease>(leases).create({
      metadata: { namespace: "default", name: "election" } as Lease["metadata"],
      spec: {
        holderIdentity: "slow clock",
        leaseDurationSeconds: 15,
        renewTime: "2001-01-01T00:00:00.000000Z",
      },
    });
    const one = elector("one");
    void one.run(stop.signal);
    await cluster.clock.advance(14_999);
    expect(one.isLeader).toBe(false);
    await cluster.clock.advance(2000 * 2.2);
    expect(one.isLeader).toBe(true);
  });

  test("does not release a lease that another candidate has acquired meanwhile (LE-7)", async () => {
    void elector("one").run(stop.signal);
    await cluster.clock.advance(0);
    await cluster.client
      .resource<Lease>(leases)
      .patch(key, { spec: { holderIdentity: "usurper" } });
    stop.abort();
    await cluster.clock.advance(0);
    expect((await readLease()).spec["holderIdentity"]).toBe("usurper");
  });

  test("has a unique identity by default, with the host's name", async () => {
    const { env } = process;
    const before = env["HOSTNAME"];
    const createUnnamed = (): LeaderElector => elector("", { identity: undefined });
    try {
      env["HOSTNAME"] = "pod-7";
      const one = createUnnamed();
      expect(one.identity).toMatch(/^pod-7_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      delete env["HOSTNAME"];
      const two = createUnnamed();
      expect(two.identity).toMatch(/^listwatch_[\da-f-]{36}$/);
      expect(createUnnamed().identity).not.toBe(two.identity);
      void one.run(stop.signal);
      await cluster.clock.advance(10);
      void two.run(stop.signal);
      await cluster.clock.advance(60_000);
      expect([one.isLeader, two.isLeader]).toEqual([true, false]);
      expect((await readLease()).spec["holderIdentity"]).toBe(one.identity);
    } finally {
      if (before === undefined) delete env["HOSTNAME"];
      else env["HOSTNAME"] = before;
    }
  });

  test("rejects times in the wrong order, and an empty identity (LE-1)", () => {
    expect(() => elector("one", { limits: { leaseDurationMs: 10_000 } })).toThrow(
      InvalidOptionsError,
    );
    expect(() => elector("one", { limits: { renewDeadlineMs: 2400 } })).toThrow(
      InvalidOptionsError,
    );
    expect(() => elector("one", { limits: { leaseDurationMs: 15_500 } })).toThrow(
      InvalidOptionsError,
    );
    expect(() => elector("")).toThrow(InvalidOptionsError);
  });

  test("is unhealthy while it leads and has not seen its lease renewed in time (LE-11)", async () => {
    const limits = { leaseDurationMs: 15_000, renewDeadlineMs: 14_900 };
    const one = elector("one", { limits, telemetry: { log: silentLog } });
    const failed = failureOf(one.run(stop.signal));
    expect(one.isHealthy()).toBe(true);
    await cluster.clock.advance(4000);
    cutNetwork();
    await cluster.clock.advance(14_000);
    expect(one.isLeader).toBe(true);
    expect([one.isHealthy(-2000), one.isHealthy()]).toEqual([false, true]);
    await cluster.clock.advance(1000);
    expect(await failed).toBeInstanceOf(LeadershipLostError);
    expect(one.isHealthy(-2000)).toBe(true);
  });

  test("a disposal stops the elector and waits for the release of the lease", async () => {
    const one = elector("one");
    const running = one.run();
    await cluster.clock.advance(0);
    expect(one.isLeader).toBe(true);
    const disposed = one[Symbol.asyncDispose]();
    await cluster.clock.advance(0);
    await disposed;
    await running;
    expect(one.isLeader).toBe(false);
    expect((await readLease()).spec["holderIdentity"]).toBe("");
  });

  test("lead() waits for leadership, and returns immediately after the stop", async () => {
    const one = elector("one");
    const early = one.lead(async ({ lost }) => lost.aborted);
    void one.run(stop.signal);
    await cluster.clock.advance(0);
    expect(await early).toBe(false);
    stop.abort();
    await cluster.clock.advance(0);
    expect(await one.lead(async () => "too late")).toBeUndefined();
  });
});

describe("Controller with an elector", () => {
  test("fills its cache and queue first, reconciles only while it leads, and is aborted on loss", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const rival = new AbortController();
    void elector("rival").run(rival.signal);
    await cluster.clock.advance(0);
    const one = elector("one", { telemetry: { log: silentLog } });
    const informer = runInformer(cluster, stop.signal);
    const reconciled: string[] = [];
    const reasons: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      elector: one,
      reconcile: async (name, { signal }) => {
        expect(one.isLeader).toBe(true);
        reconciled.push(name);
        await sleep(1e9, { clock: cluster.clock, signal }).catch((error: unknown) =>
          reasons.push(error),
        );
      },
    }).for(informer);
    const running = controller.run(stop.signal);
    const failed = failureOf(running);
    const election = failureOf(one.run(stop.signal));
    await cluster.clock.advance(5000);
    await controller.synced;
    expect(controller.queue.length).toBe(1);
    expect(reconciled).toEqual([]);
    rival.abort();
    await cluster.clock.advance(4400);
    expect(reconciled).toEqual(["default/a"]);
    cutNetwork();
    await cluster.clock.advance(10_000);
    expect(await failed).toBeInstanceOf(LeadershipLostError);
    expect(await election).toBeInstanceOf(LeadershipLostError);
    expect(reasons[0]).toBeInstanceOf(LeadershipLostError);
  });
});
