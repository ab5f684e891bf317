// Not in Chromium, like all elections.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "@listwatch/core-fifo";
import {
  LeaderElector,
  LeadershipLostError,
  type EventNote,
  type LeaderElectorOptions,
} from "@listwatch/controller";
import { metricsSink } from "../support/metrics-sink.ts";
import { Cluster, checkIdle, failureOf } from "../support/cluster.ts";

let cluster: Cluster;
let stop: AbortController;
let log: string[];

function elector(options: Partial<LeaderElectorOptions> = {}): LeaderElector {
  return new LeaderElector({
    client: cluster.client,
    lease: { namespace: "default", name: "election" },
    identity: "one",
    clock: cluster.clock,
    random: () => 0.5,
    telemetry: {
      log: silentLog,
      metrics: metricsSink(({ labels, name, value }) => {
        expect(labels).toEqual({ name: "election" });
        log.push(name === "leader_election_master_status" ? `leads=${value}` : name);
      }),
    },
    ...options,
  });
}

function cutNetwork(times: number): void {
  cluster.api.control.faults.add({
    match: { resource: "leases" },
    times,
    action: { type: "reset" },
  });
}

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  log = [];
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
  checkIdle(cluster.clock);
});

describe("reports of an elector", () => {
  test("metrics show who leads, and how often a renewal had to read the lease", async () => {
    const running = elector().run(stop.signal);
    expect(log).toEqual(["leads=0"]);
    await cluster.clock.advance(0);
    expect(log).toEqual(["leads=0", "leads=1"]);
    cutNetwork(1);
    await cluster.clock.advance(4000);
    expect(log).toEqual(["leads=0", "leads=1", "leader_election_slowpath_total"]);
    stop.abort();
    await running;
    expect(log).toEqual(["leads=0", "leads=1", "leader_election_slowpath_total", "leads=0"]);
  });

  test("events on the lease name who became leader and who stopped leading (LE-8)", async () => {
    const notes: EventNote[] = [];
    const recorder = { event: (note: EventNote) => notes.push(note) };
    const running = elector({ recorder }).run(stop.signal);
    await cluster.clock.advance(0);
    cutNetwork(Infinity);
    const failed = failureOf(running);
    await cluster.clock.advance(10_000);
    expect(await failed).toBeInstanceOf(LeadershipLostError);
    expect(notes.map(({ reason, action, note }) => [reason, action, note])).toEqual([
      ["LeaderElection", "BecomeLeader", "one became leader"],
      ["LeaderElection", "StopLeading", "one stopped leading"],
    ]);
    expect(notes[0]?.regarding).toMatchObject({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { namespace: "default", name: "election", uid: expect.any(String) },
    });
  });

  test("metrics and recorders that throw do not end the election and are reported", async () => {
    const fail = (): never => {
      throw new Error("The registry is closed");
    };
    const errors: unknown[] = [];
    const one = elector({
      telemetry: {
        log: silentLog,
        metrics: metricsSink(fail),
      },
      recorder: { event: fail },
      onError: (error) => {
        errors.push(error);
        throw error;
      },
    });
    const running = one.run(stop.signal);
    await cluster.clock.advance(0);
    expect(one.isLeader).toBe(true);
    stop.abort();
    await running;
    // One failing metric, and two events.
    expect(errors).toHaveLength(3);
  });
});
