import {
  createClient,
  isNotFound,
  isStatusError,
  type Client,
  type Connection,
} from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { namespaces, type Loose } from "./programs/cluster.ts";

/**
 * Finishes the deletion of namespaces, like a cluster's controller manager. Without it they would
 * remain forever. Runs until the signal is aborted.
 */
export async function runNamespaceController(
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  // It deletes everything, including objects about to be deleted.
  const client = createClient(connection, { onWarning: () => {} });
  // Servers are killed while it runs.
  const log = silentLog;
  await using factory = new SharedInformerFactory({ connection, log });
  const controller = new Controller({
    name: "namespaces",
    telemetry: { log },
    informer: factory.informer(namespaces),
    reconcile: async (_key, { object }) => {
      if (object?.metadata.deletionTimestamp !== undefined) await end(client, object);
    },
  });
  factory.start();
  await controller.run(signal);
}

async function end(client: Client, { metadata }: Pick<Loose, "metadata">): Promise<void> {
  const { name = "" } = metadata;
  const { resources } = await client.discovery.resources();
  for (const resource of resources) {
    const { scope, verbs } = resource;
    if (scope !== "Namespaced" || !verbs.includes("deletecollection")) continue;
    const options = { namespace: name, all: true, gracePeriodSeconds: 0 };
    await client.resource(resource).deleteCollection(options).catch(ignoreRefusal);
  }
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: {} };
  const path = `/api/v1/namespaces/${name}/finalize`;
  await client.request({ method: "PUT", path, body }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** Some resources can be listed but not deleted. */
function ignoreRefusal(error: unknown): void {
  if (!isStatusError(error) || error.httpCode >= 500) throw error;
}
