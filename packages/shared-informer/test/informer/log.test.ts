import { createConnection, isNotFound, type FetchFunction } from "@listwatch/client";
import { silentLog, sleep } from "@listwatch/core-fifo";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";
import { namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test, vi } from "vitest";
import {
  Informer,
  newInformer,
  ReflectorSource,
  SharedInformerFactory,
  type InformerSource,
  type SharedInformerOptions,
} from "../../src/index.ts";
import { metricsSink } from "../support/metrics-sink.ts";
import { Cluster, configMapReference, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";
import { logTo } from "../support/lines.ts";

type Options = Partial<SharedInformerOptions<ConfigMap, { namespace: string }>>;

/** Returns the log of an informer over three minutes. The cause is repaired after half of them. */
async function linesOf(
  cluster: Cluster,
  repair: (() => unknown) | undefined,
  options: Options = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const { cache, indexers = namespaceIndex, onError, ...sourceOptions } = options;
  const both = { name: "config maps", clock: cluster.clock, telemetry: { log: logTo(lines) } };
  const source = new ReflectorSource<ConfigMap>({
    ...both,
    listerWatcher: cluster.source(),
    random: cluster.random,
    // Ten attempts a minute, so that the counts follow from the clock.
    retry: { backoff: { baseMs: 6000, capMs: 6000, jitter: 0 } },
    cache,
    ...sourceOptions,
  });
  await using informer = new Informer(source, { ...both, indexers, onError });
  void informer.run().catch(() => undefined);
  await cluster.clock.advance(90_000);
  await repair?.();
  await cluster.clock.advance(90_000);
  return lines;
}

/** A cluster whose responses are replaced until `repair`. */
function answering(answer: () => Response | Promise<Response>): {
  readonly cluster: Cluster;
  readonly options: Options;
  readonly repair: () => void;
} {
  const cluster = new Cluster();
  let isBroken = true;
  const fetch: FetchFunction = async (request) =>
    isBroken ? answer() : cluster.api.fetch(request);
  const { clock } = cluster;
  const connection = createConnection({ server: "http://cluster", fetch });
  const resource = configMapReference;
  const listerWatcher = httpListerWatcher<ConfigMap>({ clock, connection, resource });
  return { cluster, options: { listerWatcher }, repair: () => (isBroken = false) };
}

const status = (code: number, reason: string, message: string): (() => Response) => {
  const body = { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
  return () => Response.json(body, { status: code });
};

const failing = (code: string, message: string) => (): never => {
  throw Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error(message), { code }),
  });
};

const forbidden =
  'configmaps is forbidden: User "a" cannot list resource "configmaps" in API group "" at the cluster scope';

