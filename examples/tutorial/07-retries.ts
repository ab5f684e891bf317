// A failed reconcile is repeated; events tell users; own writes are read at once.
import {
  Controller,
  createClient,
  createConnection,
  defineResource,
  ensureDefinition,
  EventRecorder,
  SharedInformerFactory,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";
import type { NamespacedObjectMeta } from "listwatch/resources/meta/v1";
import { events } from "listwatch/resources/events.k8s.io/v1";

interface Greeting {
  metadata: NamespacedObjectMeta;
  spec: { message: string };
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

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const api = createClient(connection, { fieldManager: "greeter" });
await ensureDefinition(api, definition);
const recorder = new EventRecorder({ client: api, controller: "greeter", instance: "greeter-1" });
server.control.faults.add({
  match: { verb: "patch", resource: "configmaps" },
  action: { type: "status", status: { code: 500 } },
  times: 1,
});

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(greetings);
const maps = factory.informer(configmaps, { namespace: "default" });
const applied = Promise.withResolvers<void>();
const controller = new Controller({
  client: api,
  informer,
  onError: (error) => console.log("again, since", (error as Error).name),
  reconcile: async (key, { client, object, signal }) => {
    if (object === undefined || maps.store.getByKey(key) !== undefined) return;
    const { name, namespace } = object.metadata;
    const data = { message: object.spec.message };
    await client.resource(configmaps).apply({ metadata: { namespace, name }, data }, { signal });
    recorder.event({ regarding: object, reason: "Applied", action: "Apply", note: "Wrote it" });
    // The cache shows the write at once, although the watch has not delivered it.
    console.log("a read by key:", maps.lister.get(key).data?.["message"]);
    applied.resolve();
  },
});
controller.owns(maps, greetings);
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);
const recording = recorder.run(stop.signal);

const metadata = { namespace: "default", name: "hello" };
await api.resource(greetings).create({ metadata, spec: { message: "Hello" } });
await applied.promise;
stop.abort();
await Promise.all([ended, recording]);
const { items } = await api.resource(events).list({ namespace: "default" });
for (const { reason, note } of items) console.log("event:", reason, note);
await factory[Symbol.asyncDispose]();
