// Tests of controller.mjs, which finds the fake API server by its kubeconfig.
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { check, until } from "./checks.mjs";
import { startController } from "./controller.mjs";

const config = new KubeConfig();
config.loadFromDefault();
const namespace = "default";
const core = config.makeApiClient(CoreV1Api);

/** Sends a request to the server control. */
async function control(path, body = {}) {
  const url = `${config.getCurrentCluster().server}/__control/${path}`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

async function isChecked(name) {
  const { metadata } = await core.readNamespacedConfigMap({ name, namespace });
  return metadata.labels?.checked === "yes";
}

const create = (name) =>
  core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });

const stop = await startController(config, namespace);

await check("a new object gets its label", async () => {
  await create("first");
  await until("the label", () => isChecked("first"));
});

await check("429: a write that is refused is sent again", async () => {
  const match = { verb: "patch", resource: "configmaps", name: "second" };
  const action = { type: "status", status: { code: 429, retryAfterSeconds: 1 } };
  await control("faults", { match, action, times: 2 });
  await create("second");
  await until("the label", () => isChecked("second"));
  await control("faults/assert-consumed");
});

await check("410: after an expired history the controller goes on", async () => {
  await control("revision/advance");
  await control("compact");
  await control("watches/reset");
  await create("third");
  await until("the label", () => isChecked("third"));
});

await stop();
