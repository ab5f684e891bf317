import type { Log, MetricsSink } from "@listwatch/core-fifo";
import { expect, test } from "vitest";
import { checkIdle, Cluster, configMap } from "./support/cluster.ts";
import { LineLog } from "./support/lines.ts";
import { Operator } from "./support/operator.ts";

test("a log that cannot be written, as on a full disk, stops nothing", async () => {
  const cluster = new Cluster();
  await cluster.configMaps.create(configMap("default/a"));
  const fail = (): never => {
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  };
  const log: Log = { debug: fail, info: fail, warn: fail, error: fail };
  const election = { namespace: "default", identity: "one" };
  const operator = new Operator({ election, telemetry: { log } }, cluster).addParts();
  const running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(5000);
  expect(operator.order).toContain("reconciled default/a");
  operator.stop.abort();
  await cluster.clock.advance(5000);
  expect(await running).toEqual({ by: "abort" });
  expect(operator.order).toContain("lease is released");
  checkIdle(cluster.clock);
});

test("an outage of ten minutes ends nothing without an election, and reconciles go on after it", async () => {
  const cluster = new Cluster();
  const operator = new Operator({}, cluster).addParts();
  const running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(5000);
  cluster.api.control.shutdown();
  await cluster.clock.advance(600_000);
  expect(operator.order).not.toContain("Manager fails");
  cluster.api.control.start();
  await cluster.configMaps.create(configMap("default/b"));
  await cluster.clock.advance(120_000);
  expect(operator.order).toContain("reconciled default/b");
  operator.stop.abort();
  await cluster.clock.advance(5000);
  expect(await running).toEqual({ by: "abort" });
  checkIdle(cluster.clock);
});

test("a leader ends when its API server is away for ten minutes, and the next run leads again", async () => {
  const cluster = new Cluster();
  const election = { namespace: "default", identity: "one" };
  const first = new Operator({ election }, cluster).addParts();
  const ended = first.manager.run().catch((error: unknown) => error);
  await cluster.clock.advance(5000);
  cluster.api.control.shutdown();
  await cluster.clock.advance(600_000);
  expect(await ended).toMatchObject({ name: "LeadershipLostError" });
  expect(first.order.at(-1)).toBe("Manager has stopped");
  cluster.api.control.start();
  const second = new Operator({ election: { ...election, identity: "two" } }, cluster).addParts();
  const running = second.manager.run(second.stop.signal);
  await cluster.clock.advance(60_000);
  expect(second.order).toContain("leader-work starts");
  second.stop.abort();
  await cluster.clock.advance(5000);
  await running;
  checkIdle(cluster.clock);
});

test("a sink of metrics that throws stops nothing, and is logged", async () => {
  const cluster = new Cluster();
  await cluster.configMaps.create(configMap("default/a"));
  const fail = (): never => {
    throw new Error("no sink");
  };
  const log = new LineLog();
  const metrics: MetricsSink = {
    counter: () => () => ({ inc: fail }),
    gauge: () => () => ({ set: fail }),
    histogram: () => () => ({ observe: fail }),
  };
  const election = { namespace: "default", identity: "one" };
  const operator = new Operator({ election, telemetry: { log, metrics } }, cluster).addParts();
  const running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(5000);
  expect(operator.order).toContain("reconciled default/a");
  operator.stop.abort();
  await cluster.clock.advance(5000);
  expect(await running).toEqual({ by: "abort" });
  expect(operator.order).toContain("lease is released");
  expect(log.lines.map(({ message }) => message)).toEqual(
    expect.arrayContaining(["A metric of the election failed", "A metric of reconciles failed"]),
  );
  checkIdle(cluster.clock);
});

test("a lease that cannot be released does not hold back the end beyond the limits of a stop", async () => {
  const cluster = new Cluster();
  const election = { namespace: "default", identity: "one" };
  const operator = new Operator({ election }, cluster).addParts();
  const running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(5000);
  const match = { resource: "leases" };
  cluster.api.control.faults.add({ match, times: Infinity, action: { type: "blackhole" } });
  operator.stop.abort();
  // 20 s for reconciles, and 5 s more.
  await cluster.clock.advance(25_000);
  expect(await running).toEqual({ by: "abort" });
  expect(operator.order.slice(-3)).toEqual(["webhook ends", "watch ends", "Manager has stopped"]);
  checkIdle(cluster.clock);
});

test("of two managers in a process, one leads, and the other when the first has stopped", async () => {
  const cluster = new Cluster();
  const [first, second] = ["one", "two"].map((identity) =>
    new Operator({ election: { namespace: "default", identity } }, cluster).addParts(),
  );
  const runs = [first, second].map((operator) => operator!.manager.run(operator!.stop.signal));
  await cluster.clock.advance(5000);
  expect([first?.manager.isLeader, second?.manager.isLeader]).toEqual([true, false]);
  first?.stop.abort();
  await cluster.clock.advance(5000);
  expect(await runs[0]).toEqual({ by: "abort" });
  expect(second?.order).toContain("leader-work starts");
  second?.stop.abort();
  await cluster.clock.advance(5000);
  expect(await runs[1]).toEqual({ by: "abort" });
  checkIdle(cluster.clock);
});
