// A replica in a separate process. It prints `port`, `authority` and `dryRun` with their values
// in JSON, and ends at SIGTERM as a pod does.
import { createClient } from "@listwatch/client";
import { connect } from "listwatch/node";
import { type ReplicaSettings, serveReplica } from "../../support/webhook-replica.ts";
import { replicaVariable } from "./replica-process.ts";

const settings = JSON.parse(process.env[replicaVariable] ?? "{}") as ReplicaSettings;
const print = (event: string, value: unknown): void => {
  console.log(`${event} ${JSON.stringify(value)}`);
};
const connection = await connect();
const server = await serveReplica(createClient(connection), settings, {
  authority: (authority) => print("authority", authority),
  dryRun: () => print("dryRun", true),
});
process.once("SIGTERM", () => {
  void server.close().then(() => process.exit(0));
});
print("port", server.port);
