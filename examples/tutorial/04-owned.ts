// Each greeting has a config map, which is written by server-side apply.
import {
  Controller,
  controllerReference,
  createClient,
  createConnection,
  defineResource,
  ensureDefinition,
  SharedInformerFactory,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";
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

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(greetings);
const maps = factory.informer(configmaps, { namespace: "default" });
const controller = new Controller({
  client: api,
  informer,
  reconcile: async (key, { client, object, signal }) => {
    if (object === undefined) return; // Its config map is deleted with it.
    const { name, namespace } = object.metadata;
    const ownerReferences = [controllerReference(object, greetings)];
    const data = { message: object.spec.message };
    const wanted = { metadata: { namespace, name, ownerReferences }, data };
    await client.resource(configmaps).apply(wanted, { force: true, signal });
  },
});
controller.owns(maps, greetings);
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);

/** Prints the next change of the config map. */
const changes = maps.events({ signal: stop.signal });
async function print(what: string) {
  const { value } = await changes.next();
  console.log(what, value?.type, value?.object?.data?.["message"]);
}
await api.resource(greetings).create({
  metadata: { namespace: "default", name: "hello" },
  spec: { message: "Hello" },
});
await print("created:");
await api.resource(greetings).patch("default/hello", { spec: { message: "Hi" } });
await print("changed:");
await api.resource(configmaps).patch("default/hello", { data: { message: "edited" } });
await print("edited by hand:");
await print("and repaired:");
await api.resource(greetings).delete("default/hello");
await print("deleted:");
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();
