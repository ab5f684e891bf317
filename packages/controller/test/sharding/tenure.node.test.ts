// Each write belongs to one time in which its process owns the slot.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, createConnection } from "@listwatch/client";
import { configMap, configMaps, server, type Cluster, type ConfigMap } from "../support/cluster.ts";
import { Replicas, type Reconcile, type Replica } from "../support/replicas.ts";

let cluster: Cluster;
let replicas: Replicas;

beforeEach(() => {
  replicas = new Replicas();
  cluster = replicas.cluster;
});

/** Holds reconciles, at most until the end of the test. */
const gates: PromiseWithResolvers<void>[] = [];

function createGate(): PromiseWithResolvers<void> {
  const gate = Promise.withResolvers<void>();
  gates.push(gate);
  return gate;
}

afterEach(async () => {
  for (const { resolve } of gates.splice(0)) resolve();
  await replicas.stop();
});

const key = "default/x";

/** Advances until a replica owns all slots, or none. */
async function untilOwned({ ring }: Replica, count: number): Promise<void> {
  for (let step = 0; ring.status().slots.length !== count; step++) {
    if (step > 400) throw new Error(`${ring.status().slots.length} slots instead of ${count}`);
    await cluster.clock.advance(100);
  }
}

/** The first reconcile ignores its signal, and writes when it is released. */
function createSlow(isEager: boolean) {
  const gate = createGate();
  const signals: AbortSignal[] = [];
  const results: unknown[] = [];
  const reconcile: Reconcile = async (name, context) => {
    if (name !== key || signals.push(context.signal) > 1) return;
    const early = isEager ? context.client : undefined;
    await gate.promise;
    const maps = (early ?? context.client).resource<ConfigMap>(configMaps);
    results.push(
      await maps.patch(name, { data: { by: "the first" } }).catch((error: unknown) => error),
    );
  };
  return { gate, reconcile, results, signals };
}

describe("the client of a reconcile", () => {
  test.each([
    ["first used after that", false],
    ["used before", true],
  ])(
    "writes no more once its slot is lost, also after the process has taken it again, if %s",
    async (_, isEager) => {
      await cluster.configMaps.create(configMap(key));
      const { gate, reconcile, results, signals } = createSlow(isEager);
      const a = replicas.add("a", {}, reconcile);
      await untilOwned(a, 32);
      await cluster.clock.advance(100);
      a.isCut = true;
      const b = replicas.add("b");
      await untilOwned(b, 32);
      a.isCut = false;
      await cluster.clock.advance(1000);
      b.stop.abort();
      await untilOwned(a, 32);
      await cluster.clock.advance(100);
      gate.resolve();
      await cluster.clock.advance(1000);
      expect(results).toMatchObject([{ code: "LW_NOT_SLOT_OWNER" }]);
      expect(signals[0]?.aborted).toBe(true);
      // The key waited for its end, and was reconciled again.
      expect(signals).toHaveLength(2);
      expect(a.errors).toEqual([]);
    },
  );

  test("is not aborted by the end of an earlier time in which the process had the slot", async () => {
    const names = Array.from({ length: 16 }, (_, index) => `${index}-team/a`);
    for (const name of names) await cluster.configMaps.create(configMap(name));
    const rounds = [createGate(), createGate()];
    const signals = new Map<string, AbortSignal[]>(names.map((name) => [name, []]));
    const a = replicas.add("a", { stopTimeoutMs: 60_000 }, async (name, { signal }) => {
      const round = (signals.get(name)?.push(signal) ?? 0) - 1;
      await rounds[round]?.promise;
      // One after the other, so that later ones begin before the last of these has ended.
      const { promise, resolve } = Promise.withResolvers<void>();
      cluster.clock.setTimeout(resolve, names.indexOf(name) * 10);
      await promise;
    });
    await untilOwned(a, 32);
    const b = replicas.add("b");
    for (let step = 0; step < 100 && a.ring.status().ending.length === 0; step++) {
      await cluster.clock.advance(25);
    }
    expect(a.ring.status().ending).not.toEqual([]);
    a.isCut = true;
    await untilOwned(b, 32);
    a.isCut = false;
    b.stop.abort();
    await untilOwned(a, 32);
    rounds[0]?.resolve();
    await cluster.clock.advance(65_000);
    const aborted = [...signals.values()].map((all) => all.map((signal) => signal.aborted));
    expect(aborted).toEqual(names.map(() => [true, false]));
  });
});

