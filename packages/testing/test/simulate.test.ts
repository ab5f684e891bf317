import { createClient, isNotFound } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { configmaps } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { simulate, type Life, type Scenario } from "../src/index.ts";

/** Copies each ConfigMap `x` of the namespace `from` to the namespace `to`. */
async function copy({ clock, connection, log, random, signal }: Life): Promise<void> {
  const client = createClient(connection, { clock, random });
  const maps = client.resource(configmaps);
  await using factory = new SharedInformerFactory({ connection, clock, log });
  const informer = factory.informer(configmaps);
  const controller = new Controller({
    informer,
    clock,
    telemetry: { log },
    reconcile: async (key) => {
      const [namespace, name] = key.split("/");
      if (namespace === undefined || name === undefined) return;
      const source = informer.store.getByKey(`from/${name}`);
      const target = `to/${name}` as const;
      if (source === undefined) {
        await maps.delete(target).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
        return;
      }
      const copied = informer.store.getByKey(target);
      if (JSON.stringify(copied?.data) === JSON.stringify(source.data)) return;
      await maps.apply(
        { metadata: { namespace: "to", name }, data: source.data ?? {} },
        { fieldManager: "copier", force: true },
      );
    },
  });
  factory.start();
  await controller.run(signal);
}

const scenario: Scenario = {
  name: "a copier",
  start: copy,
  actions: {
    "create a": async ({ client, random }) => {
      await client
        .resource(configmaps)
        .apply(
          { metadata: { namespace: "from", name: "a" }, data: { number: String(random()) } },
          { fieldManager: "user", force: true },
        );
    },
    "delete a": ({ client }) => client.resource(configmaps).delete("from/a"),
  },
  eventually: {
    "each map is copied": (state) => {
      for (const { data, metadata } of state.list(configmaps)) {
        if (metadata.namespace !== "from") continue;
        const found = state.get(configmaps, `to/${metadata.name}`);
        if (JSON.stringify(found?.data) !== JSON.stringify(data)) return `${metadata.name} differs`;
      }
      return true;
    },
  },
};

test("a program that survives all faults gives a report, the same on each runtime", async () => {
  const report = await simulate(scenario, { seeds: 8 });
  expect(report.runs).toBe(8);
  expect(report.coverage).toMatchObject({ kill: expect.any(Number) });
  expect(Object.keys(report.states).some((what) => what.endsWith("after a restart"))).toBe(true);
  expect(report.unmet).toContain("503 DELETE v1 configmaps");
  expect(report.digest).toBe("4e98de3d1044ae35");
});

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
