// Leases with the name of a ring that no list of the ring shows.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, createConnection } from "@listwatch/client";
import { LeaderElector, ShardRing } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { leases as leaseResource, type LeaseObject } from "../../src/election/lease.ts";
import { Cluster, server } from "../support/cluster.ts";

let cluster: Cluster;
let requests: string[];
let stop: AbortController;
const errors: unknown[] = [];

beforeEach(() => {
  cluster = new Cluster();
  requests = [];
  stop = new AbortController();
  errors.length = 0;
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
});

const leases = () => cluster.client.resource<LeaseObject>(leaseResource);
const name = "default/my-operator" as const;

function createRing(): ShardRing {
  const fetch = (request: Request): Promise<Response> => {
    requests.push(`${request.method} ${new URL(request.url).pathname.split("/").at(-1) ?? ""}`);
    return cluster.api.fetch(request);
  };
  return new ShardRing({
    client: createClient(createConnection({ server, fetch }), { clock: cluster.clock }),
    namespace: "default",
    name: "my-operator",
    identity: "a",
    random: cluster.random,
    onError: (error) => errors.push(error),
  });
}

/** Starts the ring of one process, which then owns all slots. */
async function startRing(): Promise<ShardRing> {
  const ring = createRing();
  void ring.run(stop.signal);
  await cluster.clock.advance(30_000);
  expect(ring.status().slots).toHaveLength(32);
  return ring;
}

describe("A ring", () => {
  test("refuses the name of an elector's Lease with one error, and leaves no Lease behind", async () => {
    const elector = new LeaderElector({
      client: cluster.client,
      identity: "before",
      lease: { namespace: "default", name: "my-operator" },
      telemetry: { log: silentLog },
      clock: cluster.clock,
    });
    void elector.run(stop.signal);
    await cluster.clock.advance(100);
    const ended = createRing()
      .run(stop.signal)
      .catch((error: unknown) => error);
    await cluster.clock.advance(30_000);
    expect(await ended).toMatchObject({
      code: "LW_RING_MISMATCH",
      message:
        "Cannot take part in the ring default/my-operator: expected its Lease to have the label " +
        'listwatch-ring=my-operator, got a Lease of another program, held by "before"',
    });
    expect(requests.length).toBeLessThanOrEqual(10);
    expect((await leases().list()).items.map(({ metadata }) => metadata?.name)).toEqual([
      "my-operator",
    ]);
    expect(elector.isLeader).toBe(true);
  });

  test("puts its label back if others remove it, and goes on with the same owners", async () => {
    const ring = await startRing();
    const { epoch } = ring.status();
    await leases().patch(name, { metadata: { labels: { "listwatch-ring": null } } });
    await cluster.clock.advance(5000);
    expect(ring.status()).toMatchObject({ epoch, isValid: true });
    expect(ring.status().slots).toHaveLength(32);
    expect(errors).toEqual([]);
  });

  test.each([
    ["refuses each write with a conflict", 409, "Conflict"],
    ["says that each written Lease is gone", 404, "NotFound"],
  ] as const)(
    "sends at most 40 requests in ten seconds to a server that %s",
    async (_, code, reason) => {
      await startRing();
      cluster.api.control.faults.add({
        match: { verb: "update", resource: "leases" },
        action: { type: "status", status: { code, reason } },
      });
      await leases().patch(name, {
        metadata: {
          annotations: { "listwatch-ring-owners": Array.from({ length: 32 }, () => "").join() },
        },
      });
      await cluster.clock.advance(10_000);
      requests.length = 0;
      await cluster.clock.advance(10_000);
      expect(requests.length).toBeLessThanOrEqual(40);
    },
  );
});
