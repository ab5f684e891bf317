import { type Deltas, silentLog } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import type { InformerSink } from "../../src/informer/informer-source.ts";
import { ReflectorSource } from "../../src/intake/reflector-source.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

const second = 1000;

/** A sink that records its calls and waits for a gate. */
class NotingSink implements InformerSink<ConfigMap> {
  readonly store = { getByKey: () => undefined, listKeys: () => [] };
  readonly resyncCheckPeriodMs: number;
  readonly applied: string[] = [];
  readonly errors: unknown[] = [];
  readonly report: InformerSink<ConfigMap>["report"] = (error, { kind }) => {
    if (kind === "watch") return "log";
    this.errors.push(error);
    return undefined;
  };
  /** Each batch waits for it. */
  gate: Promise<void> | undefined;

  constructor(resyncCheckPeriodMs = 0) {
    this.resyncCheckPeriodMs = resyncCheckPeriodMs;
  }

  apply(deltas: Deltas<ConfigMap>): Promise<void> | undefined {
    for (const delta of deltas) {
      const count = delta.type === "ReplacedAll" ? ` of ${delta.objects.length}` : "";
      this.applied.push(delta.type + count);
    }
    return this.gate;
  }

  markSynced(): void {}

  waitForRoom(): undefined {}

  shouldResync(): boolean {
    return true;
  }
}

const sourceOf = (cluster: Cluster): ReflectorSource<ConfigMap> =>
  new ReflectorSource<ConfigMap>({
    listerWatcher: cluster.source(),
    clock: cluster.clock,
    random: cluster.random,
    telemetry: { log: silentLog },
  });

describe("a list and watch with its queue", () => {
  test("delivers a list and a resync as one delta each, and bookmarks (CTL-5)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await cluster.create("shop/b");
    const sink = new NotingSink(10 * second);
    const stop = new AbortController();
    const ended = sourceOf(cluster).run(sink, stop.signal);
    await cluster.clock.settle();
    await cluster.create("shop/c");
    await cluster.delete("shop/a");
    await cluster.clock.advance(10 * second);
    cluster.api.control.bookmarks.set({ afterEvents: 1 });
    await cluster.update("shop/b", { data: { x: "1" } });
    await cluster.clock.settle();
    cluster.api.control.bookmarks.set({});
    for (const watch of cluster.api.control.watches.list()) watch.sendError({ code: 410 });
    await cluster.delete("shop/b");
    await cluster.clock.advance(2 * second);
    stop.abort();
    await ended;
    expect(sink.applied).toEqual([
      "ReplacedAll of 2",
      "Added",
      "Deleted",
      "SyncAll",
      "Updated",
      "Bookmark",
      "ReplacedAll of 1",
    ]);
    expect(sink.errors).toEqual([]);
  });

  test("ends when its watch and the current batch have ended, and leaves the rest (CTL-1)", async () => {
    const cluster = new Cluster();
    const sink = new NotingSink();
    const stop = new AbortController();
    let hasEnded = false;
    const ended = sourceOf(cluster)
      .run(sink, stop.signal)
      .finally(() => (hasEnded = true));
    await cluster.clock.settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    sink.gate = promise;
    for (const name of ["a", "b", "c"]) {
      await cluster.create(`shop/${name}`);
      await cluster.clock.settle();
    }
    stop.abort();
    await cluster.clock.settle();
    expect(cluster.api.control.watches.list()).toEqual([]);
    expect(hasEnded).toBe(false);
    resolve();
    await ended;
    expect(sink.applied).toEqual(["ReplacedAll of 0", "Added"]);
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});
