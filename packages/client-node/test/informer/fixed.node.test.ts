import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CoreV1Api, makeInformer as makeTheirs, type V1ConfigMap } from "@kubernetes/client-node";
import {
  CHANGE,
  makeInformer,
  RefusedError,
  type DropInOptions,
  type Informer,
  type ObjectCache,
} from "@listwatch/client-node";
import {
  configFor,
  implementations,
  listenHere,
  namespace,
  path,
  runtime,
  Watched,
  World,
} from "../support/world.ts";
import { ScriptedServer, wireMap } from "../support/scripted-server.ts";

let world: World;

beforeEach(async () => {
  world = await World.create();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** Returns the length of the list, or the name of the error. */
function lengthOf(list: () => readonly unknown[]): number | string {
  try {
    return list().length;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Waits until pending events have arrived: a later request overtakes none of them. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await world.api.readNamespace({ name: namespace });
}

describe.each(implementations)("a failure, with $name (MKI-2)", ({ make, name }) => {
  const isFixed = name === "listwatch";
  // client-node supports Node; its behaviour differs on other runtimes.
  const isTested = isFixed || runtime === "node";

  for (const code of [401, 403, 429, 500, 503]) {
    test(`a watch that fails with ${code} ${isFixed ? "is reported and reopened" : "is reported and ends the informer"}`, async () => {
      await world.add("a");
      const watched = world.watch(make);
      await watched.informer.start();
      await world.server.control.when.watchOpen();
      const { faults } = world.server.control;
      // A 401 is reported after one renewal of the credentials.
      const times = code === 401 && isFixed ? 2 : 1;
      faults.add({
        match: { verb: "watch" },
        times,
        action: { type: "status", status: { code, retryAfterSeconds: 0 } },
      });
      await world.add("b");
      await watched.until("add b");
      world.server.control.watches.end();
      await watched.until(`error ${code}`);
      await world.add("c");
      if (isFixed) {
        await watched.until("add c");
        await world.server.control.when.watchOpen();
      } else await settle();
      expect(watched.names.includes("c")).toBe(isFixed);
      expect(world.server.control.watches.list()).toHaveLength(isFixed ? 1 : 0);
    });
  }

  test.runIf(isTested)(
    `a reset connection ${isFixed ? "is reported and reopened" : "is reported and ends the informer"}`,
    async () => {
      await world.add("a");
      const watched = world.watch(make);
      await watched.informer.start();
      await world.server.control.when.watchOpen();
      await world.add("b");
      await watched.until("add b");
      world.server.control.watches.reset();
      await watched.until("error");
      await world.add("c");
      if (isFixed) await watched.until("add c");
      else await settle();
      expect(watched.names.includes("c")).toBe(isFixed);
      expect(watched.calls.filter((call) => call === "connect").length > 1).toBe(isFixed);
    },
  );

  test(`a failed list ${isFixed ? "is reported and retried until it succeeds" : "is reported and ends the informer"}`, async () => {
    await world.add("a");
    const { faults } = world.server.control;
    const unavailable = { type: "status", status: { code: 500 } } as const;
    faults.add({ match: { verb: "list" }, action: unavailable });
    const watched = world.watch(make);
    await watched.informer.start();
    expect(watched.calls.slice(0, 2)).toEqual(["connect", "error 500"]);
    expect(watched.names).toEqual(isFixed ? ["a"] : []);
  });

  test(`a callback that throws ${isFixed ? "is reported and affects no other" : "stops the start in the middle of the list"}`, async () => {
    for (const each of ["a", "b", "c"]) await world.add(each);
    const watched = world.watch(make);
    watched.informer.on("add", (object) => {
      if (object.metadata?.name === "b") throw new Error("not b");
    });
    const later: string[] = [];
    watched.informer.on("add", (object) => later.push(object.metadata?.name ?? ""));
    const failure: unknown = await watched.informer.start().catch((error: unknown) => error);
    if (isFixed) await world.server.control.when.watchOpen();
    const thrown = new Error("not b");
    expect(failure).toEqual(isFixed ? undefined : thrown);
    expect(watched.errors).toEqual(isFixed ? [thrown] : []);
    expect(watched.names).toEqual(isFixed ? ["a", "b", "c"] : ["a", "b"]);
    expect(later).toEqual(isFixed ? ["a", "b", "c"] : ["a"]);
    expect(world.requests("watch")).toBe(isFixed ? 1 : 0);
  });

  test(`lists and watches return ${isFixed ? "one shape" : "two shapes"} of objects`, async () => {
    await world.add("a");
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("b");
    await watched.until("add b");
    const [listed, added] = watched.objects;
    const text: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const plain = { apiVersion: "v1", kind: "ConfigMap", metadata: { creationTimestamp: text } };
    expect(added).toMatchObject(plain);
    const instance = { metadata: { creationTimestamp: expect.any(Date) as unknown } };
    expect(listed).toMatchObject(isFixed ? plain : instance);
    expect(listed?.kind).toBe(isFixed ? "ConfigMap" : undefined);
    expect(Object.getPrototypeOf(listed) === Object.prototype).toBe(isFixed);
  });

  test.runIf(isTested)(
    `more objects than a call can have arguments ${isFixed ? "are listed" : "cause a RangeError"}`,
    async () => {
      const items = Array.from({ length: 150_000 }, (_, index) => ({
        metadata: { name: `n${index}`, namespace, resourceVersion: "1" },
      }));
      const watched = world.watch(make, {
        list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items }),
      });
      await watched.informer.start();
      expect(lengthOf(() => watched.informer.list())).toBe(isFixed ? 150_000 : "RangeError");
    },
  );

  test(`a listed object that the selector excludes is ${isFixed ? "reported once" : "kept silently"}`, async () => {
    for (const each of ["a", "b"]) await world.add(each);
    const watched = world.watch(make, { labelSelector: "app=web" });
    await watched.informer.start();
    expect(watched.names).toEqual(["a", "b"]);
    await world.server.control.when.watchOpen();
    await watched.informer.stop();
    await world.server.control.when.watchesClosed();
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    const reported = watched.errors.filter((error) => (error as Error).name !== "AbortError");
    const text: unknown = expect.stringContaining(
      'expected listPromiseFn to list what the label selector "app=web" selects, got "default/a"',
    );
    expect(reported.map(String)).toEqual(isFixed ? [text] : []);
  });

  test.runIf(isTested)(`a stop is ${isFixed ? "silent" : "reported as an error"}`, async () => {
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await watched.informer.stop();
    await world.server.control.when.watchesClosed();
    if (!isFixed) await watched.until("error");
    expect(watched.errors).toHaveLength(isFixed ? 0 : 1);
  });

  test(`the rest of a limited list is ${isFixed ? "reported as missing" : "silently missing"}`, async () => {
    for (const each of ["a", "b"]) await world.add(each);
    const watched = world.watch(make, {
      list: () => world.api.listNamespacedConfigMap({ namespace, limit: 1 }),
    });
    await watched.informer.start();
    expect(watched.names).toEqual(["a"]);
    const text: unknown = expect.stringContaining("gave 1 objects");
    expect(watched.errors.map(String)).toEqual(isFixed ? [text] : []);
  });
});

/** Events that the fake server's faults cannot produce. */
describe.each(implementations)("an event, with $name (MKI-2)", ({ make, name }) => {
  const isFixed = name === "listwatch";

  async function script(
    use: (server: ScriptedServer, watched: Watched) => Promise<void>,
  ): Promise<void> {
    const server = new ScriptedServer();
    server.items = [wireMap("a", "9")];
    const listener = await listenHere(server);
    const config = configFor(listener.url);
    const api = config.makeApiClient(CoreV1Api);
    const list = () => api.listNamespacedConfigMap({ namespace });
    const watched = new Watched(make(config, path, list));
    try {
      await watched.informer.start();
      await server.opened(1);
      await use(server, watched);
    } finally {
      await watched.informer.stop();
      await listener.close();
    }
  }

  const after410 = isFixed ? "causes a relist at once" : "has no effect until the watch ends";
  test(`an ERROR 410 in an open watch ${after410}`, () =>
    script(async (server, watched) => {
      server.items = [wireMap("b", "11")];
      server.resourceVersion = "12";
      server.send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
      if (isFixed) await watched.until("delete a");
      else {
        server.send("ADDED", wireMap("c", "13"));
        await watched.until("add c");
      }
      expect(server.lists).toBe(isFixed ? 2 : 1);
      expect(watched.names).toEqual(isFixed ? ["b"] : ["a", "c"]);
      expect(watched.errors).toEqual([]);
    }));

  const after500 = isFixed ? "reported, and the watch is reopened" : "ignored";
  test(`an ERROR 500 in an open watch is ${after500}`, () =>
    script(async (server, watched) => {
      server.send("ERROR", { kind: "Status", code: 500, reason: "InternalError", message: "no" });
      if (isFixed) {
        await watched.until("error 500");
        await server.opened(2);
      }
      server.send("ADDED", wireMap("c", "13"));
      await watched.until("add c");
      const refused: unknown = expect.any(RefusedError);
      expect(watched.errors).toEqual(isFixed ? [refused] : []);
    }));

  test(`a line with U+2028 is ${isFixed ? "delivered" : "lost"}`, () =>
    script(async (server, watched) => {
      server.send("ADDED", { ...wireMap("b", "11"), data: { x: "one\u2028two" } });
      server.send("ADDED", wireMap("c", "12"));
      await watched.until("add c");
      expect(watched.names).toEqual(isFixed ? ["a", "b", "c"] : ["a", "c"]);
    }));

  const reaction = isFixed ? "reported, and a list follows" : "accepted";
  test(`a version that goes back in a watch is ${reaction}`, () =>
    script(async (server, watched) => {
      server.send("ADDED", wireMap("b", "20"));
      await watched.until("add b");
      server.resourceVersion = "21";
      server.send("BOOKMARK", { kind: "ConfigMap", metadata: { resourceVersion: "5" } });
      if (isFixed) {
        await watched.until("delete b");
        await server.opened(2);
      } else {
        server.send("ADDED", wireMap("c", "6"));
        await watched.until("add c");
      }
      const names = watched.errors.map((error) => (error as Error).name);
      expect(names).toEqual(isFixed ? ["OtherHistoryError"] : []);
      expect(server.lists).toBe(isFixed ? 2 : 1);
    }));

  test(`a list that is older than the cache is ${isFixed ? "requested again" : "accepted"}`, () =>
    script(async (server, watched) => {
      server.send("MODIFIED", wireMap("a", "22"));
      await watched.until("update a");
      const from = watched.calls.length;
      // A server that lags behind and has lost its history.
      server.onList = (lists) => {
        server.resourceVersion = String(9 + lists);
        if (lists < 4) return;
        server.items = [wireMap("a", "23")];
        server.resourceVersion = "23";
      };
      server.send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
      server.end();
      await watched.until("update a", from);
      const { resourceVersion } = watched.objects.at(-1)?.metadata ?? {};
      expect(resourceVersion).toBe(isFixed ? "23" : "9");
      expect(watched.errors).toHaveLength(isFixed ? 2 : 0);
    }));
});

describe("only listwatch (MKI-2)", () => {
  test("an event without metadata is reported and causes a relist; client-node crashes", async () => {
    const server = new ScriptedServer();
    const listener = await listenHere(server);
    const config = configFor(listener.url);
    const list = () => config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace });
    const quick = { retry: { backoff: { baseMs: 20, capMs: 100 } } };
    const watched = new Watched(makeInformer(config, path, list, undefined, quick));
    await watched.informer.start();
    await server.opened(1);
    server.send("ADDED", { apiVersion: "v1", kind: "ConfigMap" });
    await watched.until("error");
    await server.opened(2);
    server.send("ADDED", wireMap("c", "13"));
    await watched.until("add c");
    expect(watched.names).toEqual(["c"]);
    await watched.informer.stop();
    await listener.close();
  });

  test("a rejection of a callback, and an exception of an error callback, are logged", async () => {
    const lines: string[] = [];
    const note = (message: string, { cause }: Readonly<Record<string, unknown>>): void => {
      lines.push(`${message}: ${String(cause)}`);
    };
    const log = { debug: note, error: note, info: note, warn: note };
    await world.add("a");
    const informer = makeInformer(world.config, path, world.listAll, undefined, { log });
    // oxlint-disable-next-line typescript/no-misused-promises -- as programs do it
    informer.on("add", () => Promise.reject(new Error("no")));
    await informer.start();
    await settle();
    const fail = (): never => {
      throw new Error("neither");
    };
    informer.on("error", fail);
    world.server.control.watches.reset();
    await world.server.control.when.watchOpen();
    await world.add("b");
    await vi.waitFor(() => expect(informer.list()).toHaveLength(2), { timeout: 300_000 });
    await informer.stop();
    expect(lines[0]).toBe("Callback of an informer threw: Error: no");
    expect(lines).toContain("Callback of an informer threw: Error: neither");
  });

  test("a stop in a callback does not hang", async () => {
    await world.add("a");
    const informer = makeInformer(world.config, path, world.listAll);
    const stopped = Promise.withResolvers<void>();
    // oxlint-disable-next-line typescript/no-misused-promises -- it is not awaited
    informer.on("add", () => informer.stop().then(stopped.resolve));
    await informer.start();
    await stopped.promise;
    expect(informer.status().source?.phase).toBe("stopped");
  });

  test("list: 'path' never calls the function and streams lists", async () => {
    await world.add("a", { labels: { app: "web" } });
    await world.add("b");
    const list = vi.fn<() => ReturnType<typeof world.listAll>>();
    const watched = world.watch(implementations[1]!.make, {
      labelSelector: "app=web",
      list,
      ours: { list: "path" },
    });
    await watched.informer.start();
    expect(watched.names).toEqual(["a"]);
    expect(list).not.toHaveBeenCalled();
    expect(world.requests("list")).toBe(0);
    await watched.informer.stop();
    await world.remove("a");
    await watched.informer.start();
    await watched.until("delete a");
    expect(watched.changes).toEqual(["add a", "delete a"]);
    expect(world.requests("list")).toBe(0);
  });

  test("fieldSelector and selectors in the path apply to list and watch", async () => {
    await world.add("a", { labels: { app: "web" } });
    await world.add("b", { labels: { app: "web" } });
    const options: DropInOptions = { list: "path", fieldSelector: "metadata.name!=b" };
    const query = `${path}?labelSelector=app%3Dweb`;
    const informer = makeInformer(world.config, query, world.listAll, undefined, options);
    await informer.start();
    await world.add("c");
    await world.add("d", { labels: { app: "web" } });
    await vi.waitFor(() => expect(informer.list()).toHaveLength(2), { timeout: 300_000 });
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(["a", "d"]);
    await informer.stop();
  });

  test("revive makes every object an instance of its class, with dates", async () => {
    const models = await import("@kubernetes/client-node");
    await world.add("a");
    const watched = world.watch(implementations[1]!.make, { ours: { revive: models } });
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("b");
    await watched.until("add b");
    await world.change("b", { x: "1" });
    await watched.until("update b");
    for (const object of watched.objects) {
      expect(object).toBeInstanceOf(models.V1ConfigMap);
      expect(object.metadata?.creationTimestamp).toBeInstanceOf(Date);
      expect(object.kind).toBe("ConfigMap");
    }
  });

  test("status, hasSynced and the underlying informer work, with replay and indexes (MKI-4)", async () => {
    await world.add("a");
    const informer = makeInformer(world.config, path, world.listAll);
    expect(informer.hasSynced).toBe(false);
    expect(informer.latestResourceVersion()).toBe("");
    await informer.start();
    expect(informer.hasSynced).toBe(true);
    expect(informer.status()).toMatchObject({ phase: "running", problem: undefined });
    expect(Number(informer.latestResourceVersion())).toBeGreaterThan(0);
    const seen: string[] = [];
    const registration = informer.informer.addEventHandler({
      onAdd: (object) => {
        const since: string | undefined = object.metadata?.creationTimestamp;
        seen.push(`${object.metadata?.name} ${typeof since}`);
      },
    });
    await registration.synced;
    expect(seen).toEqual(["a string"]);
    expect(informer.informer.store.byIndex("namespace", namespace)).toHaveLength(1);
    await informer[Symbol.asyncDispose]();
    expect(informer.list()).toHaveLength(1);
  });

  test("an unusable KubeConfig fails the start, and a later start reads it again", async () => {
    await world.add("a");
    const config = configFor(world.config.getCurrentCluster()?.server ?? "");
    config.setCurrentContext("other");
    const informer = makeInformer(config, path, world.listAll);
    await expect(informer.start()).rejects.toThrow(/there is no context "other"/);
    config.setCurrentContext("loaded-context");
    await informer.start();
    expect(informer.list()).toHaveLength(1);
    await informer.stop();
  });

  test("programs compile with either package (MKI-1)", () => {
    const theirs = makeTheirs(world.config, path, world.listAll);
    const ours = makeInformer(world.config, path, world.listAll);
    let either: typeof theirs = ours;
    const back: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap> = theirs;
    expect(back).toBe(theirs);
    either = theirs;
    expect(either).toBe(theirs);
    // Typical handlers, with each parameter type that an error may have.
    ours.on("error", (error) => String(error.statusCode));
    ours.on("error", (error: Error) => error.message);
    ours.on(CHANGE, (object) => object.data?.["x"]);
  });
});
