// Runs the exec plugin of its argument, as a program at a terminal or without one.
import { createClusterConnection } from "@listwatch/client/node";

const [command = ""] = process.argv.slice(2);
const exec = {
  apiVersion: "client.authentication.k8s.io/v1",
  command,
  args: [],
  env: {},
  installHint: undefined,
  cluster: undefined,
};
// Nothing listens there: the plugin runs before the request.
const config = { origin: "test", server: "http://127.0.0.1:9", user: { exec } };
const connection = createClusterConnection(config);
await connection.fetch(new Request(`${connection.server}/who`)).catch(() => undefined);