describe("ring.guard", () => {
  test("writes whenever the process owns the slot, and each request belongs to one time of that", async () => {
    await cluster.configMaps.create(configMap(key));
    const a = replicas.add("a");
    const fetch = (request: Request): Promise<Response> => cluster.api.fetch(request);
    const plain = createClient(createConnection({ server, fetch }), { clock: cluster.clock });
    const maps = a.ring.guard(plain, "default").resource<ConfigMap>(configMaps);
    const write = (): Promise<unknown> =>
      maps.patch(key, { data: { by: "a" } }, { timeoutMs: 60_000 }).then(
        () => "written",
        (error: unknown) => error,
      );
    const refused = { code: "LW_NOT_SLOT_OWNER" };
    expect(await write()).toMatchObject(refused);
    await untilOwned(a, 32);
    expect(await write()).toBe("written");
    const fault = cluster.api.control.faults.add({
      match: { verb: "patch", resource: "configmaps" },
      action: { type: "blackhole" },
    });
    const inFlight = write();
    a.isCut = true;
    await untilOwned(a, 0);
    fault.remove();
    expect(await inFlight).toMatchObject(refused);
    expect(await write()).toMatchObject(refused);
    a.isCut = false;
    await untilOwned(a, 32);
    expect(await write()).toBe("written");
  });
});

describe("by uid, a reconcile of an object that was deleted and created again", () => {
  /** Creates the object again until it has, or has not, a slot of a replica. */
  async function recreate(isWanted: (uid: string) => boolean): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      await cluster.configMaps.delete(key);
      const { metadata } = await cluster.configMaps.create(configMap(key));
      if (isWanted(metadata.uid ?? "")) return;
    }
    throw new Error("No uid has the wanted slot");
  }

  test("is aborted and writes no more, if another process owns the new object", async () => {
    const { gate, reconcile, results, signals } = createSlow(true);
    const starts: string[] = [];
    const follow =
      (name: string): Reconcile =>
      async (one, context) => {
        if (one === key) starts.push(name);
        await reconcile(one, context);
      };
    const [a, b] = [
      replicas.add("a", { by: "uid" }, follow("a")),
      replicas.add("b", { by: "uid" }, follow("b")),
    ];
    await replicas.settle(a, b);
    await cluster.configMaps.create(configMap(key));
    await cluster.clock.advance(100);
    const other = starts[0] === "a" ? b : a;
    await recreate((uid) => other.ring.owns(uid));
    await cluster.clock.advance(100);
    expect(signals[0]?.aborted).toBe(true);
    gate.resolve();
    await cluster.clock.advance(100);
    expect(results).toMatchObject([{ code: "LW_NOT_SLOT_OWNER" }]);
    expect(starts).toEqual(starts[0] === "a" ? ["a", "b"] : ["b", "a"]);
    expect([...a.errors, ...b.errors]).toEqual([]);
  });

  test("is aborted, and follows again for the new object, if the process owns its other slot", async () => {
    const { gate, reconcile, results, signals } = createSlow(true);
    const a = replicas.add("a", { by: "uid" }, reconcile);
    await untilOwned(a, 32);
    const { metadata } = await cluster.configMaps.create(configMap(key));
    await cluster.clock.advance(100);
    const slot = a.ring.slotOf(metadata.uid ?? "");
    await recreate((uid) => a.ring.slotOf(uid) !== slot);
    await cluster.clock.advance(100);
    gate.resolve();
    await cluster.clock.advance(100);
    expect(results).toMatchObject([{ code: "LW_NOT_SLOT_OWNER" }]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(a.errors).toEqual([]);
  });

  test("goes on if the new object has the same slot, or was not created", async () => {
    const { gate, reconcile, results, signals } = createSlow(true);
    const a = replicas.add("a", { by: "uid", slots: 1 }, reconcile);
    await untilOwned(a, 1);
    await cluster.configMaps.create(configMap(key));
    await cluster.clock.advance(100);
    await recreate(() => true);
    await cluster.clock.advance(100);
    expect(signals[0]?.aborted).toBe(false);
    gate.resolve();
    await cluster.clock.advance(100);
    expect(results).toMatchObject([{ data: { by: "the first" } }]);
  });

  test("has its write in flight aborted", async () => {
    const results: unknown[] = [];
    const a = replicas.add("a", { by: "uid" }, async (name, { client }) => {
      if (name !== key || results.length > 0) return;
      const writing = client.resource<ConfigMap>(configMaps).patch(name, { data: {} });
      results.push(await writing.catch((error: unknown) => error));
    });
    await untilOwned(a, 32);
    const fault = cluster.api.control.faults.add({
      match: { verb: "patch", resource: "configmaps" },
      action: { type: "blackhole" },
    });
    const { metadata } = await cluster.configMaps.create(configMap(key));
    await cluster.clock.advance(100);
    const slot = a.ring.slotOf(metadata.uid ?? "");
    await recreate((uid) => a.ring.slotOf(uid) !== slot);
    await cluster.clock.advance(100);
    fault.remove();
    expect(results).toMatchObject([{ code: "LW_NOT_SLOT_OWNER" }]);
  });
});
