// The cluster of the tests, and what users do to it in a simulation.
import { createManager, isConditionTrue } from "listwatch";
import { configmaps } from "listwatch/resources/core/v1";
import { readManifests, type Scenario } from "listwatch/testing";
import { greetings } from "../src/greetings.generated.ts";
import { addController, program, webhooks } from "../src/operator.ts";

const folder = `${import.meta.dirname}/../manifests`;

/** The definition, and the operator's account with the rights that it has in a real cluster. */
export const world = {
  account: "greeter/greeter",
  definitions: await readManifests(`${folder}/definition.yaml`),
  objects: await readManifests(`${folder}/rbac.yaml`),
};

/** The configuration of the webhooks, as it is applied to a cluster. */
export const configurations = (await readManifests(`${folder}/operator.yaml`)).filter(
  ({ kind }) => kind === "ValidatingWebhookConfiguration",
);

/** A cluster that calls the webhooks. */
export const withWebhooks = {
  ...world,
  objects: [
    ...world.objects,
    ...configurations,
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } },
  ],
  server: { webhooks: { fetch: webhooks } },
};

const keys = ["team/hello", "team/goodbye"] as const;

/** Two replicas, users at random times, and what must be true some time after the last fault. */
export const scenario: Scenario = {
  ...world,
  name: "two replicas with faults",
  replicas: 2,
  start: async ({ clock, connection, identity, log, random, signal }) => {
    const manager = createManager(connection, {
      name: program,
      election: { identity },
      client: { fieldManager: program },
      signals: false,
      server: false,
      telemetry: { log },
      clock,
      random,
    });
    await addController(manager).run(signal);
  },
  actions: {
    create: ({ client, random }) => {
      const metadata = { namespace: "team", name: draw(["hello", "goodbye"], random) };
      const spec = { message: `Hello ${random()}` };
      return client.resource(greetings).create({ metadata, spec });
    },
    change: ({ client, random }) => {
      const spec = { message: `Hello ${random()}` };
      return client.resource(greetings).patch(draw(keys, random), { spec });
    },
    delete: ({ client, random }) => client.resource(greetings).delete(draw(keys, random)),
    edit: ({ client, random }) =>
      client.resource(configmaps).patch(draw(keys, random), { data: { message: "edited" } }),
  },
  eventually: {
    "each config map has the message of its object": (state) =>
      keys.every((key) => {
        const message = state.get(greetings, key)?.spec.message;
        return state.get(configmaps, key)?.data?.["message"] === message;
      }),
    "each object is ready": (state) =>
      state.list(greetings).every((object) => isConditionTrue(object, "Ready")),
  },
};

function draw<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}
