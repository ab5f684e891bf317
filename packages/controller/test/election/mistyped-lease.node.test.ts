// Only in Node, like the other tests of elections.
import { createClient, createConnection, type FetchFunction } from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { expect, test } from "vitest";

const time = "2026-01-01T00:00:00.000000Z";
const held = {
  holderIdentity: "other",
  leaseDurationSeconds: 15,
  renewTime: time,
  acquireTime: time,
  leaseTransitions: 1,
};

/** A server that has one lease and accepts every write of it. */
function serverOf(spec: unknown) {
  const metadata = { name: "l", namespace: "d", uid: "1", resourceVersion: "1" };
  let lease: object = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
  const written: unknown[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method !== "GET") {
      lease = JSON.parse(await request.text());
      if ("spec" in lease) written.push(lease.spec);
    }
    return Response.json(lease);
  };
  return { fetch, written };
}

function electorOf(fetch: FetchFunction, clock: SimulatedClock): LeaderElector {
  return new LeaderElector({
    client: createClient(createConnection({ server: "http://x", fetch }), { clock }),
    lease: { namespace: "d", name: "l" },
    identity: "me",
    clock,
    random: () => 0.5,
    telemetry: { log: silentLog },
  });
}

const wrong: readonly unknown[] = ["x", "15", null, -1, 0, 1e300, true, {}, [], 1.5];

test.each(Object.keys(held).flatMap((member) => wrong.map((value) => [member, value] as const)))(
  "a lease whose %s is %j is acquired only after its duration",
  async (member, value) => {
    // A lease without a holder is free. A duration may be fractional.
    const isFree = member === "holderIdentity" && value === null;
    const isShort = member === "leaseDurationSeconds" && value === 1.5;
    const clock = new SimulatedClock({ startMs: Date.parse(time) });
    const { fetch, written } = serverOf({ ...held, [member]: value });
    const elector = electorOf(fetch, clock);
    const stop = new AbortController();
    const running = elector.run(stop.signal);
    await clock.advance(14_000);
    expect(elector.isLeader).toBe(isFree || isShort);
    await clock.advance(6000);
    expect(elector.isLeader).toBe(true);
    // An invalid count of transitions starts at 0.
    const before = member === "leaseTransitions" ? 0 : held.leaseTransitions;
    expect(written[0]).toMatchObject({
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      leaseTransitions: before + 1,
    });
    stop.abort();
    await clock.advance(20_000);
    await running;
  },
);

test("a lease whose writes return another holder is not acquired", async () => {
  const clock = new SimulatedClock({ startMs: Date.parse(time) });
  const metadata = { name: "l", namespace: "d", uid: "1", resourceVersion: "1" };
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
  const fetch = async ({ method }: Request): Promise<Response> =>
    Response.json({ ...lease, spec: method === "GET" ? {} : held });
  const elector = electorOf(fetch, clock);
  const stop = new AbortController();
  const running = elector.run(stop.signal);
  for (let step = 0; step < 30; step++) {
    await clock.advance(1000);
    expect(elector.isLeader).toBe(false);
  }
  stop.abort();
  await clock.advance(20_000);
  await running;
});
