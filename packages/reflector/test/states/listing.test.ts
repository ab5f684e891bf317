import { sleep } from "@listwatch/core-fifo";
import type { ListerWatcher, ReflectorTrace } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { MapStore, start } from "../support/running.ts";

const second = 1000;

test.each([true, false])(
  "watchListSupported is read only once, and was %s (REF-4)",
  async (atFirst) => {
    const cluster = new Cluster();
    const source = cluster.source();
    let isSupported = atFirst;
    const changing: ListerWatcher<ConfigMap> = {
      get watchListSupported() {
        return isSupported;
      },
      list: source.list.bind(source),
      watch: source.watch.bind(source),
    };
    const { stop } = await start(cluster.clock, changing);
    isSupported = !atFirst;
    cluster.api.control.recorder.clear();
    for (const watch of cluster.api.control.watches.list()) watch.sendError({ code: 410 });
    await cluster.clock.advance(2 * second);
    const [first] = cluster.requests();
    expect(first?.split(" ")[0]).toBe(atFirst ? "watch-list" : "list");
    await stop();
  },
);

describe("the trace of a list", () => {
  test.each([
    [false, 10 * second, 0, false],
    [false, 10 * second, 1, true],
    [false, 10 * second + 1, 0, true],
    [true, 10 * second, 0, false],
    [true, 4 * second, 6 * second + 1, true],
  ])(
    "(streamed: %s) of %i ms and %i ms in the store reports a slow list: %s (REF-20)",
    async (streamed, listMs, replaceMs, slow) => {
      const cluster = new Cluster();
      const { clock } = cluster;
      await cluster.create("a");
      await cluster.create("b");
      const verb = streamed ? "watch" : "list";
      cluster.api.control.faults.add({
        match: { verb },
        action: { type: "latency", ms: listMs },
        times: 1,
      });
      const store = new MapStore();
      const replace = store.replace.bind(store);
      const replaceSlowly = async (
        ...[objects, resourceVersion]: Parameters<typeof store.replace>
      ): Promise<void> => {
        await sleep(replaceMs, { clock });
        replace(objects, resourceVersion);
      };
      const traces: ReflectorTrace[] = [];
      const { reflector, stop } = await start(
        clock,
        cluster.source({ watchListSupported: streamed }),
        {
          name: "config maps",
          store: Object.assign(store, { replace: replaceSlowly }),
          onTrace: (trace) => traces.push(trace),
        },
      );
      await clock.advance(listMs + replaceMs);
      await clock.settle();
      const { lastSyncResourceVersion: resourceVersion } = reflector;
      expect(traces.filter(({ kind }) => kind === "list")).toEqual([
        {
          kind: "list",
          reflector: "config maps",
          items: 2,
          resourceVersion,
          listMs,
          replaceMs,
          paginated: false,
          streamed,
          slow,
        },
      ]);
      await stop();
    },
  );
});
