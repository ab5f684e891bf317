import { afterEach, beforeEach, expect, test } from "vitest";
import { Controller, ShardRing } from "@listwatch/controller";
import { silentLog, type Log } from "@listwatch/core-fifo";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";

let cluster: Cluster;
let stop: AbortController;
let lines: string[];

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  lines = [];
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
});

function create() {
  const { client, clock } = cluster;
  const write: Log["warn"] = (line, fields) => lines.push(`${line}: ${String(fields?.["cause"])}`);
  const log: Log = { ...silentLog, error: write, warn: write };
  const telemetry = { log };
  const ring = new ShardRing({ client, clock, namespace: "default", name: "ring", telemetry });
  const controller = new Controller<ConfigMap>({
    name: "maps",
    clock,
    shards: ring,
    telemetry,
    reconcile: () => {},
  }).for(runInformer(cluster, stop.signal));
  return { ring, controller };
}

test("a controller logs after 10 s that its ring was not started", async () => {
  const { controller } = create();
  void controller.run(stop.signal);
  await cluster.clock.advance(9000);
  expect(lines).toEqual([]);
  await cluster.clock.advance(20_000);
  expect(lines).toEqual([expect.stringContaining("Cannot reconcile: expected the ring to run")]);
});

test("a ring logs after 10 s that a controller was not started", async () => {
  const { ring } = create();
  void ring.run(stop.signal);
  await cluster.clock.advance(9000);
  expect(lines).toEqual([]);
  await cluster.clock.advance(20_000);
  expect(lines).toEqual([
    expect.stringContaining("Cannot join the ring: expected the controller maps to run"),
  ]);
});

test("a ring and a controller that run log nothing", async () => {
  const { controller, ring } = create();
  void Promise.all([controller.run(stop.signal), ring.run(stop.signal)]);
  await cluster.clock.advance(30_000);
  expect(lines).toEqual([]);
});
