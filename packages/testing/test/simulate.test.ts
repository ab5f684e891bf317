import { createClient } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import { expect, test } from "vitest";
import { simulate, type Scenario } from "../src/index.ts";

test("later runs try faults that met no request before, the same ones each time", async () => {
  const create: Scenario = {
    name: "one create",
    start: async ({ clock, connection, signal }) => {
      const maps = createClient(connection, { clock, retries: 0 }).resource(configmaps);
      await maps.create({ metadata: { namespace: "a", name: "b" } }).catch(() => undefined);
      if (!signal.aborted) await new Promise((resolve) => (signal.onabort = resolve));
    },
  };
  const times = { chaosMs: 1000, convergeMs: 1000, quietMs: 60_000 };
  const [few, many] = [
    await simulate(create, { ...times, seeds: 50 }),
    await simulate(create, times),
  ];
  expect(few.unmet.length).toBeGreaterThan(0);
  // Each second of the 50 further runs reaches one, unless the run is over before.
  expect(many.unmet).toEqual([]);
  expect((await simulate(create, times)).digest).toBe(many.digest);
});
