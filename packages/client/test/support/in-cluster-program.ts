// A program that runs like one in a pod. Its argument is the service account's folder. It prints
// the server's answer. Node 22, which lacks `await using`, runs it too.
import { createClusterConnection, inClusterConfig } from "@listwatch/client/node";

const folder = process.argv[2];
const connection = createClusterConnection(await inClusterConfig({ folder }));
try {
  const response = await connection.fetch(new Request(`${connection.server}/who`));
  console.log(connection.namespace, JSON.stringify(await response.json()));
} finally {
  await connection[Symbol.asyncDispose]();
}