describe("without a hook an informer logs", () => {
  test.each([
    {
      name: "a closed port",
      answer: failing("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1"),
      cause: /ECONNREFUSED/,
      advice: /^Check the address and port of the server, and that it runs/,
    },
    {
      name: "a certificate that is not trusted",
      answer: failing("SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate"),
      cause: /self-signed certificate/,
      advice: /^Check the certificate authority that the connection trusts/,
    },
    {
      name: "a 401",
      answer: status(401, "Unauthorized", "Unauthorized"),
      cause: /^Unauthorized$/,
      advice: /^Check the credentials/,
    },
    {
      name: "a 403, with the verb and the resource",
      answer: status(403, "Forbidden", forbidden),
      cause: /is forbidden/,
      advice: /^Grant the verbs list and watch on the resource configmaps with a Role/,
    },
    {
      name: "a 404 of a resource that is not served",
      answer: status(404, "NotFound", "the server could not find the requested resource"),
      cause: /could not find/,
      advice: /^Check group, version and plural of the resource/,
    },
    {
      name: "a page in place of JSON",
      answer: () => new Response("<html><title>Log in</title></html>"),
      cause: /got "<html><title>Log in/,
      advice: /^An HTML page came in place of JSON/,
    },
    {
      name: "a page of a proxy with an error code",
      answer: () => new Response("<!DOCTYPE html><p>bad gateway</p>", { status: 502 }),
      cause: /the server answered 502 with/,
      advice: /^An HTML page came in place of JSON/,
    },
    {
      name: "an overloaded server",
      answer: status(429, "TooManyRequests", "too many requests"),
      cause: /^too many requests$/,
      advice: /^The server is overloaded/,
    },
    {
      name: "a server that fails",
      answer: status(500, "InternalError", "etcd is gone"),
      cause: /^etcd is gone$/,
      advice: /^Check the logs of the server/,
    },
  ])("$name: at the beginning, each minute and at the end", async ({ answer, cause, advice }) => {
    const { cluster, options, repair } = answering(answer);
    const lines = await linesOf(cluster, repair, options);
    const words = lines.map((line) => line.split("; ")[0]);
    expect(words).toEqual([
      "List and watch failed",
      "List and watch still fails",
      "List and watch works again",
    ]);
    const [first = "", second = "", last = ""] = lines;
    expect(first.split("; cause: ")[0]).toMatch(
      /^List and watch failed; reflector=config maps; operation=(list|watch|openWatch)$/,
    );
    expect(first.split("; advice: ")[0]?.split("; cause: ")[1]).toMatch(cause);
    expect(first.split("; advice: ")[1]).toMatch(advice);
    expect(second).toMatch(/failures=\d+; forSeconds=60; cause: .*; advice: /);
    expect(last).toMatch(/^List and watch works again; .*failures=\d+; forSeconds=\d+$/);
  });

  test("a handler that throws, with its name and the key", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await cluster.create("shop/b");
    const lines: string[] = [];
    await using informer = informerOf(cluster, { name: "maps", telemetry: { log: logTo(lines) } });
    const handler = {
      onAdd: (): never => {
        throw new Error("boom");
      },
    };
    informer.addEventHandler(handler, { name: "web" });
    void informer.run();
    await cluster.clock.advance(180_000);
    expect(lines).toEqual([
      "Handler failed; informer=maps; handler=web; event=add; key=shop/a; cause: boom; " +
        "advice: Catch errors in the handler: the event counts as processed",
      "Handler still fails; informer=maps; handler=web; event=add; key=shop/b; failures=2; " +
        "forSeconds=60; cause: boom; advice: Catch errors in the handler: the event counts as processed",
      "Handler has not failed for a minute; informer=maps; handler=web; event=add; key=shop/b; " +
        "failures=2; forSeconds=120",
    ]);
  });

  test.each([
    {
      name: "transform",
      options: {
        cache: {
          transform: (object: ConfigMap) => {
            if (object.data?.["bad"] === "yes") throw new Error("boom");
            return object;
          },
        },
      },
      advice: /Let the transform accept every object/,
    },
    {
      name: "index function",
      options: {
        indexers: {
          namespace: (object: ConfigMap) => {
            if (object.data?.["bad"] === "yes") throw new Error("boom");
            return [];
          },
        },
      },
      advice: /Let the index function return no values/,
    },
  ])("a $name that throws, until the object is repaired", async ({ options, advice }) => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { bad: "yes" } });
    const repair = (): Promise<unknown> => cluster.update("shop/a", { data: { bad: "no" } });
    const lines = await linesOf(cluster, repair, options);
    expect(lines.map((line) => line.split("; ")[0])).toEqual([
      "Cache update failed",
      "Cache update still fails",
      "Cache update works again",
    ]);
    expect(lines[0]).toMatch(advice);
    expect(lines[0]).toContain("boom");
  });

  test("a metric that throws, once", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    const metrics = metricsSink(({ name }) => {
      if (/lists_total|watches_total/.test(name)) throw new Error("registry is closed");
    });
    await using informer = informerOf(cluster, {
      telemetry: { log: logTo(lines), metrics },
    });
    void informer.run();
    await cluster.clock.settle();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^Metric failed; .*cause: registry is closed/);
  });

  test("an adjusted resync period, once for each reason", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    const log = logTo(lines);
    await using without = informerOf(cluster, { name: "a", telemetry: { log } });
    without.addEventHandler({}, { name: "h1", resyncMs: 30_000 });
    without.addEventHandler({}, { name: "h2", resyncMs: 30_000 });
    without.addEventHandler({}, { name: "h3" });
    without.events();
    await using withPeriod = informerOf(cluster, { name: "b", resyncMs: 5000, telemetry: { log } });
    withPeriod.addEventHandler({}, { name: "h4", resyncMs: 10 });
    withPeriod.addEventHandler({}, { name: "h5", resyncMs: 0 });
    withPeriod.addEventHandler({}, { name: "h6", resyncMs: 5000 });
    expect(lines.map((line) => line.split("; advice: ")[0])).toEqual([
      "Resync is off; informer=a; handler=h1; requestedMs=30000; effectiveMs=0",
      "Resync period is raised; informer=b; handler=h4; requestedMs=10; effectiveMs=1000",
    ]);
  });

  test("a mailbox of more than 10,000 changes, once, with the name of the handler", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    const changes = Array.from({ length: 10_010 }, (_, index) => {
      const metadata = { name: "a", namespace: "shop", resourceVersion: String(index + 10) };
      return { type: "MODIFIED" as const, object: { metadata } };
    });
    const listerWatcher: ListerWatcher<ConfigMap> = {
      watchListSupported: false,
      list: async () => ({ metadata: { resourceVersion: "1" }, items: [] }),
      watch: async (_options, { signal }) => ({
        async *[Symbol.asyncIterator]() {
          yield changes;
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      }),
    };
    const telemetry = { log: logTo(lines) };
    await using informer = informerOf(cluster, { listerWatcher, name: "maps", telemetry });
    const { promise, resolve } = Promise.withResolvers<void>();
    informer.addEventHandler({ onAdd: () => promise }, { name: "slow" });
    void informer.run();
    await cluster.clock.settle();
    expect(lines).toEqual([
      "Mailbox of a handler is long; informer=maps; handler=slow; backlog=10001; advice: " +
        "Let the handler do less, such as adding the key to a work queue, or limit it with maxBacklog",
    ]);
    resolve();
  });

  test("callbacks that take long while more than 1024 events wait, once a minute (SI-26)", async () => {
    const { clock } = new Cluster();
    const lines: string[] = [];
    const adds = Array.from({ length: 2000 }, (_, index) => {
      return { type: "Added" as const, key: `object-${index}`, object: { index } };
    });
    const source: InformerSource<{ index: number }> = {
      run: (sink, signal) => {
        void sink.apply(adds, false);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      },
      status: () => ({
        source: undefined,
        problem: undefined,
        queuedDeltas: 0,
        freshAsOfMs: undefined,
      }),
      isSameState: (old, object) => old === object,
    };
    const telemetry = { log: logTo(lines) };
    const options = { clock, name: "numbers", telemetry };
    await using informer = new Informer<{ index: number }, never>(source, options);
    const stop = new AbortController();
    const { signal } = stop;
    const onAdd = (): Promise<void> => sleep(200, { clock, signal }).catch(() => undefined);
    informer.addEventHandler({ onAdd }, { name: "slow" });
    void informer.run();
    await clock.advance(70_000);
    const advice = "advice: Let the handler do less, such as adding the key to a work queue";
    const line = "Handler is slow; informer=numbers; handler=slow; durationMs=200";
    expect(lines).toEqual([`${line}; backlog=1999; ${advice}`, `${line}; backlog=1699; ${advice}`]);
    stop.abort();
  });

  test("nothing when it is stopped while it fails, and leaves no timer", async () => {
    const { cluster, options } = answering(failing("ECONNREFUSED", "connect ECONNREFUSED"));
    const lines: string[] = [];
    const informer = informerOf(cluster, { ...options, telemetry: { log: logTo(lines) } });
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    await cluster.clock.settle();
    stop.abort();
    await ended;
    await cluster.clock.advance(600_000);
    expect(lines).toHaveLength(1);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("to the console, unless the log is silent", async () => {
    const write = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      for (const telemetry of [undefined, { log: silentLog }]) {
        const { cluster, options } = answering(failing("ECONNREFUSED", "connect ECONNREFUSED"));
        await using informer = newInformer(
          {},
          { clock: cluster.clock, listerWatcher: cluster.source(), ...options, telemetry },
        );
        void informer.run();
        await cluster.clock.advance(1000);
      }
      expect(write.mock.calls).toMatchObject([
        [
          "List and watch failed",
          {
            reflector: "informer",
            cause: expect.stringMatching(/^NetworkError: Cannot/) as unknown,
          },
        ],
      ]);
    } finally {
      write.mockRestore();
    }
  });

  test("for a factory to its log", async () => {
    const cluster = new Cluster();
    cluster.api.control.shutdown();
    const lines: string[] = [];
    await using factory = new SharedInformerFactory({
      clock: cluster.clock,
      connection: cluster.connection,
      log: logTo(lines),
    });
    factory.informer(configMapReference);
    factory.informer({ group: "", version: "v1", resource: "pods" });
    factory.start();
    await cluster.clock.advance(30_000);
    expect(lines.map((line) => line.split("; ").slice(0, 2))).toEqual([
      ["List and watch failed", "reflector=v1/configmaps"],
      ["List and watch failed", "reflector=v1/pods"],
    ]);
  });
});

