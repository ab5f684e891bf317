// The program: connects to the cluster of its pod, or of kubectl, and runs until SIGTERM.
import { createManager } from "listwatch";
import { connect } from "listwatch/node";
import { certificatesFromFiles, serveWebhooks } from "listwatch/webhooks/node";
import { addController, program, webhooks } from "./operator.ts";

const connection = await connect();
const manager = createManager(connection, {
  name: program,
  election: { namespace: connection.namespace ?? "default" },
  client: { fieldManager: program },
});
addController(manager);

// A folder with tls.crt and tls.key. Without it, such as on your machine, no webhooks are served.
const folder = process.env["WEBHOOK_CERTIFICATES"];
if (folder !== undefined) {
  const certificates = certificatesFromFiles({
    certificate: `${folder}/tls.crt`,
    key: `${folder}/tls.key`,
  });
  manager.webhooks((signal) => serveWebhooks(webhooks, { certificates, signal }));
}

await manager.run();
