import { createClient } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";
import {
  applyWebhookConfigurations,
  mutating,
  routeWebhooks,
  validating,
  webhookConfigurations,
} from "listwatch/webhooks";

const handle = routeWebhooks([
  mutating(configmaps, ({ object, user }) => {
    object.metadata.labels = { ...object.metadata.labels, owner: user.username.replace(":", "-") };
  }),
  validating(configmaps, (review) => {
    const { data = {} } = review.object;
    if ("password" in data) review.deny("a password belongs into a Secret", { code: 422 });
    if (Object.keys(data).length === 0) review.warn("the ConfigMap is empty");
  }),
]);

const server = new FakeApiServer({ webhooks: { fetch: handle } }); // instead of a cluster
const connection = { server: "http://cluster", namespace: "default", fetch: server.fetch };
const onWarning = ({ text }: { text: string }) => console.log("warning:", text);
const client = createClient(connection, { fieldManager: "my-operator", onWarning });
await applyWebhookConfigurations(
  client,
  webhookConfigurations(handle.handlers, {
    name: "my-operator",
    service: { namespace: "operators", name: "my-operator" },
  }),
);

const maps = client.resource(configmaps).in("default");
const { metadata } = await maps.create({ metadata: { name: "empty" } });
console.log("labels:", JSON.stringify(metadata.labels));
await maps
  .create({ metadata: { name: "login" }, data: { password: "1234" } })
  .catch((error: Error) => console.log(error.message));
