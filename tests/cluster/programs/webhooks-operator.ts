// Webhooks of an operator that makes its own certificates, with a process for each replica. The
// fake API server passes the same checks in the tests of the package.
import { createClient } from "@listwatch/client";
import { connect } from "listwatch/node";
import { checkWebhookOperator } from "../../support/webhook-operator.ts";
import { check } from "./checks.ts";
import { readClusterInfo } from "./cluster.ts";
import { startReplicaProcess } from "./replica-process.ts";

const { runtime } = readClusterInfo();

await using cluster = await connect();
const notes = await checkWebhookOperator(createClient(cluster), check, {
  suffix: runtime,
  pauseMs: 30,
  startReplica: (settings, events) => startReplicaProcess(runtime, settings, events),
});
for (const note of notes) console.log(`note ${note}`);
