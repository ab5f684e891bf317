// The whole operator as a program.
import {
  controllerReference,
  createConnection,
  createManager,
  defineResource,
  ensureDefinition,
  isConditionTrue,
  setCondition,
  silentLog,
  writeStatus,
  type StatusCondition,
  type Manager,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
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
const text = { type: "string", minLength: 1 };
const openAPIV3Schema = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: { type: "object", required: ["message"], properties: { message: text } },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "greetings.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "greetings", singular: "greeting", kind: "Greeting" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema },
      },
    ],
  },
};

/** The operator. `main.ts` and the tests give it their manager. */
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

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const manager = createManager(connection, {
  name: "greeter",
  election: { namespace: "default", identity: "greeter-1" },
  client: { fieldManager: "greeter" },
  telemetry: { log: { ...silentLog, info: (message) => console.log("log:", message) } },
  signals: false, // Here: a signal of our own instead of SIGTERM.
  server: false, // Here: no port for /livez, /readyz and /metrics.
});
await ensureDefinition(manager.client, definition);
const stop = new AbortController();
const ended = addGreeter(manager).run(stop.signal);

const metadata = { namespace: "default", name: "hello" };
const hello = { metadata, spec: { message: "Hello" } };
await manager.client.resource(greetings).create(hello);
for await (const { object } of manager.informers.informer(greetings).events()) {
  if (isConditionTrue(object, "Ready")) break;
}
console.log("default/hello is ready");
stop.abort();
console.log("stopped by", (await ended).by);
