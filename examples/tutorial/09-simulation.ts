// The operator in ten clusters that fail in every way they can.
import {
  controllerReference,
  createManager,
  defineResource,
  setCondition,
  writeStatus,
  type StatusCondition,
  type Manager,
} from "listwatch";
import { simulate, type Scenario } from "listwatch/testing";
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

const key = "default/hello";
const scenario: Scenario = {
  name: "greeter",
  definitions: [definition],
  start: async ({ clock, connection, log, random, signal }) => {
    const manager = createManager(connection, {
      name: "greeter",
      client: { fieldManager: "greeter" },
      signals: false,
      server: false,
      telemetry: { log },
      clock,
      random,
    });
    await addGreeter(manager).run(signal);
  },
  actions: {
    create: ({ client }) => {
      const metadata = { namespace: "default", name: "hello" };
      return client.resource(greetings).create({ metadata, spec: { message: "Hello" } });
    },
    change: ({ client, random }) =>
      client.resource(greetings).patch(key, { spec: { message: `Hello ${random()}` } }),
    edit: ({ client }) => client.resource(configmaps).patch(key, { data: { message: "edited" } }),
    delete: ({ client }) => client.resource(greetings).delete(key),
  },
  eventually: {
    "the config map has the message": (state) =>
      state.get(configmaps, key)?.data?.["message"] === state.get(greetings, key)?.spec.message,
  },
};
const report = await simulate(scenario, { seeds: 10 });
console.log(report.runs, "runs, and the config map had the message after each");
