import { configmaps } from "listwatch/resources/core/v1";
import { testCluster } from "listwatch/testing";

const prices = new Map<string, string>(); // a system outside of the cluster
const queue = new TransformStream<string, string>(); // its messages, each the name of an item
const tea = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "tea" } };
await using cluster = await testCluster({ objects: [tea] });
const manager = cluster.manager({ name: "prices", client: { fieldManager: "prices" } });
const maps = manager.client.resource(configmaps);

const controller = manager.controller({
  for: configmaps,
  reconcile: async (_key, { client, object, signal }) => {
    if (object?.metadata.namespace !== "shop") return undefined;
    const { name, namespace } = object.metadata;
    const data = { price: prices.get(name) ?? "" }; // a request to that system
    await client.resource(configmaps).apply({ metadata: { name, namespace }, data }, { signal });
    return { requeueAfterMs: 3_600_000 }; // the timer: each object once an hour
  },
});
manager.add({
  name: "queue",
  needsLeader: true, // Only the leader takes messages.
  run: async (signal) => {
    const messages = queue.readable.getReader();
    signal.addEventListener("abort", () => void messages.cancel());
    for (let next = await messages.read(); !next.done; next = await messages.read()) {
      controller.add(`shop/${next.value}`);
    }
  },
});
/** The webhook, which any replica may receive: it changes the object, so that the leader sees it. */
async function handle(request: Request): Promise<Response> {
  const annotations = { "example.com/changed": `${manager.clock.now()}` };
  await maps.patch(`shop/${await request.text()}`, { metadata: { annotations } });
  return new Response(null, { status: 202 });
}

async function change(price: string, tell: () => Promise<unknown>) {
  prices.set("tea", price);
  await tell();
  const isWritten = () => cluster.get(configmaps, "shop/tea")?.data?.["price"] === price;
  await cluster.until(isWritten, { timeoutMs: 3_600_000 });
  console.log(price, "is written at", new Date(cluster.nowMs).toISOString().slice(11, 16));
}
cluster.run("prices", (signal) => manager.run(signal));
await change("3", async () => undefined);
await change("4", () => queue.writable.getWriter().write("tea"));
await change("5", () => handle(new Request("http://prices", { method: "POST", body: "tea" })));
await change("6", async () => undefined); // no message: the timer
