import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Controller, controllerReference, ShardRing } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import type { SharedInformerFactory } from "@listwatch/shared-informer";
import { assignSlots } from "../../src/sharding/ring-state.ts";
import { configMap, configMaps, type Cluster, type ConfigMap } from "../support/cluster.ts";
import { times as limits } from "../support/election.ts";
import { metricsSink } from "../support/metrics-sink.ts";
import { Replicas, type Reconcile } from "../support/replicas.ts";
import * as fc from "fast-check";

const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };

let cluster: Cluster;
let replicas: Replicas;

interface Owned {
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly ownerReferences?: readonly object[];
  };
}

beforeEach(() => {
  replicas = new Replicas();
  cluster = replicas.cluster;
});

afterEach(() => replicas.stop());

// The hash spreads strings that differ at their beginning.
const names = Array.from({ length: 24 }, (_, index) => `${index}-team/a` as const);

async function createAll(): Promise<void> {
  for (const key of names) await cluster.configMaps.create(configMap(key));
}

describe("a controller with a ring", () => {
  test("one member alone reconciles every key, with one Lease more (SHC-6)", async () => {
    await createAll();
    const alone = replicas.add("a");
    await replicas.settle(alone);
    await cluster.clock.advance(100);
    expect(alone.keys).toEqual(names.toSorted());
    const { items } = await cluster.client.resource(leases).list();
    expect(items).toHaveLength(2);
    expect(alone.ring.status()).toMatchObject({ epoch: 2, members: ["a"], waitingFor: [] });
  });

  test("replicas divide the keys, and each change is reconciled by the owner alone", async () => {
    await createAll();
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    await cluster.clock.advance(100);
    expect([...a.keys, ...b.keys].toSorted()).toEqual(names.toSorted());
    expect(Math.min(a.keys.length, b.keys.length)).toBeGreaterThan(5);
    for (const key of names) await cluster.configMaps.patch(key, { data: { changed: "1" } });
    await cluster.clock.advance(100);
    expect([...a.runs, ...b.runs]).toHaveLength(2 * names.length);
    expect(a.keys.filter((key) => b.keys.includes(key))).toEqual([]);
  });

  test("a joining process takes its slots over within 3 s, and reconciles only their keys (SHC-2, SHC-3, SHC-5)", async () => {
    await createAll();
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    const before = [a.runs.length, b.runs.length];
    const owned = new Set([...a.ring.status().slots, ...b.ring.status().slots]);
    expect(owned.size).toBe(32);
    const c = replicas.add("c");
    const beganMs = cluster.clock.now();
    await replicas.settle(a, b, c);
    expect(cluster.clock.now() - beganMs).toBeLessThanOrEqual(3000);
    await cluster.clock.advance(100);
    expect([a.runs.length, b.runs.length]).toEqual(before);
    const moved = c.ring.status().slots;
    expect(moved.length).toBeLessThanOrEqual(Math.ceil(32 / 3) + 1);
    const expected = names.filter((key) => moved.includes(c.ring.slotOf(key.split("/")[0] ?? "")));
    expect(c.keys).toEqual(expected.toSorted());
  });

  test("a process that leaves waits for its reconciles, and another one takes over at once (SHC-2, SHC-4)", async () => {
    await createAll();
    const ends: number[] = [];
    const slow: Reconcile = async (_, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      cluster.clock.setTimeout(resolve, 1000);
      await promise;
      if (!signal.aborted) ends.push(cluster.clock.now());
    };
    const a = replicas.add("a");
    await replicas.settle(a);
    const b = replicas.add("b", {}, slow);
    await replicas.settle(a, b);
    await cluster.clock.advance(10);
    for (const key of b.keys) b.controller.queue.add(key);
    await cluster.clock.advance(1010);
    expect(b.keys.length).toBeGreaterThan(5);
    const before = a.runs.length;
    const beganMs = cluster.clock.now();
    b.stop.abort();
    await replicas.settle(a);
    expect(cluster.clock.now() - beganMs).toBeLessThanOrEqual(3000 + 1000);
    await cluster.clock.advance(100);
    const taken = a.runs.slice(before);
    expect(new Set(taken.map(({ key }) => key))).toEqual(new Set(b.keys));
    expect(Math.max(...ends)).toBeLessThanOrEqual(Math.min(...taken.map(({ atMs }) => atMs)));
    await cluster.clock.advance(2000);
    expect((await cluster.client.resource(leases).list()).items).toHaveLength(2);
  });

  test("the slots of a process that has lost the server move within lease + 2 renewals; it stops before (SHC-2)", async () => {
    await createAll();
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    b.isCut = true;
    const beganMs = cluster.clock.now();
    let stoppedMs = Infinity;
    while (a.ring.status().slots.length < 32) {
      await cluster.clock.advance(100);
      if (b.ring.status().slots.length === 0) stoppedMs = Math.min(stoppedMs, cluster.clock.now());
      if (cluster.clock.now() - beganMs > 20_000) throw new Error("No take-over");
    }
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = limits;
    expect(cluster.clock.now() - beganMs).toBeLessThanOrEqual(leaseDurationMs + 2 * retryPeriodMs);
    expect(stoppedMs - beganMs).toBeLessThanOrEqual(renewDeadlineMs + 100);
    await cluster.clock.advance(100);
    expect(a.keys).toEqual(names.toSorted());
  });

  test("after a freeze no key starts and no write leaves before the deadline was looked at (SHC-7)", async () => {
    await createAll();
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    await cluster.clock.advance(100);
    const key = b.keys[0] as `${string}/${string}`;
    const [namespace = ""] = key.split("/");
    const guarded = b.ring.guard(b.client, namespace);
    await guarded.resource(configMaps).patch(key, { data: { by: "b" } });
    b.clock.sleep(20_000);
    await cluster.clock.advance(15_000);
    const before = b.runs.length;
    await cluster.configMaps.patch(key, { data: { during: "the freeze" } });
    // It wakes after 5 s, and has not joined again 100 ms later.
    await cluster.clock.advance(5100);
    expect(b.clock.isAsleep).toBe(false);
    await expect(
      guarded.resource(configMaps).patch(key, { data: { by: "b" } }),
    ).rejects.toMatchObject({ code: "LW_NOT_SLOT_OWNER" });
    expect(b.ring.owns(namespace)).toBe(false);
    expect(b.runs).toHaveLength(before);
    expect(a.runs.at(-1)?.key).toBe(key);
  });

  test("a deletion while a slot has no owner is reconciled by the next one", async () => {
    await createAll();
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    await cluster.clock.advance(100);
    const key = b.keys[0] as `${string}/${string}`;
    b.isCut = true;
    await cluster.clock.advance(4000);
    expect([a, b].map(({ ring }) => ring.owns(key.split("/")[0] ?? ""))).toEqual([false, false]);
    await cluster.configMaps.delete(key);
    await replicas.settle(a);
    await cluster.clock.advance(100);
    expect(a.keys).toContain(key);
  });

  test("a deletion is kept for as long as a slot can be without an owner, also with a long lease", async () => {
    const { clock } = cluster;
    await createAll();
    const long = { leaseDurationMs: 300_000, renewDeadlineMs: 100_000, retryPeriodMs: 20_000 };
    const [a, b] = [replicas.add("a", { limits: long }), replicas.add("b", { limits: long })];
    const owned = (): number => a.ring.status().slots.length;
    for (let step = 0; step < 100 && b.keys.length === 0; step++) await clock.advance(5000);
    await clock.advance(60_000);
    const key = b.keys[0] as `${string}/${string}`;
    b.isCut = true;
    await clock.advance(long.renewDeadlineMs);
    expect([a, b].map(({ ring }) => ring.owns(key.split("/")[0] ?? ""))).toEqual([false, false]);
    await cluster.configMaps.delete(key);
    const beganMs = clock.now();
    for (let step = 0; step < 100 && owned() < 32; step++) await clock.advance(5000);
    expect(clock.now() - beganMs).toBeGreaterThan(150_000);
    await clock.advance(100);
    expect(a.keys).toContain(key);
  });

  test("by uid, a child follows the object that controls it, and a key without an object starts nothing", async () => {
    await createAll();
    const seen: Reconcile = () => {};
    const owns = (controller: Controller<ConfigMap>, factory: SharedInformerFactory): void => {
      const secrets = factory.informer({ group: "", version: "v1", resource: "secrets" });
      controller.owns(secrets, { group: "", kind: "ConfigMap" });
    };
    const options = { by: "uid" } as const;
    const [a, b] = [replicas.add("a", options, seen, owns), replicas.add("b", options, seen, owns)];
    await replicas.settle(a, b);
    await cluster.clock.advance(100);
    expect([...a.keys, ...b.keys].toSorted()).toEqual(names.toSorted());
    const runs = (): number => a.runs.length + b.runs.length;
    const before = runs();
    const secrets = cluster.client.resource<Owned>({
      group: "",
      version: "v1",
      resource: "secrets",
    });
    const type = { apiVersion: "v1", kind: "ConfigMap" };
    const reference = controllerReference(await cluster.configMaps.get("0-team/a"), type);
    const create = (name: string, owner: object): Promise<Owned> =>
      secrets.create({ metadata: { namespace: "0-team", name, ownerReferences: [owner] } });
    await create("s", reference);
    await create("t", { ...reference, name: "absent", uid: "absent" });
    await cluster.clock.advance(100);
    expect(runs()).toBe(before + 1);
    a.controller.queue.add("0-team/absent");
    await cluster.clock.advance(100);
    expect(runs()).toBe(before + 1);
  });
});

