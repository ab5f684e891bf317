import { createConnection, type Connection, type FetchFunction } from "@listwatch/client";
import {
  httpListerWatcher,
  Reflector,
  RetryWatcher,
  until,
  type ReflectorOptions,
} from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster, configMapReference, type ConfigMap } from "../support/cluster.ts";
import { logTo } from "../support/lines.ts";
import { MapStore } from "../support/running.ts";

/** Runs a reflector until the end of the test. */
async function reflect(
  cluster: Cluster,
  options: Partial<ReflectorOptions<ConfigMap>>,
): Promise<AsyncDisposable> {
  const { clock } = cluster;
  const listerWatcher = cluster.source({ watchListSupported: false });
  const reflector = new Reflector({
    clock,
    listerWatcher,
    name: "maps",
    store: new MapStore(),
    ...options,
  });
  void reflector.run();
  await clock.settle();
  return reflector;
}

const status500 = { type: "status", status: { code: 500, message: "etcd is gone" } } as const;

test.each([
  [1000, ["1000"]],
  [300_000, []],
  [600_000, []],
  [undefined, []],
])("a watch timeout of %j is logged if it is raised", async (minWatchTimeoutMs, raised) => {
  const lines: string[] = [];
  await using _ = await reflect(new Cluster(), { log: logTo(lines), watch: { minWatchTimeoutMs } });
  expect(lines).toEqual(
    raised.map(
      (requestedMs) =>
        `Watch timeout is raised; reflector=maps; requestedMs=${requestedMs}; ` +
        "effectiveMs=300000; advice: Leave out watch.minWatchTimeoutMs, or set more: shorter " +
        "watches are a load on the server",
    ),
  );
});

describe("without onError a reflector logs", () => {
  test.each([
    [2000, []],
    [
      15_000,
      [/failed.*storage is \(re\)initializing.*prepares the storage/, /List and watch works again/],
    ],
  ])("a definition whose storage is ready after %d ms only if that is long", async (ms, logged) => {
    const cluster = new Cluster();
    const lines: string[] = [];
    cluster.api.control.unready("configmaps", ms);
    await using _ = await reflect(cluster, { log: logTo(lines) });
    await cluster.clock.advance(300_000);
    expect(lines).toEqual(logged.map((line) => expect.stringMatching(line)));
  });

  test("no recovery while each watch breaks as soon as it is open", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    cluster.api.control.faults.add({
      action: { type: "errorEvent", status: { code: 500, message: "etcd is gone" } },
      match: { verb: "watch", headers: { "x-by": "source" } },
      times: Infinity,
    });
    await using _ = await reflect(cluster, { log: logTo(lines) });
    await cluster.clock.advance(600_000);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.includes("works again"))).toEqual([]);
  });

  test("failed lists and watches until a watch is open again", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    cluster.api.control.faults.add({ action: status500, match: { verb: "watch" }, times: 8 });
    await using _ = await reflect(cluster, { log: logTo(lines) });
    await cluster.clock.advance(600_000);
    expect(lines[0]).toBe(
      "List and watch failed; reflector=maps; operation=openWatch; cause: etcd is gone; " +
        "advice: Check the logs of the server: it failed itself",
    );
    expect(lines.slice(1, -1).every((line) => line.startsWith("List and watch still fails"))).toBe(
      true,
    );
    expect(lines.at(-1)).toMatch(
      /^List and watch works again; reflector=maps; operation=openWatch; failures=8; forSeconds=\d+$/,
    );
    expect(lines.length).toBeGreaterThan(2);
  });

  test("an exception of its trace hook", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    await using _ = await reflect(cluster, {
      log: logTo(lines),
      onTrace: () => {
        throw new Error("boom");
      },
    });
    expect(lines).toEqual(["Trace hook failed; reflector=maps; operation=trace; cause: boom"]);
  });

  test("an error that its handler leaves to the log", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    cluster.api.control.faults.add({ action: status500, times: 2 });
    await using _ = await reflect(cluster, {
      log: logTo(lines),
      onError: (_error, { attempts }) => (attempts === 2 ? "log" : undefined),
    });
    await cluster.clock.advance(60_000);
    expect(lines[0]).toMatch(/^List and watch failed; reflector=maps; operation=list/);
    expect(lines[1]).toMatch(/ works again; .*failures=1; /);
    expect(lines).toHaveLength(2);
  });

  test("an expired history only when it keeps repeating", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const lines: string[] = [];
    cluster.api.control.faults.add({
      action: { type: "status", status: { code: 410, reason: "Expired", message: "too old" } },
      match: { verb: "watch" },
      times: Infinity,
    });
    await using _ = await reflect(cluster, { log: logTo(lines) });
    expect(lines).toEqual([]);
    await cluster.clock.advance(60_000);
    expect(lines[0]).toBe(
      "List and watch failed; reflector=maps; operation=openWatch; cause: too old; " +
        "advice: The server no longer has the state that is asked for: list again",
    );
  });
});

