// Not in Chromium: elections are not, and probes need sockets.
import { createServer } from "node:http";
import { once } from "node:events";
import { createClient } from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { AlreadyRunningError, silentLog } from "@listwatch/core-fifo";
import { ManagerSyncError } from "@listwatch/manager";
import { describe, expect, test } from "vitest";
import { checkIdle, Cluster, configMap, failureOf } from "./support/cluster.ts";
import { Operator, untilAborted } from "./support/operator.ts";
import { read } from "./support/pages.ts";

const election = { namespace: "default", identity: "replica" };
const server = { port: 0, host: "127.0.0.1" };

async function clusterWithMap(): Promise<Cluster> {
  const cluster = new Cluster();
  await cluster.configMaps.create(configMap("default/a"));
  return cluster;
}

describe("the order of a manager", () => {
  test("a normal stop ends each part after those that need it (MGR-1)", async () => {
    const operator = new Operator({ election, server }, await clusterWithMap());
    const { cluster, manager, order, stop } = operator;
    const slow = Promise.withResolvers<void>();
    operator.addParts(() => slow.promise);
    const running = manager.run(stop.signal);
    await cluster.clock.advance(100);
    expect(order).toEqual([
      "Manager starts",
      "Server listens",
      "watch begins",
      "Informers have synced",
      "Manager works",
      "webhook starts",
      "lease is held",
      "Leader is elected",
      "reconcile default/a",
      "leader-work starts",
      "event: became leader",
    ]);
    const port = manager.port;
    stop.abort();
    await cluster.clock.advance(100);
    // The reconcile still runs: probes answer, and no other part has ended.
    expect((await read(manager, "/readyz")).status).toBe(503);
    expect((await read(manager, "/livez")).status).toBe(200);
    expect(operator.orderFrom("Manager stops")).toEqual(["Manager stops"]);
    slow.resolve();
    await cluster.clock.advance(100);
    expect(await running).toEqual({ by: "abort" });
    expect(operator.orderFrom("Manager stops")).toEqual([
      "Manager stops",
      "reconciled default/a",
      "leader-work ends",
      "event: stopped leading",
      "lease is released",
      "webhook ends",
      "watch ends",
      "Manager has stopped",
    ]);
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow(TypeError);
    checkIdle(cluster.clock);
  });

  test("a stop before the sync starts nothing else (MGR-1)", async () => {
    const operator = new Operator({ election }, await clusterWithMap()).addParts();
    const { cluster, manager, order, stop } = operator;
    const match = { resource: "configmaps" };
    cluster.api.control.faults.add({ match, times: Infinity, action: { type: "blackhole" } });
    const running = manager.run(stop.signal);
    await cluster.clock.advance(1000);
    stop.abort();
    await cluster.clock.advance(1000);
    expect(await running).toEqual({ by: "abort" });
    expect(order.filter((entry) => !entry.startsWith("watch"))).toEqual([
      "Manager starts",
      "Manager stops",
      "Manager has stopped",
    ]);
    checkIdle(cluster.clock);
  });

  test("a candidate that is stopped never starts the work of a leader (MGR-1)", async () => {
    const cluster = await clusterWithMap();
    const leader = new LeaderElector({
      client: createClient(cluster.connection, { clock: cluster.clock }),
      lease: { namespace: "default", name: "operator" },
      identity: "other",
      telemetry: { log: silentLog },
    });
    const end = new AbortController();
    const leading = leader.run(end.signal);
    await cluster.clock.advance(100);
    const operator = new Operator({ election }, cluster).addParts();
    const running = operator.manager.run(operator.stop.signal);
    await cluster.clock.advance(30_000);
    expect(operator.manager.isLeader).toBe(false);
    operator.stop.abort();
    await cluster.clock.advance(1000);
    await running;
    expect(operator.order).toContain("webhook ends");
    expect(operator.order.filter((entry) => /leader-work|reconcile|released/.test(entry))).toEqual(
      [],
    );
    end.abort();
    await cluster.clock.advance(1000);
    await leading;
    checkIdle(cluster.clock);
  });

  test("lost leadership aborts reconciles and ends everything with that cause (MGR-1, MGR-3)", async () => {
    const operator = new Operator({ election }, await clusterWithMap());
    const { cluster, manager, stop } = operator;
    operator.addParts((_key, signal) => untilAborted(signal));
    const running = failureOf(manager.run(stop.signal));
    await cluster.clock.advance(100);
    expect(manager.isLeader).toBe(true);
    const match = { resource: "leases" };
    cluster.api.control.faults.add({ match, times: Infinity, action: { type: "reset" } });
    await cluster.clock.advance(60_000);
    expect(await running).toMatchObject({ code: "LW_LEADERSHIP_LOST" });
    // Another replica may have the lease, so this one does not release it.
    expect(operator.orderFrom("reconciled default/a")).toEqual([
      "reconciled default/a",
      "leader-work ends",
      "event: stopped leading",
      "Manager fails",
      "webhook ends",
      "watch ends",
      "Manager has stopped",
    ]);
    checkIdle(cluster.clock);
  });

  test("with rejoin, work of the leader starts again in the next term (MGR-3)", async () => {
    const rejoining = { ...election, onLost: "rejoin" as const };
    const operator = new Operator({ election: rejoining }, await clusterWithMap()).addParts();
    const { cluster, manager, order, stop } = operator;
    const running = manager.run(stop.signal);
    await cluster.clock.advance(100);
    const match = { resource: "leases" };
    cluster.api.control.faults.add({ match, times: Infinity, action: { type: "reset" } });
    await cluster.clock.advance(20_000);
    expect(manager.isLeader).toBe(false);
    cluster.api.control.faults.clear();
    await cluster.clock.advance(60_000);
    expect(manager.isLeader).toBe(true);
    stop.abort();
    await cluster.clock.advance(1000);
    expect(await running).toEqual({ by: "abort" });
    const work = order.filter((entry) => entry.startsWith("leader-work"));
    expect(work.join()).toBe(
      "leader-work starts,leader-work ends,leader-work starts,leader-work ends",
    );
    checkIdle(cluster.clock);
  });

  test.each([
    ["throws", async () => Promise.reject(new Error("boom")), "boom"],
    ["ends early", async () => undefined, "Cannot go on without the runnable importer"],
  ])(
    "a runnable that %s ends the manager with that cause, and releases the lease (MGR-4)",
    async (_how, run, message) => {
      const operator = new Operator({ election }, await clusterWithMap()).addParts();
      const { cluster, manager } = operator;
      manager.add({ name: "importer", needsLeader: true, run });
      const running = failureOf(manager.run());
      await cluster.clock.advance(1000);
      expect(await running).toMatchObject({ message: expect.stringContaining(message) });
      expect(operator.orderFrom("Manager fails")).toEqual([
        "Manager fails",
        "leader-work ends",
        "event: stopped leading",
        "lease is released",
        "webhook ends",
        "watch ends",
        "Manager has stopped",
      ]);
      checkIdle(cluster.clock);
    },
  );

  test("a taken port ends the manager before it reads anything (MGR-1)", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const operator = new Operator({ server: { ...server, port } }).addParts();
    const running = failureOf(operator.manager.run());
    await operator.cluster.clock.advance(100);
    expect(await running).toMatchObject({
      code: "LW_LISTEN",
      message: `Cannot listen on 127.0.0.1:${port}: another program listens there`,
    });
    expect(operator.order).toEqual(["Manager starts", "Manager fails", "Manager has stopped"]);
    checkIdle(operator.cluster.clock);
    taken.close();
  });

  test("informers that do not sync are named with cause and missing right (MGR-2)", async () => {
    const operator = new Operator({ limits: { syncTimeoutMs: 41_000 } }).addParts();
    const { cluster, log, manager } = operator;
    cluster.api.control.faults.add({
      match: { resource: "configmaps" },
      times: Infinity,
      action: {
        type: "status",
        status: {
          code: 403,
          reason: "Forbidden",
          message:
            'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" at the cluster scope',
        },
      },
    });
    const running = failureOf(manager.run());
    await cluster.clock.advance(60_000);
    const error = await running;
    expect(error).toBeInstanceOf(ManagerSyncError);
    expect(error).toMatchObject({
      code: "LW_MANAGER_SYNC",
      unsynced: [{ name: "v1/configmaps" }],
      message: expect.stringMatching(
        /^Cannot start operator: expected its informers to sync within 41 s, got v1\/configmaps: 403 Forbidden: .*User "jane" cannot list.*Grant the verbs list and watch on the resource configmaps/,
      ),
    });
    const late = log.lines.filter(({ message }) => message === "Informer has not synced");
    expect(operator.order.filter((entry) => entry.startsWith("Manager"))).toEqual([
      "Manager starts",
      "Manager fails",
      "Manager has stopped",
    ]);
    expect(operator.order.filter((entry) => /starts$|lease/.test(entry))).toEqual([
      "Manager starts",
    ]);
    // After 10 s and after another 30 s.
    expect(late.map(({ fields }) => fields["waited"])).toEqual(["10 s", "40 s"]);
    checkIdle(cluster.clock);
  });

  test("a manager runs once, and takes no part after its start", async () => {
    const { manager } = new Operator();
    await manager.run(AbortSignal.abort());
    expect(() => manager.run()).toThrow(AlreadyRunningError);
    const late = { name: "late", run: async () => undefined };
    expect(() => manager.add(late)).toThrow(AlreadyRunningError);
  });
});