describe("a ring", () => {
  test.each([
    [{ name: "r".repeat(64) }, "expected at most 63 characters, got"],
    [{ slots: 24 }, "expected a power of two up to 1024, got the number 24"],
    [{ limits: { renewDeadlineMs: 20_000 } }, "Cannot join a ring: expected leaseDurationMs > "],
  ])("refuses the options %o", (options, problem) => {
    const { client } = cluster;
    expect(() => new ShardRing({ client, namespace: "a", name: "b", ...options })).toThrow(problem);
  });

  test("refuses writes to objects that have no slot, or whose slot it does not own", async () => {
    const { client } = cluster;
    const ring = new ShardRing({ client, namespace: "a", name: "b" });
    const write = (value: string | undefined): Promise<unknown> =>
      ring.guard(client, value).resource(configMaps).create(configMap("default/a"));
    await expect(write(undefined)).rejects.toThrow(
      "Cannot write: the reconciled object has no slot",
    );
    await expect(write("default")).rejects.toThrow(
      /^Cannot write to slot \d+: another process may own it/,
    );
  });

  test.each([
    [{ slots: 16 }, "expected protocol 1, 16 slots, FNV-1a 64 of the namespace"],
    [{ by: "uid" }, "expected protocol 1, 32 slots, FNV-1a 64 of the uid"],
  ] as const)("refuses a member with %o, and names both formats", async (options, expected) => {
    const a = replicas.add("a");
    await replicas.settle(a);
    const other = replicas.add("other", options);
    let failure: unknown;
    void other.ended.then((results) => (failure = results));
    await cluster.clock.advance(1000);
    other.stop.abort();
    await cluster.clock.advance(5000);
    const messageOf = (_: string, value: unknown): unknown =>
      value instanceof Error ? value.message : value;
    expect(JSON.stringify(failure, messageOf)) //
      .toContain(`ring kube-system/ring: ${expected}, got protocol 1, 32 slots`);
    expect(a.ring.status().members).toEqual(["a"]);
  });

  test("makes one list and one write of each process in a renewal period (SHC-8)", async () => {
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    await cluster.clock.advance(3 * limits.retryPeriodMs);
    for (const { leaseRequests } of [a, b]) leaseRequests.length = 0;
    await cluster.clock.advance(30 * limits.retryPeriodMs);
    for (const { leaseRequests } of [a, b]) {
      const [lists, writes] = ["GET", "PUT"].map((method) => {
        return leaseRequests.filter((one) => one === method).length;
      });
      // A pause is 90 to 100 % of the period, so that members do not write at the same time.
      expect(lists).toBeLessThanOrEqual(34);
      expect(writes).toBe(lists);
      expect(leaseRequests).toHaveLength(2 * (lists ?? 0));
    }
  });

  test("shows its epoch, slots, members and for which it waits, and measures slots and moves (SHC-9)", async () => {
    const values = new Map<string, number[]>();
    const metrics = metricsSink(({ name, value }) => {
      values.set(name, [...(values.get(name) ?? []), value]);
    });
    const [a, b] = [
      replicas.add("a"),
      replicas.add("b", { telemetry: { log: silentLog, metrics } }),
    ];
    await replicas.settle(a, b);
    const before = b.ring.status();
    expect(before).toMatchObject({
      members: ["a", "b"],
      ending: [],
      waitingFor: [],
      isValid: true,
    });
    expect(before.slots).toHaveLength(16);
    expect(values.get("shard_ring_owned_slots")?.at(-1)).toBe(16);
    a.isCut = true;
    while (b.ring.status().slots.length < 32) await cluster.clock.advance(100);
    expect(b.ring.status().epoch).toBeGreaterThan(before.epoch);
    expect(values.get("shard_ring_owned_slots")?.at(-1)).toBe(32);
    expect(values.get("shard_ring_moves_total")).toHaveLength(32);
    const ownerless = values.get("shard_ring_ownerless_seconds")?.slice(16) ?? [];
    expect(Math.min(...ownerless)).toBeGreaterThanOrEqual(limits.leaseDurationMs / 1000);
  });

  test("a member whose Lease is deleted stops before it writes a new one", async () => {
    await createAll();
    const [a, b] = [replicas.add("a"), replicas.add("b")];
    await replicas.settle(a, b);
    const own = cluster.client.resource<{
      metadata: { name: string };
      spec?: { holderIdentity?: string };
    }>(leases);
    const lease = (await own.list()).items.find(({ spec }) => spec?.holderIdentity === "b");
    await own.delete(`kube-system/${lease?.metadata.name}`);
    let created = false;
    let held: readonly number[] = [0];
    while (!created) {
      await cluster.clock.advance(10);
      const { items } = await own.list();
      created = items.some(
        ({ metadata, spec }) =>
          spec?.holderIdentity === "b" && metadata.name !== lease?.metadata.name,
      );
      held = b.ring.status().slots;
    }
    expect(held).toEqual([]);
    await replicas.settle(a, b);
  });

  test("N → N ± 1 members move at most ⌈S/N⌉ + 1 slots (SHC-5)", () => {
    const members = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `m${index}`);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), fc.nat(), (joins, random) => {
        let living = members(2);
        let slots = assignSlots(
          living,
          Array.from({ length: 32 }, () => ""),
        );
        let next = 2;
        for (const isJoin of joins) {
          const before = living.length;
          if (isJoin || before < 2) living = [...living, `m${next++}`].toSorted();
          else living = living.filter((_, index) => index !== random % before);
          const then = assignSlots(living, slots);
          const moved = then.filter((name, slot) => slots[slot] !== name).length;
          expect(moved).toBeLessThanOrEqual(Math.ceil(32 / before) + 1);
          const loads = living.map((name) => then.filter((owner) => owner === name).length);
          expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
          expect(assignSlots(living, then)).toEqual(then);
          slots = then;
        }
      }),
      { numRuns: 200 },
    );
  });
});