describe("a retrying watcher logs", () => {
  test("its retries, until a watch is open", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    const stop = new AbortController();
    cluster.api.control.faults.add({ action: status500, match: { verb: "watch" }, times: 70 });
    const watcher = new RetryWatcher<ConfigMap>({
      clock: cluster.clock,
      listerWatcher: cluster.source(),
      log: logTo(lines),
      resourceVersion: String(cluster.api.control.revision),
      signal: stop.signal,
    });
    const reading = (async () => {
      for await (const event of watcher) expect(event).toBeUndefined();
    })();
    await cluster.clock.advance(600_000);
    stop.abort();
    await reading;
    expect(lines[0]).toMatch(/^Watch failed; cause: etcd is gone; advice: /);
    expect(lines[1]).toMatch(
      /^Watch still fails; failures=\d+; forSeconds=60; cause: etcd is gone/,
    );
    expect(lines.at(-1)).toMatch(/^Watch works again; failures=70; forSeconds=\d+$/);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("for until too", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    cluster.api.control.faults.add({ action: status500, match: { verb: "watch" }, times: 1 });
    const met = until<ConfigMap>({
      clock: cluster.clock,
      conditions: [({ type }) => type === "ADDED"],
      listerWatcher: cluster.source(),
      log: logTo(lines),
      resourceVersion: String(cluster.api.control.revision),
    });
    await cluster.clock.advance(5000);
    await cluster.create("a");
    await met;
    expect(lines.map((line) => line.split("; ")[0])).toEqual(["Watch failed", "Watch works again"]);
  });
});

/** Connects 60 reflectors over one connection, or over separate ones, and breaks all of it. */
async function linesOfOutage(isShared: boolean): Promise<readonly string[]> {
  const cluster = new Cluster();
  const lines: string[] = [];
  const log = logTo(lines);
  let isDown = false;
  const send: FetchFunction = (request) =>
    isDown
      ? Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))
      : cluster.api.fetch(request);
  const connect = (): Connection => createConnection({ server: "http://cluster", fetch: send });
  const shared = connect();
  await using stack = new AsyncDisposableStack();
  for (let index = 0; index < 60; index++) {
    const listerWatcher = httpListerWatcher<ConfigMap>({
      connection: isShared ? shared : connect(),
      resource: configMapReference,
      namespace: `team-${index}`,
      clock: cluster.clock,
    });
    stack.use(await reflect(cluster, { listerWatcher, log, name: `maps-${index}` }));
  }
  isDown = true;
  cluster.api.control.watches.reset();
  await cluster.clock.advance(40_000);
  isDown = false;
  await cluster.clock.advance(300_000);
  return lines;
}

test("an outage of 60 reflectors of one connection is one line, and its end another one", async () => {
  const lines = await linesOfOutage(true);
  expect(lines).toEqual([
    expect.stringMatching(/^List and watch failed; .*reflector=maps-\d+/),
    expect.stringMatching(/^List and watch works again; .*sources=60/),
  ]);
});

test("reflectors of separate connections log their failures separately", async () => {
  expect(await linesOfOutage(false)).toHaveLength(120);
});
