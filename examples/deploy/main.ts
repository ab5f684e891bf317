// The operator of the tutorial as it runs in a pod: node main.ts
import {
  controllerReference,
  createManager,
  defineResource,
  setCondition,
  writeStatus,
  type Manager,
  type StatusCondition,
} from "listwatch";
import { connect } from "listwatch/node";
import { configmaps } from "listwatch/resources/core/v1";
import type { NamespacedObjectMeta } from "listwatch/resources/meta/v1";

interface Greeting {
  metadata: NamespacedObjectMeta;
  spec: { message: string };
  status?: { conditions?: readonly StatusCondition[] };
}
const greetings = defineResource<Greeting>({
  group: "example.com",
  version: "v1",
  resource: "greetings",
  kind: "Greeting",
  scope: "Namespaced",
});

function addGreeter(manager: Manager) {
  const { clock, informers } = manager;
  const controller = manager.controller({
    for: greetings,
    reconcile: async (_key, { client, object, signal }) => {
      if (object === undefined) return;
      const { name, namespace } = object.metadata;
      const ownerReferences = [controllerReference(object, greetings)];
      const data = { message: object.spec.message };
      const wanted = { metadata: { namespace, name, ownerReferences }, data };
      await client.resource(configmaps).apply(wanted, { force: true, signal });
      const ready = {
        type: "Ready",
        status: "True",
        reason: "Applied",
        message: "Written",
      } as const;
      await writeStatus(client.resource(greetings), object, ({ status }) => ({
        conditions: setCondition(status?.conditions, ready, { clock }),
      }));
    },
  });
  controller.owns(informers.informer(configmaps));
  return manager;
}

const connection = await connect();
const manager = createManager(connection, {
  name: "greeter",
  election: { namespace: connection.namespace ?? "default" },
  client: { fieldManager: "greeter" },
  server: { port: Number(process.env["PORT"] ?? 8081) },
});
await addGreeter(manager).run();
