// Checks an informer's claim to be fresh.
import { describe, expect, test } from "vitest";
import { Cluster } from "../support/cluster.ts";
import { informerOf, recorder } from "../support/informer.ts";

const second = 1000;
const withinMs = 120 * second;

describe("an informer", () => {
  test("is fresh on a quiet server, as long as its watches are accepted", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    cluster.api.control.bookmarks.set({ suppress: true });
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    for (let step = 0; step < 720; step++) {
      await cluster.clock.advance(5 * second);
      expect(informer.isFresh({ withinMs })).toBe(true);
      const { freshAsOfMs = 0, problem } = informer.status();
      expect(problem).toBeUndefined();
      expect(cluster.clock.now() - freshAsOfMs).toBeLessThanOrEqual(90 * second);
    }
  });

  test("is fresh within a shorter time too, while its watch may be silent", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster, { watch: { silenceMs: 600 * second } });
    void informer.run();
    await informer.synced;
    for (let step = 0; step < 58; step++) {
      await cluster.clock.advance(10 * second);
      expect(informer.isFresh({ withinMs: 5 * second })).toBe(true);
    }
  });

  test("is not fresh behind a black hole, and becomes fresh when that is over", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    await cluster.clock.settle();
    const { faults, watches } = cluster.api.control;
    for (const watch of watches.list()) watch.stall();
    const rule = faults.add({
      match: { headers: { "x-by": "source" } },
      action: { type: "blackhole" },
      times: Infinity,
    });
    await cluster.update("shop/a", { data: { unseen: "1" } });
    await cluster.clock.advance(121 * second);
    for (let step = 0; step < 60; step++) {
      await cluster.clock.advance(10 * second);
      expect(informer.isFresh({ withinMs })).toBe(false);
    }
    rule.remove();
    await cluster.clock.advance(200 * second);
    expect(informer.isFresh({ withinMs })).toBe(true);
    expect(informer.store.getByKey("shop/a")?.data).toEqual({ unseen: "1" });
  });

  test("has a problem, and is not fresh, when its watches are closed without data", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const { clock } = cluster;
    const listerWatcher = cluster.source(
      { watchListSupported: false },
      {
        fetch: async (request) => {
          const query = new URL(request.url).searchParams;
          if (query.get("watch") !== "true") return cluster.api.fetch(request);
          const body = new ReadableStream<Uint8Array>({
            start: (controller) => void clock.setTimeout(() => controller.close(), 2 * second),
          });
          return new Response(body);
        },
      },
    );
    await using informer = informerOf(cluster, { listerWatcher });
    void informer.run();
    await informer.synced;
    for (let step = 0; step < 20; step++) {
      await cluster.update("shop/a", { data: { step: String(step) } });
      await clock.advance(5 * second);
    }
    expect(informer.status().problem).toMatchObject({ error: { code: "LW_SILENT_WATCHES" } });
    expect(informer.isFresh({ withinMs })).toBe(false);
  });

  test("follows a server whose storage was restored, and delivers the differences to its handlers", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "0" } });
    const earlier = cluster.api.control.snapshot();
    await cluster.update("shop/a", { data: { n: "first history" } });
    await cluster.create("shop/b");
    await using informer = informerOf(cluster);
    const calls: string[] = [];
    informer.addEventHandler(recorder(calls));
    void informer.run();
    await informer.synced;
    await cluster.clock.advance(5 * second);
    calls.length = 0;
    cluster.api.control.restore(earlier, "rollback");
    await cluster.update("shop/a", { data: { n: "second history" } });
    await cluster.clock.advance(300 * second);
    expect(calls.toSorted()).toEqual([
      "delete shop/b unseen",
      "update a first history second history",
    ]);
    expect(informer.store.listKeys()).toEqual(["shop/a"]);
    expect(informer.isFresh({ withinMs })).toBe(true);
  });
});
