// The library's factory runs and stops the informers of any number of resources, infers the types
// of their objects, and gives each informer an index by namespace.
import { createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

const spec = { containers: [{ name: "main", image: "nginx" }] };
const objects = ["shop", "test"].map((namespace) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace, name: "web-0" },
  spec,
}));
const { fetch } = new FakeApiServer({ objects }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });

const factory = new SharedInformerFactory({ connection });
const pods = factory.informer(resource);
console.log("one informer:", factory.informer(resource) === pods);
const added = Promise.withResolvers<void>();
pods.addEventHandler({
  onAdd: ({ metadata: { name, namespace } }, isInInitialList) => {
    console.log(`added ${namespace}/${name}, in the initial list: ${isInInitialList}`);
    if (!isInInitialList) added.resolve();
  },
});
factory.start();
await factory.waitForCacheSync();
const metadata = { namespace: "shop", name: "web-1" };
await createClient(connection).resource(resource).create({ metadata, spec });
await added.promise;

// The cache of one namespace, read like an API server, but without a request.
function handle(): Response {
  return Response.json(pods.lister.namespace("shop").list());
}
const answer = (await handle().json()) as Pod[];
const names = answer.map(({ metadata: { name } }) => name);
console.log("GET /", names.toSorted().join(" "));
await factory[Symbol.asyncDispose]();
