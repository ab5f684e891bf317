import { createConnection } from "@listwatch/client";

import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { createManager, type ManagerOptions } from "@listwatch/manager";
import { afterEach, describe, expect, test } from "vitest";
import { LineLog } from "./support/lines.ts";
import { read } from "./support/pages.ts";

const reader = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "metrics-reader" },
  rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
};
const binding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "metrics-reader" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "metrics-reader" },
  subjects: [{ kind: "User", name: "prometheus", apiGroup: "rbac.authorization.k8s.io" }],
};
const users = {
  operator: { username: "operator", groups: ["system:masters"] },
  scraper: { username: "prometheus", groups: [] },
  other: { username: "jane", groups: [] },
};

const clock = new SimulatedClock();
let end: () => Promise<void> = () => Promise.resolve();
afterEach(() => end());

async function start(server: ManagerOptions["server"]) {
  const api = new FakeApiServer({ users, authorization: "rbac", clock });
  const connection = createConnection({
    server: "http://cluster",
    headers: { authorization: "Bearer operator" },
    fetch: (request) => api.fetch(request),
  });
  const log = new LineLog();
  const manager = createManager(connection, {
    name: "operator",
    signals: false,
    clock,
    telemetry: { log },
    server,
  });
  const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
  await manager.client.resource({ ...rbac, resource: "clusterroles" }).create(reader);
  await manager.client.resource({ ...rbac, resource: "clusterrolebindings" }).create(binding);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  end = async () => {
    stop.abort();
    await clock.advance(1000);
    await running;
  };
  await clock.advance(1000);
  const line = log.lines.find(({ message }) => message === "Metrics are served");
  const port = Number(line?.fields["port"]);
  const scrape = async (token?: string, path = "/metrics"): Promise<number> => {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await response.text();
    return response.status;
  };
  const reviews = (): number =>
    api.control.recorder.list({ resource: "tokenreviews" }).length +
    api.control.recorder.list({ resource: "subjectaccessreviews" }).length;
  return { api, manager, reviews, scrape };
}

describe("protected metrics", () => {
  test("are for users with the permission alone, who are asked for once a minute", async () => {
    const { manager, reviews, scrape } = await start({
      port: 0,
      host: "127.0.0.1",
      protectedMetrics: { port: 0 },
    });
    expect((await read(manager, "/metrics")).status).toBe(404);
    expect(await scrape()).toBe(401);
    expect(await scrape("stranger")).toBe(401);
    expect(await scrape("other")).toBe(403);
    expect(reviews()).toBe(3);
    expect(await scrape("scraper")).toBe(200);
    expect(await scrape("scraper")).toBe(200);
    expect(await scrape("scraper", "/other")).toBe(404);
    expect(reviews()).toBe(5);
    await clock.advance(61_000);
    expect(await scrape("scraper")).toBe(200);
    expect(reviews()).toBe(7);
  });

  test("are refused while the API server does not answer, which is not kept", async () => {
    const { api, scrape } = await start({
      port: 0,
      host: "127.0.0.1",
      protectedMetrics: { port: 0 },
    });
    api.control.faults.add({
      match: { resource: "tokenreviews" },
      times: 1,
      action: { type: "reset" },
    });
    expect(await scrape("scraper")).toBe(500);
    expect(await scrape("scraper")).toBe(200);
  });
});
