// Limits for a silent server, each with client-go's behaviour as an option.
import { describe, expect, test } from "vitest";
import { Cluster } from "../support/cluster.ts";
import { MapStore, start } from "../support/running.ts";

const second = 1000;
const minute = 60 * second;

describe("a watch that is silent", () => {
  test("is reopened after 90 s, without a list and without an error (RST-5)", async () => {
    const cluster = new Cluster();
    const { store, errors, stop } = await start(cluster.clock, cluster.source());
    cluster.api.control.watches.list()[0]?.stall();
    await cluster.create("a");
    await cluster.clock.advance(89_999);
    expect(store.state()).toEqual({});
    await cluster.clock.advance(1);
    expect(store.state()).toEqual(await cluster.state());
    expect(cluster.requests().map((request) => request.split(" ")[0])).toEqual([
      "watch-list",
      "watch",
    ]);
    expect(errors).toEqual([]);
    await stop();
  });

  test("is kept while bytes arrive, although no event is complete", async () => {
    const cluster = new Cluster();
    const { stop } = await start(cluster.clock, cluster.source());
    cluster.api.control.watches.list()[0]?.slow(1);
    await cluster.create("a", { data: { text: "x".repeat(200) } });
    await cluster.clock.advance(150 * second);
    expect(cluster.requests()).toHaveLength(1);
    await stop();
  });

  test("may be silent without a limit with client-go's behaviour (RST-5)", async () => {
    const cluster = new Cluster();
    const { stop } = await start(cluster.clock, cluster.source(), {
      watch: { silenceMs: Infinity, watchGraceMs: Infinity },
    });
    cluster.api.control.watches.list()[0]?.stall();
    await cluster.clock.advance(60 * minute);
    expect(cluster.requests()).toHaveLength(1);
    await stop();
  });

  test("is aborted 30 s after the requested timeout (RST-5)", async () => {
    const cluster = new Cluster();
    const { stop } = await start(cluster.clock, cluster.source(), {
      watch: { silenceMs: Infinity },
      random: () => 0,
    });
    cluster.api.control.watches.list()[0]?.stall();
    await cluster.clock.advance(329_999);
    expect(cluster.requests()).toHaveLength(1);
    await cluster.clock.advance(1);
    expect(cluster.requests()).toHaveLength(2);
    await stop();
  });

  test("is kept while the store makes it pause", async () => {
    const cluster = new Cluster();
    const store = new MapStore();
    let room: PromiseWithResolvers<void> | undefined;
    const capacity = { waitForCapacity: () => room?.promise };
    const { stop } = await start(cluster.clock, cluster.source(), {
      store: Object.assign(store, capacity),
    });
    room = Promise.withResolvers<void>();
    // The pending read still delivers; nothing is read after it.
    await cluster.create("a");
    await cluster.clock.settle();
    await cluster.create("b");
    await cluster.clock.advance(200 * second);
    expect(Object.keys(store.state())).toEqual(["default/a"]);
    expect(cluster.requests()).toHaveLength(1);
    room.resolve();
    room = undefined;
    await cluster.clock.settle();
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });
});

describe("a list that does not arrive", () => {
  test.each([
    ["its head", { type: "blackhole" } as const],
    ["its end", { type: "stall", after: { bytes: 20 } } as const],
  ])("is aborted after 90 s without %s, and requested again", async (_, action) => {
    const cluster = new Cluster();
    await cluster.create("a");
    cluster.api.control.faults.add({ match: { verb: "list" }, action });
    const source = cluster.source({ watchListSupported: false });
    const { store, errors, stop } = await start(cluster.clock, source);
    await cluster.clock.advance(90 * second);
    expect(errors).toMatchObject([{ operation: "list", error: { kind: "timeout" } }]);
    await cluster.clock.advance(2 * second);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });
});
