// A local copy of all greetings, and handlers for their changes.
import {
  createClient,
  createConnection,
  defineResource,
  ensureDefinition,
  SharedInformerFactory,
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
const client = createClient(connection, { fieldManager: "greeter" });
await ensureDefinition(client, definition);
const metadata = { namespace: "default", name: "hello" };
await client.resource(greetings).create({ metadata, spec: { message: "Hello" } });

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(greetings);
const deleted = Promise.withResolvers<void>();
const handlers = informer.addEventHandler({
  onAdd: ({ spec }) => console.log("added:", spec.message),
  onUpdate: (_old, { spec }) => console.log("updated:", spec.message),
  onDelete: ({ key }) => {
    console.log("deleted:", key);
    deleted.resolve();
  },
});
factory.start();
await handlers.synced;
console.log("copied:", informer.store.listKeys().join());

const changed = await client
  .resource(greetings)
  .patch("default/hello", { spec: { message: "Hi" } });
await informer.waitForObject(changed);
await client.resource(greetings).delete("default/hello");
await deleted.promise;
await factory[Symbol.asyncDispose]();