describe("an informer logs nothing", () => {
  test.each([
    { name: "with onError", onError: () => {} },
    { name: "of a failure that onError takes", onError: () => "retry" as const },
  ])("$name", async ({ onError }) => {
    const { cluster, options, repair } = answering(status(500, "InternalError", "no"));
    expect(await linesOf(cluster, repair, { ...options, onError })).toEqual([]);
  });

  test("of a resource that is still to come, while it logs the rest", async () => {
    const onError: Options["onError"] = (error) => (isNotFound(error) ? "retry" : "log");
    const missing = answering(status(404, "NotFound", "no"));
    const { options } = missing;
    expect(await linesOf(missing.cluster, missing.repair, { ...options, onError })).toEqual([]);
    const broken = answering(status(500, "InternalError", "no"));
    const hooks = { ...broken.options, onError };
    const [first] = await linesOf(broken.cluster, broken.repair, hooks);
    expect(first).toContain("List and watch failed");
  });

  test("of an expired history that is listed again", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const lines = await linesOf(cluster, () => {
      for (const watch of cluster.api.control.watches.list()) watch.sendError({ code: 410 });
    });
    expect(lines).toEqual([]);
  });

  test("of a server that refuses watch-lists", async () => {
    const cluster = new Cluster();
    cluster.api.control.watchList = "refused";
    expect(await linesOf(cluster, undefined)).toEqual([]);
  });

  test("of watches that end with their time, for hours", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const lines: string[] = [];
    await using informer = informerOf(cluster, { telemetry: { log: logTo(lines) } });
    void informer.run();
    await cluster.clock.advance(6 * 3_600_000);
    expect(cluster.requests().length).toBeGreaterThan(20);
    expect(lines).toEqual([]);
  });
});

test("an informer logs one line about a server that ignores watch-lists", async () => {
  const cluster = new Cluster();
  cluster.api.control.watchList = "ignored";
  expect(await linesOf(cluster, undefined)).toEqual([
    expect.stringMatching(/^Streamed list is given up; .*set list.watchList to false$/),
  ]);
});
