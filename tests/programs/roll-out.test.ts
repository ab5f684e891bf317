import { createClient, createConnection, waitFor } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { deployments } from "listwatch/resources/apps/v1";
import { jobs } from "listwatch/resources/batch/v1";
import { pods, services } from "listwatch/resources/core/v1";
import { expect, test } from "vitest";
import { rollOut } from "./roll-out.ts";

const labels = { app: "web" };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: "web", image: "web:1" }] },
};

/** A server with a deployment, and the command, which prints lines. */
async function startServer() {
  const server = new FakeApiServer({ seed: 1 });
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const client = createClient(connection).in("default");
  await client.resource(deployments).create({
    metadata: { name: "web" },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  const lines: string[] = [];
  const readers = new Map<string, () => void>();
  const print = (line: string): void => {
    lines.push(line);
    readers.get(line)?.();
  };
  const printed = (line: string): Promise<void> =>
    new Promise((resolve) => {
      if (lines.includes(line)) resolve();
      else readers.set(line, resolve);
    });
  const run = (...args: string[]) => rollOut(args, { connection, print });
  /** Resolves with the generation of the deployment with this image. */
  const changedTo = async (image: string): Promise<number> => {
    const changed = await waitFor(
      client.resource(deployments),
      "web",
      (one) => one?.spec.template.spec.containers[0]?.image === image,
    );
    return changed?.metadata.generation ?? 0;
  };
  return { client, lines, printed, run, changedTo };
}

test("sets the image and waits for job, deployment, pods and address", async () => {
  const { changedTo, client, lines, printed, run } = await startServer();
  await client.resource(jobs).create({
    metadata: { name: "migrate", labels: { prepares: "web" } },
    spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } },
  });
  await client.resource(services).create({
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80 }] },
  });
  const ended = run("default/web", "web:2");

  // The controllers of a cluster, one after another.
  const time = "2026-01-01T00:00:00Z";
  await client.resource(jobs).patchStatus("migrate", {
    status: {
      succeeded: 1,
      startTime: time,
      completionTime: time,
      conditions: [
        { type: "SuccessCriteriaMet", status: "True" },
        { type: "Complete", status: "True" },
      ],
    },
  });
  const observedGeneration = await changedTo("web:2");
  for (const [name, image] of Object.entries({ "web-a": "web:2", "web-b": "web:1" })) {
    const spec = { containers: [{ name: "web", image }] };
    await client.resource(pods).create({ metadata: { name, labels }, spec });
  }
  const counts = { replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
  await client
    .resource(deployments)
    .patchStatus("web", { status: { observedGeneration, ...counts } });
  const conditions = [{ type: "Ready", status: "True" }];
  await client.resource(pods).patchStatus("web-a", { status: { phase: "Running", conditions } });
  await printed("pod web-a is ready");
  await client.resource(pods).delete("web-b");
  const ingress = [{ ip: "192.0.2.1" }];
  await client.resource(services).patchStatus("web", { status: { loadBalancer: { ingress } } });

  expect(await ended).toBe(0);
  expect(lines).toEqual([
    "job migrate has ended",
    "deployment default/web is rolled out",
    "pod web-a is ready",
    "pod web-b is gone",
    "http://192.0.2.1/",
  ]);
});

test("ends with a reason as soon as the deployment has failed", async () => {
  const { changedTo, client, lines, run } = await startServer();
  const ended = run("default/web", "web:3");
  const observedGeneration = await changedTo("web:3");
  const conditions = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }];
  await client
    .resource(deployments)
    .patchStatus("web", { status: { observedGeneration, conditions } });
  expect(await ended).toBe(1);
  expect(lines).toEqual([expect.stringContaining("its progress deadline is exceeded")]);
});

test("shows what the server refuses, and its usage", async () => {
  const { lines, run } = await startServer();
  expect(await run("default/missing", "web:2")).toBe(1);
  expect(await run("web")).toBe(2);
  expect(lines).toEqual([
    expect.stringContaining('deployments.apps "missing" not found'),
    "Usage: roll-out NAMESPACE/NAME IMAGE",
  ]);
});
