// An object is deleted when the operator has cleaned up after it.
import {
  Controller,
  createClient,
  createConnection,
  defineResource,
  ensureDefinition,
  SharedInformerFactory,
  withFinalizer,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import type { NamespacedObjectMeta } from "listwatch/resources/meta/v1";

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

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const api = createClient(connection, { fieldManager: "greeter" });
await ensureDefinition(api, definition);

/** A list outside of the cluster, which no owner reference reaches. */
const guests = new Set<string>();

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(greetings);
const welcomed = Promise.withResolvers<void>();
const gone = Promise.withResolvers<void>();
informer.addEventHandler({ onDelete: () => gone.resolve() });
const controller = new Controller({
  client: api,
  informer,
  reconcile: async (key, { client, object }) => {
    if (object === undefined) return;
    await withFinalizer(client.resource(greetings), object, {
      finalizer: "example.com/guest",
      apply: async () => {
        if (guests.has(key)) return;
        guests.add(key);
        console.log("guests:", [...guests].join());
        welcomed.resolve();
      },
      cleanup: async () => {
        if (guests.delete(key)) console.log("guests:", [...guests].join() || "none");
      },
    });
  },
});
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);

const metadata = { namespace: "default", name: "hello" };
await api.resource(greetings).create({ metadata, spec: { message: "Hello" } });
await welcomed.promise;
await api.resource(greetings).delete("default/hello"); // Only marks it.
await gone.promise;
console.log("now it is gone");
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();
