import { describe, expect, test } from "vitest";
import { SharedInformer, type EventStream, type InformerEvent } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

function informerOf(cluster: Cluster): SharedInformer<ConfigMap> {
  return new SharedInformer({
    listerWatcher: cluster.source(),
    clock: cluster.clock,
    random: cluster.random,
  });
}

function text(event: InformerEvent<ConfigMap>): string {
  const name = event.key.split("/")[1] ?? "";
  if (event.type === "delete") return `delete ${name}${event.stale ? " unseen" : ""}`;
  const n = event.object.data?.["n"] ?? "";
  if (event.type === "add") return `add ${name}${n}${event.isInInitialList ? " initially" : ""}`;
  return `update ${name}${event.old.data?.["n"] ?? ""} ${n}`;
}

/** Reads all pending events; the stream continues. */
async function readAll(cluster: Cluster, stream: EventStream<ConfigMap>): Promise<string[]> {
  const events: string[] = [];
  while (stream.backlog > 0) {
    const { done, value } = await stream.next();
    if (done === true) break;
    events.push(text(value));
    await cluster.clock.settle();
  }
  return events;
}

async function setN(cluster: Cluster, key: string, ...values: readonly string[]): Promise<void> {
  for (const n of values) await cluster.update(key, { data: { n } });
  await cluster.clock.settle();
}

describe("events", () => {
  test("yield all cached objects, then every change, as they arrive", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    await using informer = informerOf(cluster);
    void informer.run();
    const events: string[] = [];
    for await (const event of informer.events()) {
      events.push(text(event));
      if (event.type === "add" && event.isInInitialList) await setN(cluster, "shop/a", "2");
      else if (event.type === "update") await cluster.delete("shop/a");
      else break;
    }
    expect(events).toEqual(["add a1 initially", "update a1 2", "delete a"]);
    expect(informer.status().handlers).toEqual([]);
  });

  test("are recorded from the first read on, not before", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const stream = informer.events({ overflow: "block", max: 1, name: "lazy" });
    await cluster.create("shop/a");
    await cluster.create("shop/b");
    await cluster.clock.settle();
    expect(informer.store.listKeys()).toHaveLength(2);
    expect(stream.backlog).toBe(0);
    const first = await stream.next();
    expect(first.value?.type).toBe("add");
    expect(informer.status().handlers).toEqual([{ name: "lazy", backlog: 1 }]);
    await stream.return?.();
    expect(informer.status().handlers).toEqual([]);
  });

  test("coalesce: pending events of an object become one, from the last read state to the newest", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    await using informer = informerOf(cluster);
    void informer.run();
    const stream = informer.events({ overflow: "coalesce" });
    expect(text((await stream.next()).value as InformerEvent<ConfigMap>)).toBe("add a1 initially");

    await setN(cluster, "shop/a", "2", "3", "4");
    await cluster.create("shop/b", { data: { n: "1" } });
    await setN(cluster, "shop/b", "2");
    await cluster.create("shop/c");
    await cluster.delete("shop/c");
    await cluster.clock.settle();
    expect(stream.backlog).toBe(2);
    expect(await readAll(cluster, stream)).toEqual(["update a1 4", "add b2"]);

    await cluster.delete("shop/a");
    await cluster.create("shop/a", { data: { n: "9" } });
    await cluster.delete("shop/b");
    await cluster.clock.settle();
    expect(await readAll(cluster, stream)).toEqual(["delete a", "add a9", "delete b"]);

    await setN(cluster, "shop/a", "10");
    await cluster.delete("shop/a");
    await cluster.create("shop/a");
    await cluster.delete("shop/a");
    await cluster.clock.settle();
    expect(await readAll(cluster, stream)).toEqual(["delete a"]);
    await stream.return?.();
  });

  test("resync: a backlog that is too long is replaced by the difference", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    await cluster.create("shop/b", { data: { n: "1" } });
    await using informer = informerOf(cluster);
    void informer.run();
    const stream = informer.events({ overflow: "resync", max: 3 });
    const first = await stream.next();
    expect(text(first.value as InformerEvent<ConfigMap>)).toBe("add a1 initially");
    expect(await readAll(cluster, stream)).toEqual(["add b1 initially"]);

    await setN(cluster, "shop/a", "2", "3");
    expect(await readAll(cluster, stream)).toEqual(["update a1 2", "update a2 3"]);

    await setN(cluster, "shop/a", "4", "5", "6");
    await cluster.delete("shop/b");
    await cluster.create("shop/c");
    await cluster.clock.settle();
    expect(stream.backlog).toBe(1);
    const difference = await readAll(cluster, stream);
    expect(difference.toSorted()).toEqual(["add c", "delete b unseen", "update a3 6"]);

    await setN(cluster, "shop/a", "7");
    expect(await readAll(cluster, stream)).toEqual(["update a6 7"]);
    await stream.return?.();
  });

  test("resync: a first list that is too long is still reported as the initial list", async () => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(`shop/${name}`);
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const stream = informer.events({ overflow: "resync", max: 1 });
    const { value } = await stream.next();
    const rest = await readAll(cluster, stream);
    expect([text(value as InformerEvent<ConfigMap>), ...rest].toSorted()).toEqual([
      "add a initially",
      "add b initially",
      "add c initially",
    ]);
    await stream.return?.();
  });

  test("block: the cache waits for the reader and loses nothing", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const stream = informer.events({ overflow: "block", max: 2 });
    const first = stream.next();
    for (let index = 0; index < 9; index++) {
      await cluster.create(`shop/${index}`);
      await cluster.clock.settle();
    }
    expect(text((await first).value as InformerEvent<ConfigMap>)).toBe("add 0");
    expect(informer.store.listKeys()).toHaveLength(3);
    expect(informer.status().queuedDeltas).toBe(6);
    expect(await readAll(cluster, stream)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `add ${n}`));
    expect(informer.store.listKeys()).toHaveLength(9);
    await stream.return?.();
  });

  test("end without an error on abort, with the informer, and after the loop", async () => {
    const cluster = new Cluster();
    const informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const leave = new AbortController();
    const aborted = informer.events({ signal: leave.signal }).next();
    const ended = informer.events().next();
    leave.abort();
    expect(await aborted).toEqual({ done: true, value: undefined });
    await informer[Symbol.asyncDispose]();
    expect(await ended).toEqual({ done: true, value: undefined });
    expect(await informer.events().next()).toEqual({ done: true, value: undefined });
    const early = informer.events({ signal: AbortSignal.abort() });
    expect(await early.next()).toEqual({ done: true, value: undefined });
  });

  test("yield to the event loop when a long backlog takes long to read", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    for (let index = 0; index < 100; index++) await cluster.create(`shop/${index}`);
    let busyMs = 0;
    let turns = 0;
    await using informer = new SharedInformer<ConfigMap>({
      listerWatcher: cluster.source(),
      random: cluster.random,
      clock: {
        now: () => clock.now() + busyMs,
        setTimeout: (callback, ms) => clock.setTimeout(callback, ms),
        nextTurn: () => {
          turns++;
          return clock.nextTurn();
        },
      },
    });
    void informer.run();
    await informer.synced;
    const turnsBefore = turns;
    let read = 0;
    for await (const { type } of informer.events()) {
      expect(type).toBe("add");
      busyMs += 1;
      if (++read === 100) break;
    }
    expect(turns - turnsBefore).toBe(3);
  });
});
