// A status that is written with the object is ignored by the server.
import {
  createClient,
  createConnection,
  defineResource,
  ensureDefinition,
  writeStatus,
  type StatusCondition,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
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
const client = createClient(connection, { fieldManager: "greeter" });
await ensureDefinition(client, definition);

const metadata = { namespace: "default", name: "hello" };
const target = client.resource(greetings);
const created = await target.create({ metadata, spec: { message: "Hello" } });

const done = { conditions: [] };
const updated = await target.update({ ...created, status: done });
console.log("after an update of the object:", updated.status);

const written = await writeStatus(target, updated, () => done);
console.log("after writeStatus:", JSON.stringify(written.status));
