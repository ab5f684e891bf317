import * as fc from "fast-check";
import { expect, test } from "vitest";
import { silentLog, sleep } from "@listwatch/core-fifo";
import { Controller, TerminalError } from "@listwatch/controller";
import { Cluster, configMap } from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";

const change = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  action: fc.constantFrom("write", "delete"),
  afterMs: fc.nat(30),
});

test("after any changes and failures every object's last state is reconciled, never twice at a time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 25 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.constantFrom("fine", "fails", "is late", "is terminal"), {
        minLength: 1,
        maxLength: 6,
      }),
      async (changes, workers, outcomes) => {
        const cluster = new Cluster();
        const stop = new AbortController();
        const informer = runInformer(cluster, stop.signal);
        const inWork = new Set<string>();
        /** The state that the last reconcile of a key saw: `undefined` for a deleted object. */
        const seen = new Map<string, string | undefined>();
        let runs = 0;
        const controller = new Controller({
          clock: cluster.clock,
          workers,
          telemetry: { log: silentLog },
          reconcile: async (key) => {
            if (inWork.has(key)) throw new Error(`${key} is reconciled twice at a time`);
            inWork.add(key);
            const outcome = outcomes[(runs += 1) % outcomes.length];
            seen.set(key, informer.store.getByKey(key)?.metadata.resourceVersion);
            await sleep(outcome === "is late" ? 25 : 1, { clock: cluster.clock });
            inWork.delete(key);
            if (outcome === "fails") throw new Error("not yet");
            if (outcome === "is terminal") throw new TerminalError("never");
          },
        }).for(informer);
        const running = controller.run(stop.signal);
        const last = new Map<string, string | undefined>();
        for (const { name, action, afterMs } of changes) {
          await cluster.clock.advance(afterMs);
          const key = `default/${name}`;
          if (action === "delete") {
            if (last.get(key) !== undefined) await cluster.configMaps.delete(key);
            if (last.has(key)) last.set(key, undefined);
          } else {
            const data = { afterMs: `${afterMs} ${runs} ${last.size}` };
            const written =
              last.get(key) === undefined
                ? await cluster.configMaps.create(configMap(key, { data }))
                : await cluster.configMaps.patch(key, { data });
            last.set(key, written.metadata.resourceVersion);
          }
        }
        await cluster.clock.advance(10_000);
        // An object that was created and deleted unseen need not be reconciled.
        for (const [key, version] of last) expect(seen.get(key)).toBe(version);
        stop.abort();
        await cluster.clock.advance(10_000);
        await running;
        expect(inWork.size).toBe(0);
        expect(cluster.clock.pendingTimers).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});
