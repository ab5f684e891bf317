// Not in Chromium, like all elections.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  Controller,
  LeaderElector,
  LeadershipLostError,
  retryOnConflict,
  type LeaderElectorOptions,
} from "@listwatch/controller";
import { SharedInformer } from "@listwatch/shared-informer";
import {
  Cluster,
  checkIdle,
  configMap,
  failureOf,
  sourceForm,
  type ConfigMap,
} from "../support/cluster.ts";
import { LineLog } from "../support/lines.ts";

let cluster: Cluster;
let stop: AbortController;
let log: LineLog;

function elector(identity: string, options: Partial<LeaderElectorOptions> = {}): LeaderElector {
  return new LeaderElector({
    client: cluster.client,
    lease: { namespace: "default", name: "election" },
    identity,
    clock: cluster.clock,
    random: () => 0,
    telemetry: { log },
    ...options,
  });
}

function refuse(code: number, reason: string, method?: string): { remove(): void } {
  return cluster.api.control.faults.add({
    match: { resource: "leases", ...(method === undefined ? {} : { method }) },
    times: Infinity,
    action: { type: "status", status: { code, reason } },
  });
}

function mostRequestsInTenSeconds(): number {
  const times = cluster.api.control.recorder
    .list({ resource: "leases" })
    .map(({ time }) => time)
    .toSorted((a, b) => a - b);
  return Math.max(
    0,
    ...times.map((from) => times.filter((time) => time >= from && time < from + 10_000).length),
  );
}

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  log = new LineLog();
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
  checkIdle(cluster.clock);
});

describe("A quiet run", () => {
  // An update of a projected object is refused, which is logged.
  test.skipIf(sourceForm.fields !== undefined)(
    "of two electors and controllers logs nothing above info: not the loser's 409, not a retried conflict, not an abort",
    async () => {
      await cluster.configMaps.create(configMap("default/a"));
      const stops = [new AbortController(), new AbortController()];
      const runs = stops.map(async ({ signal }, index) => {
        const leader = elector(`candidate-${index}`);
        const informer = new SharedInformer<ConfigMap>({
          clock: cluster.clock,
          listerWatcher: cluster.source(),
          telemetry: { log },
        });
        let conflicts = 2;
        const controller: Controller<ConfigMap> = new Controller({
          informer,
          clock: cluster.clock,
          telemetry: { log },
          elector: leader,
          reconcile: async (key, context) => {
            const cached = context.object;
            if (cached !== undefined && conflicts-- > 0) {
              const metadata = { ...cached.metadata, resourceVersion: "1" };
              await cluster.configMaps.update({ ...cached, metadata });
            }
            await retryOnConflict(async () => cluster.configMaps.get(key), {
              clock: cluster.clock,
            });
            context.signal.throwIfAborted();
            await new Promise((_, reject) => {
              context.signal.addEventListener("abort", () => reject(context.signal.reason));
            });
          },
          limits: { stopTimeoutMs: 100 },
        });
        await Promise.all([informer.run(signal), leader.run(signal), controller.run(signal)]);
      });
      await cluster.clock.advance(180_000);
      stops[0]?.abort();
      await cluster.clock.advance(180_000);
      stops[1]?.abort();
      await cluster.clock.advance(60_000);
      await Promise.all(runs);
      const posts = cluster.api.control.recorder.list({ resource: "leases", method: "POST" });
      expect(posts.map(({ status }) => status)).toEqual([201, 409]);
      expect(log.loud).toEqual([]);
    },
  );
});

describe("An elector that cannot reach its lease", () => {
  test("logs it with advice, is unhealthy after the lease duration, and logs the recovery", async () => {
    const fault = refuse(403, "Forbidden");
    const one = elector("one");
    void one.run(stop.signal);
    await cluster.clock.advance(0);
    expect(log.loud).toMatchObject([
      {
        message: "Leader election failed",
        fields: { lease: "default/election", identity: "one", cause: { httpCode: 403 } },
      },
    ]);
    expect(String(log.loud[0]?.fields["advice"])).toMatch(/Grant/);
    expect(one.isHealthy()).toBe(true);
    await cluster.clock.advance(15_001);
    expect([one.isHealthy(), one.isHealthy(2000)]).toEqual([false, true]);
    await cluster.clock.advance(180_000);
    expect(log.loud).toHaveLength(4);
    fault.remove();
    await cluster.clock.advance(5000);
    expect(one.isHealthy()).toBe(true);
    expect(one.isLeader).toBe(true);
    expect(log.loud.at(-1)?.message).toBe("Leader election works again");
  });

  test("reports failures to onError instead of the log, and logs an exception of onError", async () => {
    refuse(500, "InternalError");
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    void elector("one", { onError }).run(stop.signal);
    await cluster.clock.advance(5000);
    expect(errors.length).toBeGreaterThan(1);
    expect(log.lines).toEqual([]);
    const failing = (): never => {
      throw new Error("The hook is broken");
    };
    void elector("two", { onError: failing }).run(stop.signal);
    await cluster.clock.advance(0);
    expect(log.loud).toMatchObject([{ fields: { cause: { message: "The hook is broken" } } }]);
  });

  test("that leads is lost with the reason as the cause", async () => {
    const one = elector("one");
    const failed = failureOf(one.run(stop.signal));
    await cluster.clock.advance(1000);
    refuse(503, "ServiceUnavailable");
    await cluster.clock.advance(40_000);
    const error = await failed;
    expect(error).toBeInstanceOf(LeadershipLostError);
    expect(error).toMatchObject({
      message: 'Cannot keep the leadership of "one": it was not renewed within 10 s',
      cause: { httpCode: 503 },
    });
  });

  test("names the candidate that has taken the lease", async () => {
    const failed = failureOf(elector("one").run(stop.signal));
    await cluster.clock.advance(0);
    await cluster.client
      .resource({ group: "coordination.k8s.io", version: "v1", resource: "leases" })
      .patch("default/election", { spec: { holderIdentity: "usurper" } });
    await cluster.clock.advance(3000);
    expect(await failed).toMatchObject({
      message: 'Cannot keep the leadership of "one": "usurper" has the lease',
    });
  });

  test("reports repeated conflicts as a failure", async () => {
    refuse(409, "AlreadyExists", "POST");
    const one = elector("one");
    void one.run(stop.signal);
    await cluster.clock.advance(9000);
    expect(log.loud).toEqual([]);
    await cluster.clock.advance(60_000);
    expect(log.loud[0]).toMatchObject({ fields: { cause: { httpCode: 409 } } });
    expect(one.isHealthy()).toBe(false);
  });
});

