// The program: connects to the cluster of its pod, or of kubectl, and runs until SIGTERM.
import { createManager } from "listwatch";
import { connect } from "listwatch/node";
import { serveWebhooks } from "listwatch/webhooks/node";
import { addController, program, webhookCertificates, webhooks } from "./operator.ts";

const connection = await connect();
const namespace = connection.namespace ?? "default";
const manager = createManager(connection, {
  name: program,
  election: { namespace },
  client: { fieldManager: program },
});
addController(manager);
const certificates = webhookCertificates(manager, namespace);
manager.webhooks((signal) => serveWebhooks(webhooks, { certificates, signal }));
await manager.run();
