// A program as it runs in a pod; its argument is the folder of the service account. It prints what
// the server says of its request. Node 22 runs it too, which knows no `await using`.
import { createClusterConnection, inClusterConfig } from "@listwatch/client/node";

const folder = process.argv[2];
const connection = createClusterConnection(await inClusterConfig({ folder }));
try {
  const response = await connection.fetch(new Request(`${connection.server}/who`));
  console.log(connection.namespace, JSON.stringify(await response.json()));
} finally {
  await connection[Symbol.asyncDispose]();
}