describe("An elector that was not started", () => {
  test("is logged after 10 s of waiting for its leadership", async () => {
    const one = elector("one");
    const waiting = one.lead(async () => "led", { signal: stop.signal });
    await cluster.clock.advance(9999);
    expect(log.lines).toEqual([]);
    await cluster.clock.advance(1);
    expect(log.loud).toMatchObject([{ fields: { advice: "Call run() of the elector" } }]);
    stop.abort();
    expect(await waiting).toBeUndefined();
    await cluster.clock.advance(60_000);
  });
});

describe("Callbacks", () => {
  test("that throw or reject are logged, and do not end the election", async () => {
    const fail = (): never => {
      throw new Error("broken");
    };
    const one = elector("one", {
      onStartedLeading: fail,
      onNewLeader: async () => fail(),
      onStoppedLeading: fail,
    });
    const running = one.run(stop.signal);
    await cluster.clock.advance(10);
    expect(one.isLeader).toBe(true);
    stop.abort();
    await cluster.clock.advance(10);
    await running;
    expect(log.loud.map(({ message }) => message).toSorted()).toEqual([
      "onNewLeader failed",
      "onStartedLeading failed",
      "onStoppedLeading failed",
    ]);
  });
});

describe("Any misbehaviour of the server gets at most fifteen requests in ten seconds", () => {
  test.each([
    [409, "Conflict", "PUT"],
    [409, "AlreadyExists", "POST"],
    [403, "Forbidden", undefined],
    [500, "InternalError", "PUT"],
    [404, "NotFound", undefined],
    [410, "Expired", "GET"],
  ] as const)("%i %s for %s, of a leader, at its stop and after", async (code, reason, method) => {
    const one = elector("one", { limits: { renewDeadlineMs: 14_000 } });
    const ended = one.run(stop.signal).catch(() => {});
    await cluster.clock.advance(20_000);
    refuse(code, reason, method);
    await cluster.clock.advance(9000);
    stop.abort();
    await cluster.clock.advance(60_000);
    await ended;
    expect(mostRequestsInTenSeconds()).toBeLessThanOrEqual(15);
  });

  test.each([
    [409, "Conflict", "PUT"],
    [409, "AlreadyExists", "POST"],
    [403, "Forbidden", undefined],
    [500, "InternalError", undefined],
  ] as const)("%i %s for %s, of a candidate", async (code, reason, method) => {
    refuse(code, reason, method);
    // It becomes the leader where it may create the lease, and loses a lease that it cannot renew.
    void elector("one")
      .run(stop.signal)
      .catch(() => {});
    await cluster.clock.advance(60_000);
    expect(mostRequestsInTenSeconds()).toBeLessThanOrEqual(15);
  });

  test.each([
    { type: "reset" },
    { type: "blackhole" },
    { type: "status", status: { code: 429, reason: "TooManyRequests", retryAfterSeconds: 0 } },
    { type: "commitThenFail" },
  ] as const)("%j, of a leader and a candidate", async (action) => {
    const ended = elector("one")
      .run(stop.signal)
      .catch(() => {});
    await cluster.clock.advance(20_000);
    const match = { resource: "leases" };
    cluster.api.control.faults.add({ match, times: Infinity, action });
    await cluster.clock.advance(60_000);
    void elector("two").run(stop.signal);
    await cluster.clock.advance(60_000);
    stop.abort();
    await cluster.clock.advance(60_000);
    await ended;
    expect(mostRequestsInTenSeconds()).toBeLessThanOrEqual(15);
  });

  test("a release that always meets a conflict ends after the renew deadline, and logs the reason", async () => {
    const one = elector("one");
    const running = one.run(stop.signal);
    await cluster.clock.advance(20_000);
    refuse(409, "Conflict", "PUT");
    stop.abort();
    await cluster.clock.advance(10_000);
    await running;
    expect(mostRequestsInTenSeconds()).toBeLessThanOrEqual(15);
    expect(log.loud).toMatchObject([
      { message: "The release of the lease failed", fields: { cause: { httpCode: 409 } } },
    ]);
  });
});
