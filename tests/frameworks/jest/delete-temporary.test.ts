import { expect, test } from "@jest/globals";
import { createClient, createConnection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";
import { deleteTemporary } from "../delete-temporary.ts";

async function startServer() {
  const server = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const client = createClient(connection).resource(configmaps);
  const namespace = "default";
  await client.create({ metadata: { namespace, name: "kept" } });
  await client.create({ metadata: { namespace, name: "old", labels: { temporary: "yes" } } });
  return { server, connection, client };
}

test("deletes temporary config maps and no others", async () => {
  const { connection, client } = await startServer();
  expect(await deleteTemporary(connection, "default")).toEqual(["old"]);
  const { items } = await client.list({ namespace: "default" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["kept"]);
});

test("retries when the server is busy", async () => {
  const { server, connection } = await startServer();
  server.control.faults.add({
    match: { verb: "delete" },
    action: { type: "status", status: { code: 429, retryAfterSeconds: 0 } },
    times: 1,
  });
  expect(await deleteTemporary(connection, "default")).toEqual(["old"]);
  server.control.faults.assertConsumed();
});
