import assert from "node:assert/strict";
import { test } from "node:test";
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

void test("deletes temporary config maps and no others", async () => {
  const { connection, client } = await startServer();
  assert.deepEqual(await deleteTemporary(connection, "default"), ["old"]);
  const { items } = await client.list({ namespace: "default" });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ["kept"],
  );
});

void test("retries when the server is busy", async () => {
  const { server, connection } = await startServer();
  server.control.faults.add({
    match: { verb: "delete" },
    action: { type: "status", status: { code: 429, retryAfterSeconds: 0 } },
    times: 1,
  });
  assert.deepEqual(await deleteTemporary(connection, "default"), ["old"]);
  server.control.faults.assertConsumed();
});
