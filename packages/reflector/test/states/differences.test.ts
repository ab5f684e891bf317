// Intended differences from client-go, each with client-go's behaviour as an option.
import { RealFIFO } from "@listwatch/core-fifo";
import { StatusError } from "@listwatch/client";
import { clientGoBehaviour, Reflector } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { MapStore, start, type StartOptions } from "../support/running.ts";

const second = 1000;
const minute = 60 * second;

describe("an event that the store rejects", () => {
  async function refusing(options: StartOptions) {
    const cluster = new Cluster();
    const store = new MapStore();
    const running = await start(cluster.clock, cluster.source(), { ...options, store });
    let refusals = 1;
    store.fail = (call) => call === "add default/a" && refusals-- > 0;
    await cluster.create("a");
    await cluster.create("b");
    await cluster.clock.advance(2 * second);
    return { cluster, ...running };
  }

  test("is repaired by a relist (REF-28)", async () => {
    const { cluster, store, errors, stop } = await refusing({});
    expect(errors).toMatchObject([{ operation: "store", recovery: "relist" }]);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("is lost until the next relist with client-go's behaviour (REF-28)", async () => {
    const { store, errors, stop } = await refusing({ watch: { storeFailure: "skip" } });
    expect(errors).toMatchObject([{ operation: "store", recovery: "skip" }]);
    expect(Object.keys(store.state())).toEqual(["default/b"]);
    await stop();
  });
});

describe("the transform of the queue", () => {
  test.each([
    { streamed: true, behaviour: undefined, names: ["a", "b", "c"] },
    { streamed: false, behaviour: undefined, names: ["a", "b", "c"] },
    { streamed: true, behaviour: clientGoBehaviour, names: ["a", "b", "a", "b", "c"] },
    { streamed: false, behaviour: clientGoBehaviour, names: ["a", "b", "c"] },
  ])(
    "sees every object once, and with client-go's way a streamed one twice (REF-34): $names",
    async ({ behaviour, names, streamed }) => {
      const cluster = new Cluster();
      await cluster.create("a");
      await cluster.create("b");
      const seen: string[] = [];
      const queue = new RealFIFO<ConfigMap>({
        transform: (object) => {
          seen.push(object.metadata?.name ?? "");
          return object;
        },
      });
      const controller = new AbortController();
      const reflector = new Reflector({
        listerWatcher: cluster.source({ watchListSupported: streamed }),
        store: queue,
        clock: cluster.clock,
        behaviour,
      });
      const ended = reflector.run(controller.signal);
      await cluster.clock.settle();
      await cluster.create("c");
      await cluster.clock.settle();
      expect(seen).toEqual(names);
      controller.abort();
      await ended;
    },
  );
});

describe("a server whose storage was restored to an earlier state", () => {
  test("no longer has the resourceVersion; the newest state is listed (REF-14, REF-16)", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const earlier = cluster.api.control.snapshot();
    await cluster.create("b");
    await cluster.create("c");
    const source = cluster.source({ watchListSupported: false });
    const { store, errors, stop } = await start(cluster.clock, source);
    cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
    await cluster.clock.settle();
    cluster.api.control.restore(earlier, "rollback");
    // The server waits 3 s for a future resourceVersion before it answers with a timeout.
    await cluster.clock.advance(6 * second);
    expect(store.state()).toEqual(await cluster.state());
    expect(errors).toMatchObject([
      { recovery: "relist" },
      { recovery: "newest", error: { reason: "Timeout" } },
      { recovery: "newest", error: { code: "LW_OTHER_HISTORY" } },
    ]);
    await stop();
  });
});

describe("a server that refuses streamed lists", () => {
  async function requestsAfterRelist(options: StartOptions, ms: number) {
    const cluster = new Cluster();
    cluster.api.control.watchList = "refused";
    const { stop } = await start(cluster.clock, cluster.source(), options);
    await cluster.clock.advance(ms);
    cluster.api.control.recorder.clear();
    cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
    await cluster.clock.advance(2 * second);
    await stop();
    return cluster.requests().map((request) => request.split(" ")[0]);
  }

  test("is not asked to stream again for ten minutes (REF-10)", async () => {
    expect(await requestsAfterRelist({}, 9 * minute)).toEqual(["list", "watch"]);
  });

  test("is asked to stream again after ten minutes", async () => {
    expect(await requestsAfterRelist({}, 10 * minute)).toEqual(["watch-list", "list", "watch"]);
  });

  test("is asked to stream at every relist with client-go's behaviour (REF-10)", async () => {
    expect(await requestsAfterRelist({ list: { watchListRetryMs: 0 } }, second)).toEqual([
      "watch-list",
      "list",
      "watch",
    ]);
  });

  test("is asked to stream again soon when the resource was not found", async () => {
    const cluster = new Cluster();
    const notFound = { type: "status", status: { code: 404 } } as const;
    cluster.api.control.faults.add({
      match: { verb: ["list", "watch"] },
      action: notFound,
      times: 2,
    });
    const { stop } = await start(cluster.clock, cluster.source());
    await cluster.clock.advance(2 * second);
    expect(cluster.requests().map((request) => request.split(" ")[0])).toEqual([
      "watch-list",
      "list",
      "watch-list",
    ]);
    await stop();
  });
});

describe("a server that accepts the option and never ends the list", () => {
  test.each([
    ["ignores the option, as before 1.27", "ignored" as const, {}],
    ["never sends the bookmark", "supported" as const, { initialEnd: "never" as const }],
  ])("falls back to a list when the stream is silent: it %s", async (_, watchList, bookmarks) => {
    const cluster = new Cluster();
    await cluster.create("a");
    cluster.api.control.watchList = watchList;
    cluster.api.control.bookmarks.set(bookmarks);
    const { store, stop } = await start(cluster.clock, cluster.source());
    await cluster.clock.advance(29 * second);
    expect(store.calls).toEqual([]);
    await cluster.clock.advance(second);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("logs a warning every ten seconds meanwhile (REF-26d)", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    cluster.api.control.bookmarks.set({ initialEnd: "never" });
    const waits: unknown[] = [];
    const { stop } = await start(cluster.clock, cluster.source(), {
      onTrace: (trace) => {
        if (trace.kind === "waitingForInitialEvents") waits.push(trace);
      },
    });
    await cluster.clock.advance(25 * second);
    expect(waits).toMatchObject([
      { sinceMs: 10_000, sinceLastEventMs: 10_000, events: 1 },
      { sinceMs: 20_000, sinceLastEventMs: 20_000, events: 1 },
    ]);
    await stop();
  });
});

describe("the wait after a failure", () => {
  async function retryTimes(
    retryAfterSeconds: number,
    retry: StartOptions["retry"] = {},
  ): Promise<number | undefined> {
    const cluster = new Cluster();
    cluster.api.control.faults.add({
      match: { verb: "list" },
      action: { type: "status", status: { code: 503, retryAfterSeconds } },
    });
    const { stop } = await start(cluster.clock, cluster.source({ watchListSupported: false }), {
      retry: { backoff: { jitter: 0 }, ...retry },
    });
    await cluster.clock.advance(2 * minute);
    await stop();
    return cluster.requestTimes("list")[1];
  }

  test("is at least the server's Retry-After (REF-27)", async () => {
    expect(await retryTimes(7)).toBe(7000);
  });

  test("is at least the backoff", async () => {
    expect(await retryTimes(0)).toBe(800);
  });

  test("is at most a minute, whatever the server requests", async () => {
    expect(await retryTimes(3600)).toBe(60_000);
  });

  test("ignores Retry-After with client-go's behaviour (REF-27)", async () => {
    expect(await retryTimes(7, { maxRetryAfterMs: 0 })).toBe(800);
  });

  test("ends immediately when the run is stopped (REF-26)", async () => {
    const cluster = new Cluster();
    cluster.api.control.shutdown();
    const { reflector, stop } = await start(cluster.clock, cluster.source());
    expect(reflector.status()).toMatchObject({ phase: "waiting", attempts: 1, synced: false });
    expect(reflector.status().waitingUntilMs).toBeGreaterThan(cluster.clock.now());
    await stop();
    expect(reflector.status()).toMatchObject({ phase: "stopped" });
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});

describe("a watch that has expired when it is opened, after a list in pages", () => {
  async function expiring(options: StartOptions) {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(name);
    const expiredVersion = String(cluster.api.control.revision);
    cluster.api.control.faults.add({
      match: { verb: "watch", query: { resourceVersion: expiredVersion } },
      action: { type: "status", status: { code: 410 } },
      times: Infinity,
    });
    const source = cluster.source({ watchListSupported: false });
    const running = await start(cluster.clock, source, { list: { pageSize: 2 }, ...options });
    await cluster.create("d");
    await cluster.clock.advance(minute);
    return { cluster, ...running };
  }

  test("causes the newest list, and not the same state again and again (REF-14)", async () => {
    const { cluster, store, errors, stop } = await expiring({});
    expect(errors).toMatchObject([
      { operation: "openWatch", recovery: "relist", error: { reason: "Expired" } },
      { operation: "openWatch", recovery: "relist", error: { reason: "Expired" } },
    ]);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("causes the same state again and again with client-go's behaviour (REF-14)", async () => {
    const { store, errors, stop } = await expiring({ behaviour: clientGoBehaviour });
    expect(errors.length).toBeGreaterThan(3);
    expect(Object.keys(store.state())).toEqual(["default/a", "default/b", "default/c"]);
    await stop();
  });
});

describe("requests that fail immediately", () => {
  async function storm(options: StartOptions): Promise<number> {
    const cluster = new Cluster();
    await cluster.create("a");
    let left = 40;
    // Each streamed list has expired, even the newest: it is requested again without a delay.
    cluster.api.control.faults.add({
      match: { verb: "watch" },
      when: { condition: () => left-- > 0 },
      action: { type: "status", status: { code: 410 } },
      times: Infinity,
    });
    const { stop } = await start(cluster.clock, cluster.source(), options);
    await stop();
    return cluster.requests().length;
  }

  test("are repeated ten times, and then wait like after a failure", async () => {
    const cluster = new Cluster();
    // Each watch ends at once with an error of the server, which is retried in place.
    cluster.api.control.faults.add({
      match: { verb: "watch" },
      action: { type: "errorEvent", status: { code: 500 } },
      times: Infinity,
    });
    const { stop } = await start(cluster.clock, cluster.source({ watchListSupported: false }), {
      retry: { maxInternalErrorRetryMs: 30_000 },
    });
    expect(cluster.requestTimes("watch")).toHaveLength(11);
    await stop();
  });

  test("are repeated without a limit with client-go's behaviour (REF-25, REF-32)", async () => {
    expect(await storm({ behaviour: clientGoBehaviour })).toBe(41);
  });

  test("that the server causes are bounded too, while its errors are retried in place (REF-41)", async () => {
    const cluster = new Cluster();
    cluster.api.control.faults.add({
      match: { verb: "watch", query: { sendInitialEvents: null } },
      action: { type: "errorEvent", status: { code: 500 } },
      times: Infinity,
    });
    const { stop } = await start(cluster.clock, cluster.source({ watchListSupported: false }), {
      retry: { maxInternalErrorRetryMs: 30_000 },
    });
    await cluster.clock.advance(30 * second);
    expect(cluster.requestTimes("watch").length).toBeLessThan(40);
    await stop();
  });
});

describe("the error handler", () => {
  test("ends the run by returning stop; the run rejects with the error", async () => {
    const cluster = new Cluster();
    const forbidden = { type: "status", status: { code: 403 } } as const;
    cluster.api.control.faults.add({ action: forbidden, times: Infinity });
    const { ended, errors } = await start(cluster.clock, cluster.source(), {
      onError: (_, { recovery }) => (recovery === "relist" ? "stop" : "retry"),
    });
    await expect(ended).rejects.toBeInstanceOf(StatusError);
    expect(errors).toMatchObject([
      { operation: "openWatch", recovery: "list", attempts: 1 },
      { operation: "list", recovery: "relist", attempts: 2 },
    ]);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("ends the run by throwing; the run rejects with the exception", async () => {
    const cluster = new Cluster();
    cluster.api.control.shutdown();
    const { ended } = await start(cluster.clock, cluster.source(), {
      onError: () => {
        throw new Error("a defect of the handler");
      },
    });
    await expect(ended).rejects.toThrow("a defect of the handler");
  });

  test("receives the duration of the failure, which the status drops after the recovery", async () => {
    const cluster = new Cluster();
    cluster.api.control.shutdown();
    const startMs = cluster.clock.now();
    const { reflector, errors, stop } = await start(cluster.clock, cluster.source());
    await cluster.clock.advance(10 * second);
    expect(reflector.status()).toMatchObject({ failingSinceMs: startMs, attempts: errors.length });
    expect(errors.at(-1)).toMatchObject({ reflector: "reflector", attempts: errors.length });
    cluster.api.control.start();
    await cluster.clock.advance(30 * second);
    expect(reflector.status()).toMatchObject({
      phase: "watching",
      failingSinceMs: undefined,
      attempts: 0,
      lastFailure: { operation: "list" },
    });
    await stop();
  });
});
