// An operator that tests kill, stop and cut off from its server. Arguments: namespace, identity,
// and `leads` for an election. A reconcile of the map `slow` waits for the end of the program.
import { once } from "node:events";
import { createManager } from "@listwatch/manager";
import { connect } from "listwatch/node";
import { configMaps } from "./cluster.ts";

const [namespace = "", identity = "", role] = process.argv.slice(2);
// Short, because a test waits for the end of a lease; long enough for two busy cores.
const limits = { leaseDurationMs: 6000, renewDeadlineMs: 4000, retryPeriodMs: 500 };
await using connection = await connect();
const manager = createManager(connection, {
  name: "operator",
  namespaces: [namespace],
  server: { port: 0, host: "127.0.0.1" },
  election: role === "leads" && { identity, limits },
});
manager.controller({
  for: configMaps,
  name: "maps",
  reconcile: async (key, { client, object, signal }) => {
    if (object === undefined || object.data?.["by"] !== undefined) return;
    console.log("reconciles", key);
    if (key.endsWith("/slow")) await Promise.race([once(process, "SIGTERM"), aborted(signal)]);
    await client.resource(configMaps).patch(key, { data: { by: identity } }, { signal });
    console.log("reconciled", key);
  },
});

const end = await manager.run().catch((error: unknown) => ({ code: Object(error).code }));
console.log("ended", JSON.stringify(end));

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
