// The operator in a cluster on simulated time: minutes pass in milliseconds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf, isConditionTrue } from "listwatch";
import { validatingwebhookconfigurations } from "listwatch/resources/admissionregistration.k8s.io/v1";
import { configmaps } from "listwatch/resources/core/v1";
import { matchers, withTestCluster, type TestCluster } from "listwatch/testing";
import { greetings } from "../src/greetings.generated.ts";
import { addController, configurationsIn, program, webhookCertificates } from "../src/operator.ts";
import { configurations, withWebhooks, world } from "./world.ts";

const metadata = { namespace: "team", name: "hello" } as const;
const key = "team/hello";
const hello = { metadata, spec: { message: "Hello" } };

/** A test with a running operator. */
const withOperator = (body: (cluster: TestCluster) => Promise<void>) =>
  withTestCluster(world, async (cluster) => {
    const manager = cluster.manager({
      name: program,
      election: {},
      client: { fieldManager: program },
    });
    cluster.run(program, (signal) => addController(manager).run(signal));
    await body(cluster);
  });

/** Waits until the config map has the message. */
const untilSaid = (cluster: TestCluster, message: string) =>
  cluster.until((state) => state.get(configmaps, key)?.data?.["message"] === message);

test(
  "writes the message to a config map, and reports it",
  withOperator(async (cluster) => {
    await cluster.client.resource(greetings).create(hello);
    await untilSaid(cluster, "Hello");
    await cluster.until((state) => isConditionTrue(state.get(greetings, key), "Ready"));
    await cluster.until((state) => matchers.toHaveEvent(state, { reason: "Applied" }).pass);
  }),
);

test(
  "follows changes of the message and of the config map",
  withOperator(async (cluster) => {
    await cluster.client.resource(greetings).create(hello);
    await untilSaid(cluster, "Hello");
    await cluster.client.resource(greetings).patch(key, { spec: { message: "Goodbye" } });
    await untilSaid(cluster, "Goodbye");
    await cluster.client.resource(configmaps).patch(key, { data: { message: "edited" } });
    await untilSaid(cluster, "Goodbye");
    await cluster.client.resource(configmaps).delete(key);
    await untilSaid(cluster, "Goodbye");
  }),
);

test(
  "leaves a config map of others alone, and takes the name when it is free",
  withOperator(async (cluster) => {
    await cluster.client.resource(configmaps).create({ metadata, data: { message: "mine" } });
    await cluster.client.resource(greetings).create(hello);
    await cluster.until(
      (state) => conditionOf(state.get(greetings, key), "Ready")?.reason === "NameTaken",
    );
    await untilSaid(cluster, "mine");
    await cluster.client.resource(configmaps).delete(key);
    await untilSaid(cluster, "Hello");
  }),
);

test(
  "takes its config map along when it is deleted",
  withOperator(async (cluster) => {
    await cluster.client.resource(greetings).create(hello);
    await untilSaid(cluster, "Hello");
    await cluster.client.resource(greetings).delete(key);
    await cluster.until((state) => state.get(configmaps, key) === undefined);
  }),
);

test(
  "tries again when the server fails, and when its answer is lost",
  withOperator(async (cluster) => {
    const { faults } = cluster.server.control;
    const match = { resource: "configmaps", verb: "patch" } as const;
    faults.add({ match, action: { type: "status", status: { code: 500 } }, times: 2 });
    faults.add({ match, action: { type: "commitThenFail" } });
    await cluster.client.resource(greetings).create(hello);
    await untilSaid(cluster, "Hello");
    faults.assertConsumed();
  }),
);

test(
  "makes the certificate of its webhooks",
  withTestCluster(withWebhooks, async (cluster) => {
    const manager = cluster.manager({
      name: program,
      election: {},
      client: { fieldManager: program },
    });
    const certificates = webhookCertificates(manager, "greeter");
    cluster.run(program, (signal) => manager.run(signal));
    cluster.run("certificates", (signal) => certificates.run(signal));
    await cluster.until((state) => {
      const caBundle = state.get(validatingwebhookconfigurations, program)?.webhooks?.[0]
        ?.clientConfig.caBundle;
      return certificates.current !== undefined && caBundle !== undefined;
    });
  }),
);

test(
  "refuses a message of spaces",
  withTestCluster(withWebhooks, async ({ client }) => {
    const spaces = client.resource(greetings).create({ metadata, spec: { message: "  " } });
    await assert.rejects(spaces, /expected a text, got spaces only/);
    await client.resource(greetings).create(hello);
  }),
);

test("the manifest has the webhooks of the code", () => {
  assert.deepEqual(configurations, [configurationsIn("greeter").validating]);
});
