import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { silentLog } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { Reflector } from "@listwatch/reflector";
import { Cluster } from "../support/cluster.ts";
import { MapStore, start } from "../support/running.ts";

function countedSignal(): {
  readonly controller: AbortController;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  const held = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListener, options?: object) => {
    held.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: EventListener) => {
    held.delete(listener);
    remove(type, listener);
  };
  return { controller, listeners: () => held.size };
}

type Prepare = (cluster: Cluster, store: MapStore) => void;

const situations: readonly (readonly [string, Prepare, watchList?: boolean])[] = [
  ["while it lists", ({ api }) => blackhole(api, "list"), false],
  ["in the middle of a list", ({ api }) => stall(api, "list"), false],
  ["while it asks for a watch", ({ api }) => blackhole(api, "watch"), false],
  ["while it asks for a streamed list", ({ api }) => blackhole(api, "watch")],
  ["in the middle of a streamed list", ({ api }) => stall(api, "watch")],
  ["while it watches", () => undefined],
  ["while it watches after a list", () => undefined, false],
  ["while it waits for the next attempt", ({ api }) => api.control.shutdown()],
  ["while it waits to open a watch again", ({ api }) => refuse(api), false],
  [
    "while the store has no room",
    (_, store) => Object.assign(store, { waitForCapacity: () => new Promise(() => undefined) }),
  ],
];

const cases = situations.map(([when, prepare, watchListSupported = true]) => ({
  when,
  prepare,
  watchListSupported,
}));

function blackhole({ control }: Cluster["api"], verb: "list" | "watch"): void {
  control.faults.add({ match: { verb }, action: { type: "blackhole" } });
}

function stall({ control }: Cluster["api"], verb: "list" | "watch"): void {
  control.faults.add({ match: { verb }, action: { type: "split", shape: { bytes: 8 } } });
  control.faults.add({ match: { verb }, action: { type: "stall", after: { bytes: 16 } } });
}

function refuse({ control }: Cluster["api"]): void {
  control.faults.add({
    match: { verb: "watch" },
    action: { type: "status", status: { code: 429, retryAfterSeconds: 30 } },
  });
}

test.each([true, false])(
  "the status has the time when the server accepted the watch, also of a streamed list: %s",
  async (watchListSupported) => {
    const cluster = new Cluster();
    const startMs = cluster.clock.now();
    const source = cluster.source({ watchListSupported });
    const { reflector, stop } = await start(cluster.clock, source);
    const { lastWatchMs, phase } = reflector.status();
    expect(phase).toBe("watching");
    expect(lastWatchMs).toBeGreaterThanOrEqual(startMs);
    await stop();
  },
);

describe("a run that has ended", () => {
  test("rejects waits for a resourceVersion, also those that begin later", async () => {
    const cluster = new Cluster();
    const { reflector, stop } = await start(cluster.clock, cluster.source());
    const reached = reflector.lastSyncResourceVersion;
    const failure = reflector
      .waitForResourceVersion("99999999999999999999")
      .catch((error: unknown) => error);
    await stop();
    expect(await failure).toMatchObject({ code: "LW_REFLECTOR_STOPPED" });
    await expect(reflector.waitForResourceVersion("99999999999999999999")).rejects.toMatchObject({
      code: "LW_REFLECTOR_STOPPED",
    });
    await reflector.waitForResourceVersion(reached);
    await cluster.create("a");
    const next = String(Number(reached) + 1);
    const controller = new AbortController();
    const ended = reflector.run(controller.signal);
    await reflector.waitForResourceVersion(next);
    controller.abort();
    await ended;
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});

describe("a stopped run leaves nothing behind", () => {
  test.each(cases)("$when", async ({ prepare, watchListSupported }) => {
    const cluster = new Cluster();
    await cluster.create("a");
    const store = new MapStore();
    prepare(cluster, store);
    const { controller, listeners } = countedSignal();
    const reflector = new Reflector({
      listerWatcher: cluster.source({ watchListSupported }),
      store,
      clock: cluster.clock,
      log: silentLog,
      watch: { resyncMs: 60_000 },
    });
    const ended = reflector.run(controller.signal);
    await cluster.clock.settle();
    const requests = cluster.requests().length;
    expect(listeners()).toBeGreaterThan(0);
    controller.abort();
    await ended;
    expect(listeners()).toBe(0);
    expect(cluster.clock.pendingTimers).toBe(0);
    await cluster.clock.advance(3_600_000);
    expect(cluster.requests()).toHaveLength(requests);
    expect(cluster.api.control.watches.list()).toEqual([]);
  });

  test("without accumulating listeners on the signal for hours", async () => {
    const cluster = new Cluster();
    const { controller, listeners } = countedSignal();
    const reflector = new Reflector({
      listerWatcher: cluster.source(),
      store: new MapStore(),
      clock: cluster.clock,
      log: silentLog,
    });
    const ended = reflector.run(controller.signal);
    await cluster.clock.settle();
    const first = { listeners: listeners(), timers: cluster.clock.pendingTimers };
    for (let hour = 0; hour < 6; hour++) {
      await cluster.create(`object-${hour}`);
      cluster.api.control.watches.reset();
      await cluster.clock.advance(3_600_000);
    }
    expect(cluster.requests().length).toBeGreaterThan(6);
    expect({ listeners: listeners(), timers: cluster.clock.pendingTimers }).toEqual(first);
    controller.abort();
    await ended;
  });
});

describe("an asynchronous error hook", () => {
  const failing = {
    list: async () => {
      throw new Error("no list");
    },
    watch: async () => {
      throw new Error("no watch");
    },
  };
  // An untyped hook may be asynchronous.
  const later = (answer: () => string): (() => "retry") =>
    (async () => answer()) as unknown as () => "retry";

  test("ends the run with the error when it resolves with stop", async () => {
    const { ended } = await start(new SimulatedClock(), failing, { onError: later(() => "stop") });
    await expect(ended).rejects.toThrow("no ");
  });

  test("ends the run with its rejection, which is handled", async () => {
    const onError = later(() => {
      throw new Error("the hook itself");
    });
    const { ended } = await start(new SimulatedClock(), failing, { onError });
    await expect(ended).rejects.toThrow("the hook itself");
  });

  test("has effect when it resolves with log", async () => {
    const clock = new SimulatedClock();
    const lines: string[] = [];
    const warn = (message: string): void => void lines.push(message);
    const log = { debug: warn, info: warn, warn, error: warn };
    const { stop } = await start(clock, failing, { log, onError: later(() => "log") });
    expect(lines).toContain("List and watch failed");
    await stop();
  });
});
