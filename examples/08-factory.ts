// The factory: a pod informer with handlers, and an HTTP endpoint that lists its cache.
import { createConnection } from "@listwatch/client";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

const cluster = new FakeApiServer();
async function createPod(name: string): Promise<void> {
  const url = "http://cluster/api/v1/namespaces/default/pods";
  const pod = { metadata: { name }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const headers = { "content-type": "application/json" };
  await cluster.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(pod) }));
}
await createPod("web-1");

const factory = new SharedInformerFactory({
  connection: createConnection({ server: "http://cluster", fetch: cluster.fetch }),
});
const pods = factory.informer({ group: "", version: "v1", resource: "pods" });
const web2 = Promise.withResolvers<void>();
pods.addEventHandler({
  onAdd: (pod, isInInitialList) => {
    console.log("added", pod.metadata?.name, "in initial list:", isInInitialList);
    if (pod.metadata?.name === "web-2") web2.resolve();
  },
});
factory.start();
await factory.waitForCacheSync();
await createPod("web-2");
await web2.promise;

const endpoint = createServer((_, response) => {
  const names = pods.lister.list().map((pod) => pod.metadata?.name ?? "");
  response.end(JSON.stringify(names.toSorted()));
});
await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
const { port } = endpoint.address() as AddressInfo;
console.log("GET /", await (await fetch(`http://127.0.0.1:${port}/`)).text());
endpoint.close();
await factory[Symbol.asyncDispose]();
