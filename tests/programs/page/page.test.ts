import { createClient, createConnection, type Connection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { deployments } from "listwatch/resources/apps/v1";
import { pods } from "listwatch/resources/core/v1";
import { expect, test } from "vitest";
import { openPage } from "./page.ts";

const labels = { app: "web" };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: "web", image: "nginx" }] },
};

/** A server in the page, with a deployment and one of its pods. */
async function startServer() {
  const server = new FakeApiServer({ seed: 1 });
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const client = createClient(connection).in("default");
  await client.resource(deployments).create({
    metadata: { name: "web" },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  await client.resource(pods).create({ metadata: { name: "web-b", labels }, spec: template.spec });
  return { client, connection, server };
}

/** Opens the page; `shows` resolves when it has these texts. */
async function open(connection: Connection) {
  const root = document.createElement("main");
  document.body.append(root);
  const page = await openPage(root, connection);
  const textsNow = (): string =>
    [...root.childNodes].map((node) => texts(node).join(" | ")).join("\n");
  const shows = (expected: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (textsNow() !== expected) return;
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(look);
      observer.observe(root, { childList: true });
      look();
    });
  return { page, root, shows };
}

function texts(node: Node): string[] {
  if (!(node instanceof HTMLElement)) return [node.textContent ?? ""];
  return [...node.querySelectorAll("h2, li")].map(({ textContent }) => textContent ?? "");
}

test("shows deployments with their pods, and their changes", async () => {
  const { client, connection } = await startServer();
  const { page, root, shows } = await open(connection);
  await shows("default/web: waiting | web-b Pending");
  const deployment = await client.resource(deployments).get("web");
  expect(root.firstElementChild?.id).toBe(deployment.metadata.uid);

  await client.resource(pods).create({ metadata: { name: "web-a", labels }, spec: template.spec });
  await client.resource(pods).create({ metadata: { name: "db-0" }, spec: template.spec });
  await client.resource(deployments).patchStatus("web", {
    status: { conditions: [{ type: "Progressing", status: "True", message: "1 of 2 pods" }] },
  });
  await shows("default/web: 1 of 2 pods | web-a Pending | web-b Pending");

  const conditions = [{ type: "Ready", status: "True" }];
  await client.resource(pods).patchStatus("web-a", { status: { phase: "Running", conditions } });
  await client.resource(pods).delete("web-b");
  const counts = { replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
  await client
    .resource(deployments)
    .patchStatus("web", { status: { observedGeneration: 1, ...counts } });
  await shows("default/web: rolled out | web-a ready");
  await page[Symbol.asyncDispose]();
});

test("shows a banner while the server is away", async () => {
  const { connection, server } = await startServer();
  const { page, root, shows } = await open(connection);
  server.control.shutdown();
  await shows("Reconnecting (serverError)\ndefault/web: waiting | web-b Pending");
  server.control.start();
  await shows("default/web: waiting | web-b Pending");
  expect(root.childNodes.length).toBe(1);
  await page[Symbol.asyncDispose]();
});
