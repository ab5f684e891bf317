// Tests of webhooks: the cluster calls the handlers without a socket and a certificate.
import { configmaps } from "listwatch/resources/core/v1";
import { testCluster } from "listwatch/testing";
import {
  applyWebhookConfigurations,
  routeWebhooks,
  validating,
  webhookConfigurations,
} from "listwatch/webhooks";

const handle = routeWebhooks([
  validating(configmaps, (review) => {
    if (review.object.data?.["color"] === undefined) review.deny("a color is missing");
  }),
]);
const service = { namespace: "operators", name: "colors" };
const configurations = webhookConfigurations(handle.handlers, { name: "colors", service });

let isAway = false;
async function fetch(request: Request): Promise<Response> {
  if (isAway) throw new TypeError("connection refused");
  return handle(request);
}
await using cluster = await testCluster({ server: { webhooks: { fetch } } });
await applyWebhookConfigurations(cluster.client, configurations, { fieldManager: "test" });
const maps = cluster.client.resource(configmaps).in("default");
const failed = (error: Error) => console.log(error.message);

await maps.create({ metadata: { name: "none" } }).catch(failed);
const { data } = await maps.create({ metadata: { name: "red" }, data: { color: "red" } });
console.log("stored:", JSON.stringify(data));

isAway = true; // With the policy "Fail", a webhook that is away refuses writes.
await maps.create({ metadata: { name: "blue" }, data: { color: "blue" } }).catch(failed);
