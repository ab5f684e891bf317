// The library's factory runs and stops the informers of any number of resources, infers the types
// of their objects, and gives each informer an index by namespace.
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connection, labelSelector, ownNamespace } from "../support/cluster.ts";
import { createPod, resource, type Pod } from "../support/pods.ts";
import { serve } from "../support/serve.ts";

const shop = await ownNamespace("shop");
await createPod("shop/web-0");
await createPod("test/web-0");

const factory = new SharedInformerFactory({ connection, labelSelector });
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
await createPod("shop/web-1");
await added.promise;

// The cache of one namespace, read like an API server, but without a request.
const endpoint = await serve(() => Response.json(pods.lister.namespace(shop).list()));
const response = await endpoint.fetch("/");
const objects = (await response.json()) as Pod[];
const names = objects.map(({ metadata }) => metadata.name);
console.log("GET /", names.toSorted().join(" "));
await endpoint.close();
await factory[Symbol.asyncDispose]();
