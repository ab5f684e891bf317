import { createClient } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { expect, test } from "vitest";
import { simulate, type Scenario } from "../src/index.ts";
import { garbageCollector } from "./support/collect-garbage.ts";

const isNode = !("Deno" in globalThis) && !("Bun" in globalThis);

test.runIf(isNode)("a request without an answer ends with its signal, garbage or not", async () => {
  const collect = garbageCollector();
  const scenario: Scenario = {
    name: "a writer",
    start: async ({ clock, connection, random, signal }) => {
      const maps = createClient(connection, { clock, random, retries: 0 }).resource(configmaps);
      const write = { metadata: { namespace: "default", name: "one" }, data: {} };
      const pause = (ms: number): Promise<void> => sleep(ms, { clock, signal }).catch(() => {});
      while (!signal.aborted) {
        let isPending = true;
        const writing = maps
          .apply(write, { fieldManager: "writer", force: true, signal })
          .catch(() => {})
          .finally(() => (isPending = false));
        await pause(5000);
        // Most requests have their answer by now.
        if (isPending) collect();
        await writing;
      }
    },
    actions: { "read it": ({ client }) => client.resource(configmaps).list() },
  };
  const { coverage, runs } = await simulate(scenario, { seeds: 20, quietMs: 0 });
  expect(runs).toBe(20);
  expect(JSON.stringify(coverage)).toContain("silence");
});
