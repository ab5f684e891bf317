import { createClient, isNotFound } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { configmaps } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import type { Life, Scenario } from "../../src/index.ts";

/** Copies each ConfigMap `x` of the namespace `from` to the namespace `to`. */
async function copy({ clock, connection, log, random, signal }: Life): Promise<void> {
  const client = createClient(connection, { clock, random });
  const maps = client.resource(configmaps);
  await using factory = new SharedInformerFactory({
    connection,
    clock,
    log,
    informers: { random },
  });
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

/** A copier of ConfigMaps, whose user creates and deletes one. */
export const copier: Scenario = {
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
