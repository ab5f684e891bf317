// A kind of our own: types for the compiler, and a schema for the server.
import { createClient, createConnection, defineResource, ensureDefinition } from "listwatch";
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

const stored = await client.resource(greetings).get("default/hello");
console.log(stored.metadata.name, "says", stored.spec.message);

const silent = { metadata: { namespace: "default", name: "silent" }, spec: { message: "" } };
const refused = client.resource(greetings).create(silent);
await refused.catch((error: Error) => console.log(error.message));
