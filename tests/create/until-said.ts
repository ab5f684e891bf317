import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, isAlreadyExists, type Connection } from "@listwatch/client";
import { configmaps, namespaces } from "@listwatch/resources/core/v1";
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

/**
 * Waits until the API server calls the webhook, which refuses a message of spaces.
 *
 * @throws {Error} if that takes too long
 */
export async function untilSpacesAreRefused(kubeconfig: string): Promise<void> {
  await using connection = await connect({ paths: [kubeconfig] });
  const api = createClient(connection, { retries: 0 }).resource(policies);
  const endMs = Date.now() + startLimitMs;
  let last = "the patch is accepted";
  while (Date.now() < endMs) {
    try {
      await api.patch("team/hello", { spec: { message: "  " } }, { dryRun: true });
    } catch (error) {
      last = String(error);
      if (last.includes("expected a text, got spaces only")) return;
    }
    await delay(200);
  }
  throw new Error(`the webhook does not refuse a message of spaces: ${last}`);
}

/** Creates the object if it is not there. Returns the message of its config map. */
async function say(connection: Connection, message: string): Promise<string | undefined> {
  const client = createClient(connection, { retries: 0 });
  const metadata = { namespace: "team", name: "hello" };
  // Not the namespace of the operator, whose objects its webhook does not review.
  await createIfAbsent(client.resource(namespaces).create({ metadata: { name: "team" } }));
  await createIfAbsent(
    client
      .resource(policies)
      .create({ apiVersion: "acme.io/v1", kind: "BackupPolicy", metadata, spec: { message } }),
  );
  const configMap = await client.resource(configmaps).get("team/hello");
  return configMap.data?.["message"];
}

async function createIfAbsent(create: Promise<unknown>): Promise<void> {
  try {
    await create;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
