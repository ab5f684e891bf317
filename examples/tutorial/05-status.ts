// The status says what the operator has done, as conditions.
import {
  conditionOf,
  Controller,
  controllerReference,
  createClient,
  createConnection,
  defineResource,
  ensureDefinition,
  setCondition,
  SharedInformerFactory,
  writeStatus,
  type StatusCondition,
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

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const api = createClient(connection, { fieldManager: "greeter" });
await ensureDefinition(api, definition);

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(greetings);
const maps = factory.informer(configmaps, { namespace: "default" });
const controller = new Controller({
  client: api,
  informer,
  reconcile: async (key, { client, object, signal }) => {
    if (object === undefined) return;
    const { generation, name, namespace } = object.metadata;
    const ownerReferences = [controllerReference(object, greetings)];
    const data = { message: object.spec.message };
    const wanted = { metadata: { namespace, name, ownerReferences }, data };
    await client.resource(configmaps).apply(wanted, { force: true, signal });

    const ready = { type: "Ready", status: "True", reason: "Applied" } as const;
    const observed = {
      ...ready,
      message: "The config map is written",
      observedGeneration: generation,
    };
    const target = client.resource(greetings);
    await writeStatus(target, object, ({ status }) => ({
      conditions: setCondition(status?.conditions, observed),
    }));
  },
});
controller.owns(maps, greetings);
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);

const metadata = { namespace: "default", name: "hello" };
await api.resource(greetings).create({ metadata, spec: { message: "Hello" } });
for await (const { type, object } of informer.events()) {
  if (type === "delete" || object === undefined) continue;
  const ready = conditionOf(object, "Ready");
  if (ready === undefined) continue;
  console.log("Ready is", ready.status, "because", ready.reason);
  console.log("generation", object.metadata.generation, "is seen:", ready.observedGeneration);
  break;
}
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();
