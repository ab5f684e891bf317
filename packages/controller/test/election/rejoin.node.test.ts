import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, createConnection } from "@listwatch/client";
import { Controller, LeaderElector, LeadershipLostError } from "@listwatch/controller";
import { silentLog, sleep } from "@listwatch/core-fifo";
import {
  Cluster,
  configMap,
  configMapReference,
  server,
  type ConfigMap,
} from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";

let cluster: Cluster;
let stop: AbortController;
let isCut: boolean;

beforeEach(async () => {
  cluster = new Cluster();
  stop = new AbortController();
  isCut = false;
  await cluster.configMaps.create(configMap("default/a"));
  await cluster.configMaps.create(configMap("default/b"));
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
});

function createElector(onLost?: "exit" | "rejoin"): LeaderElector {
  const fetch = (request: Request): Promise<Response> =>
    isCut ? Promise.reject(new TypeError("fetch failed")) : cluster.api.fetch(request);
  const client = createClient(createConnection({ server, fetch }), { clock: cluster.clock });
  return new LeaderElector({
    client,
    identity: "one",
    lease: { namespace: "default", name: "lease" },
    telemetry: { log: silentLog },
    onLost,
    random: () => 0,
  });
}

/** Cuts the elector off until its term is lost, then lets it reach its lease again. */
async function loseTerm(): Promise<void> {
  isCut = true;
  await cluster.clock.advance(11_000);
  isCut = false;
}

describe("A controller whose elector rejoins", () => {
  test("reconciles each cached key once in its next term, with new signals and a warm cache", async () => {
    const elector = createElector("rejoin");
    const informer = runInformer(cluster, stop.signal);
    const reconciled: string[] = [];
    const signals = new Set<AbortSignal>();
    const controller = new Controller({
      clock: cluster.clock,
      client: cluster.client,
      informer,
      elector,
      telemetry: { log: silentLog },
      reconcile: (key, { signal }) => {
        reconciled.push(key);
        signals.add(signal);
      },
    });
    const ended = Promise.all([controller.run(stop.signal), elector.run(stop.signal)]);
    await cluster.clock.advance(1000);
    expect(reconciled).toEqual(["default/a", "default/b"]);
    cluster.api.control.recorder.clear();
    await loseTerm();
    expect(elector.isLeader).toBe(false);
    await cluster.configMaps.patch("default/a", { data: { x: "1" } });
    await cluster.clock.advance(100);
    expect(reconciled).toHaveLength(2);
    await cluster.clock.advance(20_000);
    expect(elector.isLeader).toBe(true);
    expect(reconciled.slice(2).toSorted()).toEqual(["default/a", "default/b"]);
    expect(signals.size).toBe(4);
    expect(cluster.requests().filter((request) => request.startsWith("list"))).toEqual([]);
    stop.abort();
    await cluster.clock.advance(1000);
    await ended;
  });

  test("applies again only after every reconcile of the lost term has ended", async () => {
    const elector = createElector("rejoin");
    const informer = runInformer(cluster, stop.signal);
    const failures: unknown[] = [];
    let running = 0;
    let most = 0;
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      elector,
      workers: 2,
      onError: (error) => failures.push(error),
      reconcile: async (_, { signal }) => {
        most = Math.max(most, ++running);
        await sleep(60_000, { clock: cluster.clock, signal }).catch(() => {});
        // It takes a while to end after the abort.
        await sleep(8000, { clock: cluster.clock });
        running -= 1;
        signal.throwIfAborted();
      },
    });
    void controller.run(stop.signal);
    void elector.run(stop.signal);
    await cluster.clock.advance(1000);
    await loseTerm();
    await cluster.clock.advance(5000);
    expect(elector.isLeader).toBe(false);
    await cluster.clock.advance(20_000);
    expect(elector.isLeader).toBe(true);
    expect(most).toBe(2);
    expect(failures).toEqual([]);
    stop.abort();
    await cluster.clock.advance(120_000);
  });

  test("ends, and its elector too, if a reconcile goes on beyond stopTimeoutMs after the loss", async () => {
    const elector = createElector("rejoin");
    const informer = runInformer(cluster, stop.signal);
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      elector,
      limits: { stopTimeoutMs: 5000 },
      telemetry: { log: silentLog },
      reconcile: () => sleep(200_000, { clock: cluster.clock }),
    });
    const ends = [controller.run(stop.signal), elector.run(stop.signal)].map((run) =>
      run.catch((error: unknown) => error),
    );
    await cluster.clock.advance(1000);
    await loseTerm();
    await cluster.clock.advance(10_000);
    for (const error of await Promise.all(ends)) expect(error).toBeInstanceOf(LeadershipLostError);
    await cluster.clock.advance(200_000);
  });

  test("exits by default", async () => {
    const elector = createElector();
    const informer = runInformer(cluster, stop.signal);
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      elector,
      reconcile: () => {},
    });
    const ends = [controller.run(stop.signal), elector.run(stop.signal)].map((run) =>
      run.catch((error: unknown) => error),
    );
    await cluster.clock.advance(1000);
    await loseTerm();
    await cluster.clock.advance(100);
    for (const error of await Promise.all(ends)) expect(error).toBeInstanceOf(LeadershipLostError);
  });

  test("guards the client of its reconciles", async () => {
    const elector = createElector("rejoin");
    const informer = runInformer(cluster, stop.signal);
    const results: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      client: cluster.client,
      informer,
      elector,
      onError: () => {},
      reconcile: async (key, { client, signal }) => {
        const maps = client.resource<ConfigMap>(configMapReference);
        if (results.length > 0) return;
        await maps.patch(key, { data: { x: "1" } });
        results.push("written");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await maps.patch(key, { data: { x: "2" } }).catch((error: unknown) => results.push(error));
      },
    });
    void controller.run(stop.signal);
    void elector.run(stop.signal);
    await cluster.clock.advance(1000);
    await loseTerm();
    await cluster.clock.advance(100);
    expect(results[0]).toBe("written");
    expect(results[1]).toBeInstanceOf(LeadershipLostError);
  });
});
