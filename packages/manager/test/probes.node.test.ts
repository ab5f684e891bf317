import { sleep, type Clock } from "@listwatch/core-fifo";
import type { Manager } from "@listwatch/manager";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkIdle, Cluster, configMap } from "./support/cluster.ts";
import { Operator, untilAborted } from "./support/operator.ts";
import { read } from "./support/pages.ts";

const server = { port: 0, host: "127.0.0.1" };

let cluster: Cluster;
let operator: Operator;
let running: Promise<unknown>;

function start(options: ConstructorParameters<typeof Operator>[0] = {}): Manager {
  operator = new Operator({ server, ...options }, cluster);
  return operator.manager;
}

async function run(): Promise<void> {
  running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(100);
}

beforeEach(async () => {
  cluster = new Cluster();
  await cluster.configMaps.create(configMap("default/a"));
});

afterEach(async () => {
  operator.stop.abort();
  await cluster.clock.advance(1000);
  await running;
  checkIdle(cluster.clock);
});

describe("the probes of a manager", () => {
  test("readiness waits for all informers, and names the missing one (MGR-5)", async () => {
    const manager = start();
    operator.addParts();
    const match = { resource: "configmaps" };
    cluster.api.control.faults.add({ match, times: 3, action: { type: "reset" } });
    await run();
    expect(await read(manager, "/readyz")).toEqual({
      status: 503,
      text: expect.stringMatching(
        /^\[-\]informer\/v1\/configmaps failed: .* \(\d attempts in .*\)\nreadyz check failed\n$/,
      ),
    });
    expect(await read(manager, "/livez")).toEqual({ status: 200, text: "ok" });
    await cluster.clock.advance(60_000);
    expect(await read(manager, "/readyz")).toEqual({ status: 200, text: "ok" });
    expect((await read(manager, "/readyz?verbose")).text).toMatch(
      /^\[\+\]manager ok\n\[\+\]informer\/v1\/configmaps ok \(1 objects, .* ago\)\nreadyz check passed\n$/,
    );
    expect((await read(manager, "/readyz/informer/v1/configmaps")).status).toBe(200);
    expect((await read(manager, "/readyz/informer/v1/pods")).status).toBe(404);
  });

  test.each([
    [undefined, 200],
    [300_000, 503],
  ])(
    "while the API server is away no probe fails, except readiness with staleAfterMs: %s (MGR-5, MGR-6)",
    async (staleAfterMs, status) => {
      const manager = start({ server: { ...server, staleAfterMs } });
      operator.addParts();
      await run();
      cluster.api.control.faults.add({ match: {}, times: Infinity, action: { type: "reset" } });
      cluster.api.control.watches.reset();
      await cluster.clock.advance(600_000);
      expect((await read(manager, "/livez")).status).toBe(200);
      expect((await read(manager, "/readyz")).status).toBe(status);
    },
  );

  test("liveness fails after the event loop was blocked, although it turns again (MGR-5)", async () => {
    const { clock } = cluster;
    let blockedMs = 0;
    // The time passes and no timer fires, as in a loop that computes.
    const blocked: Clock = {
      now: () => clock.now() + blockedMs,
      setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
      nextTurn: () => clock.nextTurn(),
    };
    const manager = start({ clock: blocked });
    await run();
    await clock.advance(60_000);
    expect((await read(manager, "/livez")).status).toBe(200);
    blockedMs += 9000;
    expect((await read(manager, "/livez")).status).toBe(200);
    await clock.advance(2000);
    blockedMs += 12_000;
    // Answered before the late timer fires, and after it.
    const text = expect.stringMatching(
      /^\[-\]event-loop failed: the event loop was blocked for 1\d s/,
    );
    expect(await read(manager, "/livez")).toEqual({ status: 503, text });
    await clock.advance(5000);
    expect(await read(manager, "/livez")).toEqual({ status: 503, text });
    await clock.advance(6000);
    expect((await read(manager, "/livez")).status).toBe(200);
  });

  test("liveness fails when a reconcile has run a minute longer than its limit (MGR-5)", async () => {
    const manager = start();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    manager.controller({
      for: { group: "", version: "v1", resource: "configmaps" },
      limits: { timeoutMs: 30_000 },
      onError: () => undefined,
      reconcile: () => ended,
    });
    await run();
    await cluster.clock.advance(85_000);
    expect((await read(manager, "/livez")).status).toBe(200);
    await cluster.clock.advance(10_000);
    const text = expect.stringContaining(
      "[-]controller/configmaps failed: a reconcile has run for ",
    );
    expect(await read(manager, "/livez")).toEqual({ status: 503, text });
    resolve();
    await cluster.clock.advance(0);
    expect((await read(manager, "/livez")).status).toBe(200);
  });

  test("checks of the program belong to one probe, and may be asynchronous (MGR-5)", async () => {
    const manager = start();
    let isBroken = false;
    manager.addCheck("disk", () => {
      if (isBroken) throw new Error("it is full");
      return "3 GB";
    });
    manager.addCheck("worker", async () => sleep(0), "live");
    await run();
    expect((await read(manager, "/readyz?verbose")).text).toContain("[+]disk ok (3 GB)\n");
    expect((await read(manager, "/livez?verbose")).text).toContain("[+]worker ok\n");
    isBroken = true;
    expect((await read(manager, "/readyz/disk")).text).toBe(
      "[-]disk failed: it is full\nreadyz check failed\n",
    );
    expect((await read(manager, "/livez")).status).toBe(200);
    isBroken = false;
  });

  test("other pages and methods are refused", async () => {
    const manager = start();
    await run();
    expect((await read(manager, "/")).status).toBe(404);
    const url = `http://127.0.0.1:${manager.port}/readyz`;
    expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(405);
  });

  test("/metrics has the meters of all parts under their known names (OBS-4)", async () => {
    const manager = start({ election: { namespace: "default" } });
    operator.addParts();
    manager.add({ name: "idle", run: untilAborted });
    await run();
    const { status, text } = await read(manager, "/metrics");
    expect(status).toBe(200);
    const lines = text.split("\n");
    expect(lines).toContain(
      'controller_runtime_reconcile_total{controller="maps",result="success"} 1',
    );
    expect(lines).toContain('workqueue_adds_total{name="maps"} 1');
    expect(lines).toContain('leader_election_master_status{name="operator"} 1');
    expect(lines).toContain('reflector_watches_total{name="v1/configmaps"} 1');
    expect(lines).toContain(
      'controller_runtime_reconcile_time_seconds_bucket{controller="maps",le="+Inf"} 1',
    );
    expect(lines).toContain("# TYPE workqueue_queue_duration_seconds histogram");
  });
});
