// Webhooks of an operator that makes its own certificates, called by the fake API server, with
// replicas in this process, and then by a real one, with replicas in processes of their own.
import { createClient } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { connect } from "listwatch/node";
import { checkWebhookOperator } from "../../support/webhook-operator.ts";
import { check } from "./checks.ts";
import { readClusterInfo } from "./cluster.ts";
import { startReplicaProcess } from "./replica-process.ts";

const { runtime } = readClusterInfo();

const fake = new FakeApiServer();
const connection = { server: "http://fake", namespace: "default", fetch: fake.fetch };
await checkWebhookOperator(createClient(connection), runtime, (name, run, limitMs) =>
  check(`fake: ${name}`, run, limitMs),
);

await using cluster = await connect();
await checkWebhookOperator(createClient(cluster), runtime, check, (settings, events) =>
  startReplicaProcess(runtime, settings, events),
);
