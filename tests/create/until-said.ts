import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, isAlreadyExists, type Connection } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import { connect } from "listwatch/node";

const startLimitMs = 180_000;

const policies = {
  group: "acme.io",
  version: "v1",
  resource: "backuppolicies",
  kind: "BackupPolicy",
} as const;

/**
 * Creates an object, and waits until the operator has written its config map.
 *
 * @throws {Error} if that takes too long
 */
export async function untilSaid({
  kubeconfig,
  folder,
}: {
  readonly kubeconfig: string;
  readonly folder: string;
}): Promise<void> {
  const endMs = Date.now() + startLimitMs;
  let last: unknown = `there is no ${kubeconfig} in ${folder}`;
  while (Date.now() < endMs) {
    if (existsSync(kubeconfig)) {
      try {
        await using connection = await connect({ paths: [kubeconfig] });
        if ((await say(connection, "Hello")) === "Hello") return;
        last = "no config map has the message";
      } catch (error) {
        last = error;
      }
    }
    await delay(200);
  }
  throw new Error(`the operator has not done its work: ${String(last)}`);
}

/** Creates the object if it is not there. Returns the message of its config map. */
async function say(connection: Connection, message: string): Promise<string | undefined> {
  const client = createClient(connection, { retries: 0 });
  const metadata = { namespace: "default", name: "hello" };
  await client
    .resource(policies)
    .create({ apiVersion: "acme.io/v1", kind: "BackupPolicy", metadata, spec: { message } })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  const configMap = await client.resource(configmaps).get("default/hello");
  return configMap.data?.["message"];
}
