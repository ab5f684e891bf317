// The operator in a test: a cluster whose minutes pass in milliseconds.
import {
  controllerReference,
  defineResource,
  isConditionTrue,
  setCondition,
  writeStatus,
  type StatusCondition,
  type Manager,
} from "listwatch";
import { testCluster } from "listwatch/testing";
import { configmaps } from "listwatch/resources/core/v1";
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

/** The operator. `main.ts` and the tests give it their manager. */
function addGreeter(manager: Manager) {
  const { clock, informers } = manager;
  const controller = manager.controller({
    for: greetings,
    reconcile: async (_key, { client, object, signal }) => {
      if (object === undefined) return;
      const { name, namespace } = object.metadata;
      const ownerReferences = [controllerReference(object, greetings)];
      const data = { message: object.spec.message };
      const wanted = { metadata: { namespace, name, ownerReferences }, data };
      await client.resource(configmaps).apply(wanted, { force: true, signal });
      const ready = {
        type: "Ready",
        status: "True",
        reason: "Applied",
        message: "Written",
      } as const;
      await writeStatus(client.resource(greetings), object, ({ status }) => ({
        conditions: setCondition(status?.conditions, ready, { clock }),
      }));
    },
  });
  controller.owns(informers.informer(configmaps));
  return manager;
}

await using cluster = await testCluster({ definitions: [definition] });
const { client, server } = cluster;
const options = { name: "greeter", client: { fieldManager: "greeter" } };
cluster.run("greeter", (signal) => addGreeter(cluster.manager(options)).run(signal));

// The server fails twice, and then loses an answer.
const match = { resource: "configmaps", verb: "patch" } as const;
server.control.faults.add({ match, action: { type: "status", status: { code: 500 } }, times: 2 });
server.control.faults.add({ match, action: { type: "commitThenFail" } });

const metadata = { namespace: "default", name: "hello" };
await client.resource(greetings).create({ metadata, spec: { message: "Hello" } });
await cluster.until((state) => isConditionTrue(state.get(greetings, "default/hello"), "Ready"));
server.control.faults.assertConsumed();
console.log("ready in spite of three faults");

await client.resource(configmaps).delete("default/hello");
await cluster.until(
  (state) => state.get(configmaps, "default/hello")?.data?.["message"] === "Hello",
);
console.log("the deleted config map is written again");
