// A field that the schema does not name is refused, or dropped without a word.
import { createClient, createConnection, ensureDefinition } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";

const spec = { type: "object", properties: { message: { type: "string" } } };
const openAPIV3Schema = { type: "object", properties: { spec } };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "greetings.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "greetings", singular: "greeting", kind: "Greeting" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
  },
};
const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const client = createClient(connection, { fieldManager: "greeter" });
await ensureDefinition(client, definition);

const greetings = client.resource({
  group: "example.com",
  version: "v1",
  resource: "greetings",
  kind: "Greeting",
  scope: "Namespaced",
});
const draft = (name: string) => ({
  metadata: { namespace: "default", name },
  spec: { message: "Hello", colour: "red" },
});
await greetings.create(draft("one")).catch((error: Error) => console.log(error.message));

// Other clients, and older tools, do not ask for strict validation.
const stored: object = await greetings.create(draft("two"), { fieldValidation: "Ignore" });
console.log("stored:", JSON.stringify("spec" in stored ? stored.spec : undefined));
