import { silentLog } from "@listwatch/core-fifo";
import { IndexFunctionError, namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { SharedInformer } from "../../src/index.ts";
import { checkIdle, Cluster, versionsOf, type ConfigMap } from "../support/cluster.ts";
import { faults } from "../support/faults.ts";

const bad = { data: { bad: "yes" } };

const colorOf = ({ data }: ConfigMap): string => {
  if (data?.["bad"] === "yes") throw new Error("it is bad");
  return "any";
};

/** A way for an object that cannot be indexed to arrive. */
interface Way {
  readonly name: string;
  readonly watchList: boolean;
  /** The time when the object becomes bad. */
  readonly when: "at the start" | "in a gap" | "on a watch";
  readonly isIndexLate?: true;
}

const ways: readonly Way[] = [
  { name: "a list", watchList: false, when: "at the start" },
  { name: "a streamed list", watchList: true, when: "at the start" },
  { name: "a relist", watchList: false, when: "in a gap" },
  { name: "a streamed relist", watchList: true, when: "in a gap" },
  { name: "a watch", watchList: false, when: "on a watch" },
  { name: "a late index", watchList: true, when: "at the start", isIndexLate: true },
];

const rows = faults.map((fault) => [JSON.stringify(fault), fault] as const);

describe.each(ways)("an object that cannot be indexed, brought by $name", (way) => {
  test.each(rows)(
    "is found by key, hides no other and is reported until it is repaired, with the fault %s",
    async (_, fault) => {
      const cluster = new Cluster();
      const { api, clock } = cluster;
      const errors: unknown[] = [];
      const indexers = { ...namespaceIndex, color: colorOf };
      const informer = new SharedInformer<ConfigMap, { namespace: string; color: string }>({
        clock,
        indexers: way.isIndexLate === true ? undefined : indexers,
        list: { watchList: way.watchList },
        listerWatcher: cluster.source(),
        onError: (error) => void (error instanceof IndexFunctionError && errors.push(error)),
        random: cluster.random,
        telemetry: { log: silentLog },
      });
      await cluster.create("shop/a");
      await cluster.create("shop/bad", way.when === "at the start" ? bad : {});
      await cluster.create("shop/c");
      api.control.faults.add({
        match: { resource: "configmaps", verb: ["list", "watch"], headers: { "x-by": "source" } },
        when: { skip: way.when === "at the start" ? 0 : 1 },
        action: fault,
        times: 2,
      });
      const ended = informer.run();
      await clock.advance(1000);
      if (way.when === "on a watch") await cluster.update("shop/bad", bad);
      if (way.when === "in a gap") {
        api.control.watches.end();
        await cluster.update("shop/bad", bad);
        api.control.compact();
        api.control.watches.list()[0]?.sendError({ code: 410 });
      }
      api.control.watches.end();
      await clock.advance(300_000);
      if (way.isIndexLate === true) informer.addIndexers(indexers);
      const { store } = informer;
      expect(versionsOf(store.list())).toEqual(await cluster.state());
      expect(store.indexKeys("color", "any")).toEqual(["shop/a", "shop/c"]);
      expect(informer.status().problem).toMatchObject({
        reason: "indexFunction",
        keys: ["shop/bad"],
      });
      expect(errors).toHaveLength(1);

      await cluster.update("shop/bad", { data: { bad: "no" } });
      await clock.advance(300_000);
      expect(versionsOf(store.list())).toEqual(await cluster.state());
      expect(store.indexKeys("color", "any")).toEqual(["shop/a", "shop/bad", "shop/c"]);
      expect(informer.status().problem).toBeUndefined();
      await informer[Symbol.asyncDispose]();
      await ended;
      checkIdle(clock);
    },
  );
});
