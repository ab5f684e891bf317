import { createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods } from "listwatch/resources/core/v1";

export const spec = { containers: [{ name: "web", image: "nginx" }] };

/** Starts an informer of a server with the pod web-0, and waits for its sync. */
export async function startInformer() {
  const server = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const client = createClient(connection).in("default").resource(pods);
  await client.create({ metadata: { name: "web-0" }, spec });
  const factory = new SharedInformerFactory({ connection });
  const informer = factory.informer(pods);
  factory.start();
  await informer.synced;
  return { server, client, informer, stop: () => factory[Symbol.asyncDispose]() };
}
