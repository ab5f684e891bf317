// One function for all cases: it gets a key, and looks at what is there.
import {
  Controller,
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

const factory = new SharedInformerFactory({ connection });
const said = Promise.withResolvers<void>();
const gone = Promise.withResolvers<void>();
const controller = new Controller({
  informer: factory.informer(greetings),
  reconcile: async (key, { object }) => {
    console.log(key, object === undefined ? "is gone" : `says ${object.spec.message}`);
    if (object === undefined) gone.resolve();
    else said.resolve();
  },
});
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);
await controller.synced;

const metadata = { namespace: "default", name: "hello" };
await client.resource(greetings).create({ metadata, spec: { message: "Hello" } });
await said.promise;
await client.resource(greetings).delete("default/hello");
await gone.promise;
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();
