import { silentLog } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { MapStore } from "../support/running.ts";

class Runs {
  readonly cluster: Cluster;
  readonly store = new MapStore();
  readonly reflector: Reflector<ConfigMap>;
  #stop = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(cluster = new Cluster(), watchListSupported = true) {
    this.cluster = cluster;
    this.reflector = new Reflector({
      listerWatcher: cluster.source({ watchListSupported }),
      store: this.store,
      clock: cluster.clock,
      log: silentLog,
    });
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#ended = this.reflector.run(this.#stop.signal);
    await this.cluster.clock.settle();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

describe("a reflector that is run again", () => {
  test.each([true, false])(
    "updates the same store, any number of times (streamed: %s)",
    async (streamed) => {
      const { cluster } = new Runs();
      const runs = new Runs(cluster, streamed);
      for (const name of ["a", "b", "c", "d"]) {
        await runs.start();
        expect(runs.store.state()).toEqual(await cluster.state());
        await cluster.create(name);
        await cluster.clock.settle();
        expect(runs.store.state()).toEqual(await cluster.state());
        await runs.stop();
        await cluster.update(name, { data: { changed: "between the runs" } });
        expect(cluster.clock.pendingTimers).toBe(0);
      }
    },
  );

  test("keeps the objects of the last run until the new list has arrived", async () => {
    const runs = new Runs();
    await runs.cluster.create("a");
    await runs.start();
    await runs.stop();
    const left = runs.store.state();
    await runs.cluster.create("b");
    runs.cluster.api.control.shutdown();
    await runs.start();
    expect(runs.store.state()).toEqual(left);
    expect(runs.reflector.status()).toMatchObject({ phase: "waiting", synced: true });
    await runs.stop();
  });

  test("remembers that the server refuses to stream", async () => {
    const runs = new Runs();
    runs.cluster.api.control.watchList = "refused";
    await runs.start();
    await runs.stop();
    await runs.start();
    expect(runs.cluster.requests().map((request) => request.split(" ")[0])).toEqual([
      "watch-list",
      "list",
      "watch",
      "list",
      "watch",
    ]);
    await runs.stop();
  });

  test("sends its request immediately when the last run ended in a delay", async () => {
    const runs = new Runs();
    runs.cluster.api.control.shutdown();
    await runs.start();
    expect(runs.reflector.status().phase).toBe("waiting");
    await runs.stop();
    runs.cluster.api.control.start();
    await runs.start();
    expect(runs.reflector.status()).toMatchObject({ phase: "watching", synced: true });
    await runs.stop();
  });

  test("cannot be run again before the last run has ended", async () => {
    const runs = new Runs();
    await runs.start();
    const stopped = runs.stop();
    await expect(runs.reflector.run()).rejects.toMatchObject({
      code: "LW_ALREADY_RUNNING",
      message: expect.stringMatching(/: an earlier run has not ended$/) as unknown,
    });
    await stopped;
    await runs.start();
    await runs.stop();
  });
});
