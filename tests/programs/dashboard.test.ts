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
import { eventStreamSource } from "listwatch/streams";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { createPodTable, startDashboard } from "./dashboard.ts";

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
  await using dashboard = await startDashboard({ connection, clock, authorize: () => true });
  const read = async (path: string): Promise<unknown> =>
    (await dashboard.fetch(new Request(`http://dashboard${path}`))).json();
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

test("streams the pods that a user may see, and their changes, until the page is closed", async () => {
  const { clock, connection, podClient } = await startServer();
  await using dashboard = await startDashboard({
    connection,
    clock,
    authorize: ({ headers }) => ({ namespaces: [headers.get("x-team") ?? ""] }),
  });
  const openPage = (team: string) => {
    const stream = eventStreamSource("http://dashboard/stream", {
      clock,
      fetch: (url, init) => dashboard.fetch(new Request(url, init)),
      headers: () => ({ "x-team": team }),
    });
    const table = createPodTable(stream, clock);
    const running = table.run();
    const names = (node: string): (string | undefined)[] =>
      table.store.byIndex("node", node).map((pod) => pod.metadata.name);
    return { names, running, table };
  };
  const page = openPage("default");
  const other = openPage("other");
  await clock.advance(0);
  expect(page.names("worker-1")).toEqual(["web-0", "web-1"]);
  expect(page.names("unassigned")).toEqual(["lonely"]);
  expect([other.table.hasSynced, other.table.store.size]).toEqual([true, 0]);

  await podClient.delete("lonely");
  await makeReady(podClient, "web-1");
  await podClient.delete("web-0");
  await clock.advance(60_000);
  expect(page.names("worker-1")).toEqual(["web-1"]);
  expect(page.names("unassigned")).toEqual([]);
  expect(page.table.store.getByKey("default/web-1")?.status.phase).toBe("Running");
  for (const { running, table } of [page, other]) {
    await table[Symbol.asyncDispose]();
    await running;
  }
});
