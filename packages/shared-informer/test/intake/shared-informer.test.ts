import { describe, expect, test } from "vitest";
import { type ResourceEventHandler } from "../../src/index.ts";
import { Cluster, versionsOf, type ConfigMap } from "../support/cluster.ts";
import { informerOf, recorder } from "../support/informer.ts";

describe("SharedInformer", () => {
  test("keeps the cache equal to the server and notifies of changes (GEN-1, GEN-4)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    const calls: string[] = [];
    const informer = informerOf(cluster);
    informer.addEventHandler(recorder(calls));
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    await informer.synced;
    await cluster.clock.settle();
    expect(calls).toEqual(["add a initially"]);

    await cluster.update("shop/a", { data: { n: "2" } });
    await cluster.create("test/b");
    await cluster.delete("shop/a");
    await cluster.clock.settle();
    expect(calls.slice(1)).toEqual(["update a 1 2", "add b", "delete shop/a"]);
    expect(versionsOf([...informer.store.list()])).toEqual(await cluster.state());
    expect(
      informer.store.byIndex("namespace", "test").map(({ metadata }) => metadata.name),
    ).toEqual(["b"]);
    expect(informer.lister.namespace("test").get("b").metadata.name).toBe("b");

    stop.abort();
    await ended;
    expect(informer.phase).toBe("stopped");
    expect(cluster.clock.pendingTimers).toBe(0);
    expect(cluster.api.control.watches.list()).toEqual([]);
  });

  test("notifies a late handler of all cached objects, which has synced when it has processed them (SI-11, SI-13)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await cluster.create("shop/b");
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const calls: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const registration = informer.addEventHandler({
      ...recorder(calls),
      onAdd: ({ metadata }) => {
        calls.push(metadata.name);
        return promise;
      },
    });
    await cluster.update("shop/a", { data: { n: "2" } });
    await cluster.clock.settle();
    expect(calls).toEqual(["a"]);
    expect(registration.hasSynced).toBe(false);
    expect(registration.backlog).toBe(2);
    resolve();
    await registration.synced;
    await cluster.clock.settle();
    expect(calls).toEqual(["a", "b", "update a undefined 2"]);
  });

  test("removes a handler: there is no further call, and the promise waits for the running one (SI-31)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    const calls: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const registration = informer.addEventHandler({
      onAdd: ({ metadata }) => {
        calls.push(metadata.name);
        return promise;
      },
    });
    void informer.run();
    await informer.synced;
    await cluster.create("shop/b");
    await cluster.clock.settle();
    let removed = false;
    const removal = registration.remove().then(() => (removed = true));
    await cluster.create("shop/c");
    await cluster.clock.settle();
    expect(removed).toBe(false);
    resolve();
    await removal;
    await cluster.clock.settle();
    expect(calls).toEqual(["a"]);
    await registration.remove();
  });

  test("removes a handler when its signal is aborted", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    const calls: string[] = [];
    const leave = new AbortController();
    informer.addEventHandler(recorder(calls), { signal: leave.signal });
    informer.addEventHandler(recorder(calls), { signal: AbortSignal.abort() });
    void informer.run();
    await informer.synced;
    await cluster.create("shop/a");
    await cluster.clock.settle();
    leave.abort();
    await cluster.create("shop/b");
    await cluster.clock.settle();
    expect(calls).toEqual(["add a"]);
  });

  test("reports an error of a handler with the handler's name and continues (SI-25)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const errors: unknown[] = [];
    const calls: string[] = [];
    await using informer = informerOf(cluster, {
      onError: (error, origin) => {
        const handler = origin.kind === "handler" ? origin.handler : "";
        errors.push([String(error), origin.kind, handler]);
      },
    });
    class Broken implements ResourceEventHandler<ConfigMap> {
      onAdd({ metadata }: ConfigMap): void {
        throw new Error(metadata.name);
      }
    }
    const broken = informer.addEventHandler(new Broken());
    informer.addEventHandler(recorder(calls));
    void informer.run();
    await broken.synced;
    await cluster.create("shop/b");
    await cluster.clock.settle();
    expect(errors).toEqual([
      ["Error: a", "handler", "Broken"],
      ["Error: b", "handler", "Broken"],
    ]);
    expect(calls).toEqual(["add a initially", "add b"]);
  });

  test("accepts a resync period, indexes, a name and list options (FAC-8)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { labels: { app: "web" } });
    await cluster.create("shop/b", { labels: { app: "db" } });
    const calls: string[] = [];
    await using informer = informerOf(cluster, {
      name: "web",
      resyncMs: 60_000,
      listerWatcher: cluster.source({ labelSelector: "app=web" }),
    });
    informer.addEventHandler(recorder(calls));
    void informer.run();
    await informer.synced;
    await cluster.clock.advance(60_000);
    expect(informer.name).toBe("web");
    expect(calls).toEqual(["add a initially", "update a undefined undefined"]);
    expect(informer.store.byIndex("namespace", "shop")).toHaveLength(1);
    const requests = cluster.api.control.recorder.list({ headers: { "x-by": "source" } });
    expect(new Set(requests.map(({ query }) => query.get("labelSelector")))).toEqual(
      new Set(["app=web"]),
    );
  });

  test("resyncs only the handlers that are due (SI-20, SI-21)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using informer = informerOf(cluster, { resyncMs: 60_000 });
    const calls: string[] = [];
    const note = (name: string): ResourceEventHandler<ConfigMap> => ({
      onUpdate: (old, object) => calls.push(`${name} ${old === object}`),
    });
    informer.addEventHandler(note("never"), { resyncMs: 0 });
    informer.addEventHandler(note("minutely"));
    informer.addEventHandler(note("slowly"), { resyncMs: 150_000 });
    void informer.run();
    await informer.synced;
    await cluster.clock.advance(60_000);
    expect(calls).toEqual(["minutely true"]);
    await cluster.clock.advance(120_000);
    expect(calls.slice(1)).toEqual(["minutely true", "minutely true", "slowly true"]);
  });

  test("omits an object whose transform throws, reports it, and follows all others (CTL-9)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/good", { data: { n: "1" } });
    await cluster.create("shop/bad", { data: { n: "bad" } });
    const errors: unknown[] = [];
    await using informer = informerOf(cluster, {
      cache: {
        transform: (object) => {
          if (object.data?.["n"] === "bad") throw new Error("Cannot parse n");
          return object;
        },
      },
      onError: (error) => void errors.push(error),
    });
    void informer.run();
    await informer.synced;
    await cluster.update("shop/good", { data: { n: "2" } });
    await cluster.clock.settle();
    expect(informer.store.list().map(({ data }) => data?.["n"])).toEqual(["2"]);
    expect(errors).toEqual([expect.objectContaining({ code: "LW_TRANSFORM" })]);
  });

  test("distinguishes a change from a resync even if the transform removes the resourceVersion (SI-21)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    await using informer = informerOf(cluster, {
      resyncMs: 60_000,
      cache: {
        transform: (object) => ({
          ...object,
          metadata: { ...object.metadata, resourceVersion: "" },
        }),
      },
    });
    const calls: string[] = [];
    informer.addEventHandler(recorder(calls), { resyncMs: 0 });
    void informer.run();
    await informer.synced;
    await cluster.clock.advance(60_000);
    const { metadata } = await cluster.update("shop/a", { data: { n: "2" } });
    await cluster.clock.settle();
    expect(calls).toEqual(["add a initially", "update a 1 2"]);
    expect(informer.lastStoreSyncResourceVersion).toBe(metadata.resourceVersion);
  });

  test("notifies of a new object with an old name as delete and add on request (GEN-3)", async () => {
    for (const detectRecreate of [false, true]) {
      const cluster = new Cluster();
      await cluster.create("shop/a", { data: { n: "1" } });
      await using informer = informerOf(cluster, { cache: { detectRecreate } });
      const calls: string[] = [];
      informer.addEventHandler(recorder(calls));
      void informer.run();
      await informer.synced;
      cluster.api.control.shutdown();
      await cluster.clock.settle();
      cluster.api.control.start();
      await cluster.delete("shop/a");
      await cluster.create("shop/a", { data: { n: "2" } });
      cluster.api.control.compact();
      await cluster.clock.advance(120_000);
      expect(calls.slice(1)).toEqual(
        detectRecreate ? ["delete shop/a unseen", "add a"] : ["update a 1 2"],
      );
    }
  });

  test("reports whether it is fresh", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    expect(informer.isFresh({ withinMs: 1000 })).toBe(false);
    void informer.run();
    await informer.synced;
    await cluster.clock.settle();
    expect(informer.isFresh({ withinMs: 0 })).toBe(true);
    // A quiet period within the silence that a watch may have.
    await cluster.clock.advance(30_000);
    expect(informer.isFresh({ withinMs: 1000 })).toBe(true);
    expect(informer.status().freshAsOfMs).toBe(cluster.clock.now() - 30_000);
    cluster.api.control.shutdown();
    await cluster.clock.settle();
    expect(informer.isFresh({ withinMs: 3_600_000 })).toBe(false);
  });

  test("lets a program read its own writes (STO-17)", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    void informer.run();
    const written = await cluster.create("shop/a");
    await informer.waitForObject(written);
    expect(informer.store.getByKey("shop/a")?.metadata.uid).toBe(written.metadata.uid);
    await informer.waitForResourceVersion("1");
    const give = new AbortController();
    const waiting = informer.waitForResourceVersion("999999", { signal: give.signal });
    give.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(informer.waitForResourceVersion("no")).rejects.toThrow("no");
    const abandoned = informer.waitForResourceVersion("999999");
    const reason = abandoned.catch((error: unknown) => error);
    await informer[Symbol.asyncDispose]();
    expect(await reason).toMatchObject({ code: "LW_INFORMER_STOPPED" });
  });

  test("stops applying changes while a handler with maxBacklog lags", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    const calls: string[] = [];
    const gates: (() => void)[] = [];
    informer.addEventHandler(
      {
        onAdd: ({ metadata }) => {
          calls.push(metadata.name);
          return new Promise<void>((resolve) => gates.push(resolve));
        },
      },
      { maxBacklog: 0 },
    );
    void informer.run();
    await informer.synced;
    for (const name of ["a", "b", "c"]) {
      await cluster.create(`shop/${name}`);
      await cluster.clock.settle();
    }
    expect(informer.store.listKeys()).toEqual(["shop/a"]);
    gates[0]?.();
    await cluster.clock.settle();
    expect(calls).toEqual(["a", "b"]);
    gates[1]?.();
    await cluster.clock.settle();
    gates[2]?.();
  });
});
