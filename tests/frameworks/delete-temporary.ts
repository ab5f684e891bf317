import { createClient, type Connection } from "listwatch";
import { configmaps } from "listwatch/resources/core/v1";

/** Deletes the temporary config maps of a namespace; returns their names. */
export async function deleteTemporary(connection: Connection, namespace: string) {
  const client = createClient(connection).resource(configmaps);
  const { items } = await client.list({ namespace, labelSelector: "temporary=yes" });
  for (const { metadata } of items) await client.delete(`${namespace}/${metadata.name}`);
  return items.map(({ metadata }) => metadata.name);
}
