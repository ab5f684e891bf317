import { ResourceVersionError } from "@listwatch/core-fifo";
import { namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { InformerView, SharedInformer, type ResourceEventHandler } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

function informerOf(cluster: Cluster, namespace?: string): SharedInformer<ConfigMap> {
  return new SharedInformer({
    listerWatcher: cluster.source(namespace === undefined ? {} : { namespace }),
    clock: cluster.clock,
    random: cluster.random,
  });
}

function recorder(calls: string[]): ResourceEventHandler<ConfigMap> {
  return {
    onAdd: ({ metadata }, isInInitialList) =>
      calls.push(`add ${metadata.name}${isInInitialList ? " initially" : ""}`),
    onUpdate: (old, object) => calls.push(`update ${object.metadata.name} ${old === object}`),
    onDelete: ({ key, object }) =>
      calls.push(`delete ${key} ${object?.metadata.labels?.["app"] ?? ""}`),
  };
}

describe("InformerView", () => {
  test("adds objects that begin to match and deletes those that no longer do, without another watch", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { labels: { app: "web" } });
    await cluster.create("shop/b", { labels: { app: "db" } });
    await using informer = informerOf(cluster);
    await using web = new InformerView<ConfigMap, { namespace: string }>([informer], {
      clock: cluster.clock,
      labelSelector: "app=web",
      indexers: namespaceIndex,
    });
    const calls: string[] = [];
    const registration = web.addEventHandler(recorder(calls));
    void web.run();
    void informer.run();
    await registration.synced;
    expect(calls).toEqual(["add a initially"]);

    await cluster.update("shop/a", { data: { n: "1" } });
    await cluster.update("shop/b", { labels: { app: "web" } });
    await cluster.update("shop/a", { labels: { app: "db" } });
    await cluster.delete("shop/a");
    await cluster.delete("shop/b");
    await cluster.clock.settle();
    expect(calls.slice(1)).toEqual([
      "update a false",
      "add b",
      "delete shop/a web",
      "delete shop/b web",
    ]);
    expect(web.store.byIndex("namespace", "shop")).toEqual([]);
    expect(cluster.api.control.watches.list()).toHaveLength(1);
  });

  test("has equal keys of two clusters with a prefix for each", async () => {
    const [one, two] = [new Cluster(), new Cluster()];
    await one.create("shop/a", { data: { n: "1" } });
    await two.create("shop/a", { data: { n: "2" } });
    await using east = informerOf(one);
    await using west = informerOf(two);
    const problems: unknown[] = [];
    await using view = new InformerView<ConfigMap>([east, west], {
      clock: one.clock,
      keyPrefixes: ["east/", "west/"],
      onError: (error) => void problems.push(error),
    });
    const deleted: string[] = [];
    view.addEventHandler({ onDelete: ({ key }) => deleted.push(key) });
    for (const informer of [view, east, west]) void informer.run();
    await view.synced;
    const valueOf = (key: string) => view.store.getByKey(key)?.data?.["n"];
    expect([valueOf("east/shop/a"), valueOf("west/shop/a"), valueOf("shop/a")]).toEqual([
      "1",
      "2",
      undefined,
    ]);
    expect(view.lister.list()).toHaveLength(2);
    await one.delete("shop/a");
    await one.clock.settle();
    expect(deleted).toEqual(["east/shop/a"]);
    expect(view.store.listKeys()).toEqual(["west/shop/a"]);
    expect(problems).toEqual([]);
    for (const keyPrefixes of [["east/"], ["east/", "east/"], ["east/", "west/", "west/"]]) {
      expect(() => new InformerView([east, west], { keyPrefixes })).toThrow(
        /expected a different prefix for each of 2 informers/,
      );
    }
  });

  test("reports once that two informers have objects with the same key", async () => {
    const [one, two] = [new Cluster(), new Cluster()];
    for (const cluster of [one, two]) {
      for (const name of ["a", "b"]) await cluster.create(`shop/${name}`);
    }
    const { clock } = one;
    await using first = informerOf(one);
    await using second = new SharedInformer<ConfigMap>({ listerWatcher: two.source(), clock });
    const errors: unknown[] = [];
    await using view = new InformerView<ConfigMap>([first, second], {
      clock,
      onError: (error, { kind }) => void errors.push([kind, String(error)]),
    });
    for (const informer of [view, first, second]) void informer.run();
    await view.synced;
    await first.waitForObject(await one.update("shop/a", { data: { n: "1" } }));
    await clock.settle();
    expect(errors).toEqual([
      [
        "cache",
        'InvalidOptionsError: Cannot show "shop/a" of two informers: expected each key in one of them',
      ],
    ]);
  });

  test("has a problem while two informers have objects with the same key", async () => {
    const [one, two] = [new Cluster(), new Cluster()];
    for (const cluster of [one, two]) await cluster.create("shop/a");
    await two.create("shop/b");
    const { clock } = one;
    await using first = informerOf(one);
    await using second = new SharedInformer<ConfigMap>({ listerWatcher: two.source(), clock });
    await using view = new InformerView<ConfigMap>([first, second], { clock, onError: () => {} });
    for (const informer of [view, first, second]) void informer.run();
    await view.synced;
    await clock.settle();
    const keys = (): readonly string[] | undefined => view.status().problem?.keys;
    expect(view.status()).toMatchObject({
      problem: { reason: "unusableObject", error: { code: "LW_INVALID_OPTIONS" }, attempts: 1 },
      freshAsOfMs: undefined,
    });
    expect(keys()).toEqual(["shop/a"]);
    await one.create("shop/b");
    await clock.settle();
    expect(keys()).toEqual(["shop/a", "shop/b"]);
    // The first informer has the keys alone, and the view shows none until their next change.
    for (const name of ["a", "b"]) await two.delete(`shop/${name}`);
    await clock.settle();
    expect([view.store.listKeys(), keys()]).toEqual([[], ["shop/a", "shop/b"]]);
    await one.update("shop/a", { data: { n: "1" } });
    await one.delete("shop/b");
    await clock.settle();
    expect([view.store.listKeys(), keys()]).toEqual([["shop/a"], undefined]);
  });

  test("combines several namespaces into one cache", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await cluster.create("test/a");
    await cluster.create("other/a");
    await using shop = informerOf(cluster, "shop");
    await using trial = informerOf(cluster, "test");
    await using both = new InformerView<ConfigMap>([shop, trial], { clock: cluster.clock });
    void both.run();
    void shop.run();
    await shop.synced;
    expect(both.hasSynced).toBe(false);
    expect(both.lastStoreSyncResourceVersion).toBe("");
    void trial.run();
    await both.synced;
    await cluster.clock.settle();
    expect(both.store.listKeys().toSorted()).toEqual(["shop/a", "test/a"]);
    expect(both.isFresh({ withinMs: 0 })).toBe(true);

    const written = await cluster.update("test/a", { data: { n: "1" } });
    const observed = both.waitForObject(written);
    await cluster.clock.advance(61_000);
    await observed;
    expect(both.store.getByKey("test/a")?.data).toEqual({ n: "1" });
    expect(Number(both.lastStoreSyncResourceVersion)).toBeGreaterThanOrEqual(
      Number(written.metadata.resourceVersion),
    );
  });

  test("filters by any function and by fields, and omits objects for which the function fails", async () => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(`shop/${name}`);
    const errors: string[] = [];
    await using informer = informerOf(cluster);
    await using view = new InformerView<ConfigMap>([informer], {
      clock: cluster.clock,
      fieldSelector: "metadata.name!=a",
      filter: ({ metadata }) => {
        if (metadata.name === "b") throw new Error("cannot say");
        return true;
      },
      onError: (error, { kind }) => void errors.push(`${kind}: ${String(error)}`),
    });
    void informer.run();
    void view.run();
    await view.synced;
    expect(view.store.listKeys()).toEqual(["shop/c"]);
    expect(errors).toEqual(["cache: Error: cannot say"]);
    expect(informer.store.listKeys()).toHaveLength(3);
  });

  test("resyncs its own handlers", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    await using view = new InformerView<ConfigMap>([informer], {
      clock: cluster.clock,
      resyncMs: 60_000,
    });
    const calls: string[] = [];
    view.addEventHandler(recorder(calls));
    void informer.run();
    void view.run();
    await view.synced;
    await cluster.clock.advance(121_000);
    expect(calls).toEqual(["add a initially", "update a true", "update a true"]);
  });

  test("ends with its sources, and leaves them when it ends first", async () => {
    const cluster = new Cluster();
    const informer = informerOf(cluster);
    const view = new InformerView<ConfigMap>([informer], { clock: cluster.clock });
    const other = new InformerView<ConfigMap>([informer], { clock: cluster.clock });
    const ended = view.run();
    const stop = new AbortController();
    const otherEnded = other.run(stop.signal);
    void informer.run();
    await view.synced;
    stop.abort();
    await otherEnded;
    expect(informer.status().handlers).toHaveLength(1);
    await informer[Symbol.asyncDispose]();
    await ended;
    expect(view.phase).toBe("stopped");
    expect(cluster.clock.pendingTimers).toBe(0);
    const late = new InformerView<ConfigMap>([informer], { clock: cluster.clock });
    await expect(late.run()).rejects.toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STOPPED" }),
    );
  });

  test("reaches no resourceVersion before it has synced, and rejects waits when it ends", async () => {
    const cluster = new Cluster();
    const { metadata } = await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const view = new InformerView<ConfigMap>([informer], { clock: cluster.clock });
    expect(view.lastStoreSyncResourceVersion).toBe("");
    const keys = view
      .waitForResourceVersion(metadata.resourceVersion ?? "")
      .then(() => view.store.listKeys());
    await cluster.clock.settle();
    const stop = new AbortController();
    const ended = view.run(stop.signal);
    expect(await keys).toEqual(["shop/a"]);
    expect(view.lastStoreSyncResourceVersion).toBe(informer.lastStoreSyncResourceVersion);

    await expect(view.waitForResourceVersion("next")).rejects.toThrow(ResourceVersionError);
    const tooLate = view.waitForResourceVersion("999999").catch((error: unknown) => error);
    const givenUp = new AbortController();
    const waiting = view.waitForResourceVersion("999999", { signal: givenUp.signal });
    givenUp.abort(new Error("no patience"));
    await expect(waiting).rejects.toThrow("no patience");
    stop.abort();
    await ended;
    expect(await tooLate).toMatchObject({ code: "LW_INFORMER_STOPPED" });
    await expect(view.waitForResourceVersion("1")).rejects.toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STOPPED" }),
    );

    const unstarted = new InformerView<ConfigMap>([informer], { clock: cluster.clock });
    const never = unstarted.waitForResourceVersion("1").catch((error: unknown) => error);
    await unstarted[Symbol.asyncDispose]();
    expect(await never).toMatchObject({ code: "LW_INFORMER_STOPPED" });
  });

  test("without informers is empty and synced", async () => {
    await using view = new InformerView<ConfigMap>([]);
    void view.run();
    await view.synced;
    expect(view.store.list()).toEqual([]);
    expect(view.lastStoreSyncResourceVersion).toBe("");
  });
});
