import { InvalidOptionsError, silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { InformerView, SharedInformer, type Informer } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf, recorder } from "../support/informer.ts";

type Viewed = Pick<Informer<ConfigMap>, "addEventHandler">;

async function start(
  isView: boolean,
  options: Parameters<typeof informerOf>[1],
): Promise<{
  readonly cluster: Cluster;
  readonly informer: SharedInformer<ConfigMap, { namespace: string }>;
  readonly subject: Viewed;
  readonly ended: Promise<unknown>;
}> {
  const cluster = new Cluster();
  await cluster.create("shop/a", { data: { n: "1" } });
  await cluster.create("shop/b", { data: { n: "1" } });
  const informer = informerOf(cluster, options);
  if (!isView) return { cluster, informer, subject: informer, ended: informer.run() };
  const { clock } = cluster;
  const view = new InformerView([informer], { clock, resyncMs: options?.resyncMs });
  return { cluster, informer, subject: view, ended: Promise.all([informer.run(), view.run()]) };
}

describe.each([
  ["an informer", false],
  ["a view", true],
])("a handler of %s with changesOnly", (_, isView) => {
  test.each([[true], [false]])(
    "is not called for a relist of unchanged objects or a resync, but for every change (streamed lists: %s)",
    async (watchList) => {
      const options = {
        resyncMs: 60_000,
        list: { watchList },
        // Copies are never identical to held objects.
        cache: { transform: (object: ConfigMap) => ({ ...object }) },
      };
      const { cluster, ended, informer, subject } = await start(isView, options);
      const { api, clock } = cluster;
      const changes: string[] = [];
      const all: string[] = [];
      const registration = subject.addEventHandler(recorder(changes), { changesOnly: true });
      subject.addEventHandler(recorder(all));
      await registration.synced;
      expect(changes.toSorted()).toEqual(["add a initially", "add b initially"]);
      changes.length = 0;
      for (let relists = 0; relists < 3; relists++) {
        api.control.watches.list()[0]?.sendError({ code: 410 });
        await clock.advance(100_000);
      }
      expect(changes).toEqual([]);
      expect(all).toContain("update a 1 1");
      await cluster.update("shop/a", { data: { n: "2" } });
      await cluster.delete("shop/b");
      await clock.advance(30_000);
      await cluster.create("shop/c");
      await clock.settle();
      expect(changes.toSorted()).toEqual(["add c", "delete shop/b", "update a 1 2"]);
      await informer[Symbol.asyncDispose]();
      await ended;
    },
  );
});

test("changesOnly and resyncMs exclude each other", async () => {
  await using informer = informerOf(new Cluster(), { resyncMs: 1000 });
  expect(() => informer.addEventHandler({}, { changesOnly: true, resyncMs: 5000 })).toThrow(
    InvalidOptionsError,
  );
  informer.addEventHandler({}, { changesOnly: true, resyncMs: 0 });
});

test("a change by a restored server is delivered although uid and version are equal, for views too", async () => {
  const clock = new SimulatedClock();
  const named = (name: string, uid: string, resourceVersion: string, n: string): ConfigMap => ({
    metadata: { namespace: "shop", name, uid, resourceVersion },
    data: { n },
  });
  let list = {
    resourceVersion: "12",
    items: [named("a", "1", "10", "1"), named("b", "2", "9", "1")],
  };
  let endWatch = (): void => undefined;
  const informer = new SharedInformer<ConfigMap>({
    clock,
    telemetry: { log: silentLog },
    listerWatcher: {
      watchListSupported: false,
      list: async () => ({
        metadata: { resourceVersion: list.resourceVersion },
        items: list.items,
      }),
      watch: async () => {
        const ended = new Promise<void>((resolve) => (endWatch = resolve));
        return (async function* () {
          await ended;
          yield { type: "ERROR", object: { kind: "Status", code: 410 } } as const;
        })();
      },
    },
  });
  const view = new InformerView([informer], { clock });
  const changes: string[] = [];
  informer.addEventHandler(recorder(changes), { changesOnly: true });
  const ended = Promise.all([informer.run(), view.run()]);
  await clock.advance(2000);
  // Another object at a lower version reveals the other history, not the version of the list.
  list = { resourceVersion: "20", items: [named("a", "1", "10", "2"), named("b", "3", "8", "1")] };
  endWatch();
  await clock.advance(10_000);
  expect(changes.slice(2)).toEqual(["update a 1 2", "delete shop/b unseen", "add b"]);
  expect(view.store.getByKey("shop/a")).toBe(informer.store.getByKey("shop/a"));
  expect(informer.store.getByKey("shop/a")?.data).toEqual({ n: "2" });
  await informer[Symbol.asyncDispose]();
  await ended;
});
