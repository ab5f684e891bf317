import {
  controllerReference,
  createClient,
  createConnection,
  type Draft,
  type ResourceClient,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { replicasets } from "listwatch/resources/apps/v1";
import { pods, type Pod } from "listwatch/resources/core/v1";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { startDashboard } from "./dashboard.ts";

const spec = { containers: [{ name: "web", image: "nginx" }] };

/** A server with two replicas of one owner on a node, and a pod without a node. */
async function startServer() {
  const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  const server = new FakeApiServer({ clock, seed: 1 });
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const client = createClient(connection, { clock }).in("default");
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec };
  const owner = await client.resource(replicasets).create({
    metadata: { name: "web" },
    spec: { selector: { matchLabels: labels }, template },
  });
  const ownerReferences = [controllerReference(owner, replicasets)];
  const podClient = client.resource(pods);
  const replica = (name: string): Draft<Pod> => ({
    metadata: { name, labels, ownerReferences },
    spec: { ...spec, nodeName: "worker-1" },
  });
  await podClient.create(replica("web-0"));
  await clock.advance(60_000);
  await podClient.create(replica("web-1"));
  await podClient.create({ metadata: { name: "lonely" }, spec });
  return { clock, connection, podClient };
}

async function makeReady(podClient: ResourceClient<Pod>, key: string): Promise<void> {
  const conditions = [{ type: "Ready", status: "True" }];
  await podClient.patchStatus(key, { status: { phase: "Running", conditions } });
}

test("shows the pods of a node, the newest first, and those with the same owner", async () => {
  const { clock, connection } = await startServer();
  await using dashboard = await startDashboard({ connection, clock });
  const read = async (path: string): Promise<unknown> =>
    dashboard.fetch(new Request(`http://dashboard${path}`)).json();
  const common = { node: "worker-1", phase: "Pending", isReady: false, owner: "web" };
  expect(await read("/rows?node=worker-1")).toEqual({
    rows: [
      { key: "default/web-1", ageSeconds: 0, ...common },
      { key: "default/web-0", ageSeconds: 60, ...common },
    ],
  });
  expect(await read("/rows")).toMatchObject({ rows: [{ key: "default/lonely", owner: "" }] });
  expect(await read("/siblings?pod=default/web-0")).toEqual(["web-0", "web-1"]);
  expect(await read("/siblings?pod=default/lonely")).toEqual([]);
});

test("streams the pods of a node, and then their changes, until the page is closed", async () => {
  const { clock, connection, podClient } = await startServer();
  await using dashboard = await startDashboard({ connection, clock });
  const { body, headers } = dashboard.fetch(new Request("http://dashboard/events?node=worker-1"));
  expect(headers.get("content-type")).toBe("text/event-stream");
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string> => {
    const text = (await reader?.read())?.value ?? "";
    return text.replaceAll(/"(?:node|phase|ageSeconds|owner)":[^,}]+,?/g, "").trim();
  };
  expect(await next()).toBe('event: add\ndata: {"key":"default/web-0","isReady":false,}');
  expect(await next()).toBe('event: add\ndata: {"key":"default/web-1","isReady":false,}');
  await podClient.delete("lonely");
  await makeReady(podClient, "web-1");
  expect(await next()).toBe('event: update\ndata: {"key":"default/web-1","isReady":true,}');
  await podClient.delete("web-0");
  // The server first marks it as terminating, which a page that reads slowly does not see.
  let text = await next();
  if (text.startsWith("event: update")) text = await next();
  expect(text).toBe('event: delete\ndata: {"key":"default/web-0"}');
  await reader?.cancel();
});
