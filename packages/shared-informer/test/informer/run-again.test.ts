import type { Cached, Deltas } from "@listwatch/core-fifo";
import { namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import {
  Informer,
  type InformerSink,
  type InformerSource,
  type SourceStatus,
} from "../../src/index.ts";
import { ReflectorSource } from "../../src/intake/reflector-source.ts";
import { ViewSource } from "../../src/intake/view-source.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf, recorder } from "../support/informer.ts";

/** Runs another source until it is paused, and again over the same sink when it resumes. */
class Pausable implements InformerSource<ConfigMap> {
  readonly #source: InformerSource<ConfigMap>;
  #controller = new AbortController();
  #resumed = Promise.withResolvers<void>();

  constructor(source: InformerSource<ConfigMap>) {
    this.#source = source;
  }

  /** Ends the current run of the source. */
  pause(): void {
    this.#controller.abort();
  }

  /** Starts the next run. */
  resume(): void {
    this.#resumed.resolve();
    this.#resumed = Promise.withResolvers();
  }

  async run(sink: InformerSink<ConfigMap>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#controller = new AbortController();
      await this.#source.run(sink, AbortSignal.any([signal, this.#controller.signal]));
      if (!signal.aborted) await this.#resumed.promise;
    }
  }

  status(): SourceStatus {
    return this.#source.status();
  }

  isSameState(old: Cached<ConfigMap>, object: Cached<ConfigMap>): boolean {
    return this.#source.isSameState(old, object);
  }
}

describe("a source that is run again over the same cache", () => {
  test("delivers the changes between two runs of list and watch", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    await cluster.create("shop/b");
    const { clock } = cluster;
    const listerWatcher = cluster.source();
    const source = new Pausable(new ReflectorSource<ConfigMap>({ clock, listerWatcher }));
    await using informer = new Informer<ConfigMap, { namespace: string }>(source, {
      clock,
      indexers: namespaceIndex,
    });
    const calls: string[] = [];
    const registration = informer.addEventHandler(recorder(calls));
    void informer.run();
    await registration.synced;
    calls.length = 0;

    cluster.api.control.faults.add({
      match: { resource: "configmaps", verb: "watch" },
      action: { type: "status", status: { code: 503 } },
      times: 1,
    });
    source.pause();
    await cluster.update("shop/a", { data: { n: "2" } });
    await cluster.delete("shop/b");
    await cluster.create("shop/c");
    source.resume();
    await clock.advance(60_000);
    expect(calls.toSorted()).toEqual(["add c", "delete shop/b unseen", "update a 1 2"]);
    expect(informer.hasSynced).toBe(true);
    expect(informer.isFresh({ withinMs: 120_000 })).toBe(true);
    expect(informer.store.indexKeys("namespace", "shop")).toEqual(["shop/a", "shop/c"]);
  });

  test("removes from a view the objects that its informer lost meanwhile", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await cluster.create("shop/b");
    const { clock } = cluster;
    await using informer = informerOf(cluster);
    const views = new ViewSource<ConfigMap>([informer], {
      clock,
      name: "view",
      selection: {},
    });
    const calls: string[] = [];
    const pause = new AbortController();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const pausing: InformerSource<ConfigMap> = {
      run: async (sink, signal) => {
        await views.run(sink, pause.signal);
        await goOn;
        await views.run(sink, signal);
      },
      status: () => views.status(),
      isSameState: (old, object) => views.isSameState(old, object),
    };
    await using view = new Informer<ConfigMap, never>(pausing, { clock });
    view.addEventHandler(recorder(calls));
    void informer.run();
    void view.run();
    await view.synced;
    await clock.settle();
    pause.abort();
    await clock.settle();
    calls.length = 0;
    await cluster.delete("shop/a");
    await clock.settle();
    expect(view.store.listKeys()).toEqual(["shop/a", "shop/b"]);
    resolve();
    await clock.settle();
    expect(view.store.listKeys()).toEqual(["shop/b"]);
    expect(calls).toEqual(["delete shop/a unseen"]);
  });
});

describe("a user-supplied source", () => {
  test("is everything that an informer needs, apart from its cache and handlers", async () => {
    const deltas: Deltas<{ n: number }> = [{ type: "Added", key: "a", object: { n: 1 } }];
    const source: InformerSource<{ n: number }> = {
      run: (sink, signal) => {
        void sink.apply(deltas, true, "7");
        sink.markSynced();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      },
      status: () => ({
        source: undefined,
        problem: undefined,
        queuedDeltas: 0,
        freshAsOfMs: Date.now(),
      }),
      isSameState: (old, object) => old === object,
    };
    await using informer = new Informer<{ n: number }, never>(source, { name: "numbers" });
    void informer.run();
    await informer.synced;
    await informer.waitForResourceVersion("7");
    expect(informer.store.getByKey("a")).toEqual({ n: 1 });
    expect(informer.status()).toMatchObject({ name: "numbers", resourceVersion: "7" });
    expect(informer.isFresh({ withinMs: 60_000 })).toBe(true);
  });
});
