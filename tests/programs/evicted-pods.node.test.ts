// Tests for a program of client-node: a fake API server behind a socket, and its own KubeConfig.
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import {
  createClient,
  createConnection,
  isDeleted,
  SharedInformerFactory,
  waitFor,
  type Draft,
} from "listwatch";
import { connectKubeConfig } from "listwatch/client-node";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods, type Pod } from "listwatch/resources/core/v1";
import { afterEach, expect, test } from "vitest";
// @boundaries-ignore the listener of the current runtime
import { listenHere } from "../support/listen-here.ts";
import { isEvicted, outdated, startCleaning } from "./evicted-pods.ts";

const ends: (() => PromiseLike<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "owner-of-web" };

function replica(name: string, createdAt: string): Draft<Pod> & object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      ownerReferences: [{ ...owner, controller: true }],
      creationTimestamp: `2026-01-01T00:00:0${createdAt}Z`,
    },
    spec: { containers: [{ name: "web", image: "nginx" }] },
  };
}

/** A server with three pods of one owner, a KubeConfig for it, and a client for the test. */
async function startServer() {
  const objects = [replica("web-0", "0"), replica("web-1", "1"), replica("web-2", "2")];
  const server = new FakeApiServer({ objects, garbageCollection: "never", seed: 1 });
  const listener = await listenHere(server);
  ends.push(() => listener.close());
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: "fake", server: listener.url, skipTLSVerify: true },
    { name: "admin" },
  );
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const client = createClient(connection).in("default").resource(pods);
  return { api: config.makeApiClient(CoreV1Api), client, config, server };
}

const evicted = { status: { phase: "Failed", reason: "Evicted" } } as const;

/** Runs the program until the end of the test; returns the errors that it reports. */
async function startProgram(config: KubeConfig): Promise<unknown[]> {
  const errors: unknown[] = [];
  const informer = startCleaning(config, (error) => errors.push(error));
  ends.push(() => informer.stop());
  await informer.start();
  return errors;
}

test("helpers with client-node's types take objects of clients and of caches", async () => {
  const { client, config } = await startServer();
  await client.patchStatus("web-1", evicted);
  await client.patchStatus("web-2", evicted);
  const { items } = await client.list();
  expect(outdated(items, owner.uid).map(({ metadata }) => metadata?.name)).toEqual(["web-1"]);

  const connection = connectKubeConfig(config);
  ends.push(() => connection[Symbol.asyncDispose]());
  const factory = new SharedInformerFactory({ connection });
  ends.push(() => factory[Symbol.asyncDispose]());
  const { store, synced } = factory.informer(pods);
  factory.start();
  await synced;
  expect(store.list().filter(isEvicted).length).toBe(2);
});

test("deletes all evicted pods of an owner but the newest one", async () => {
  const { api, client, config } = await startServer();
  const errors = await startProgram(config);
  for (const name of ["web-2", "web-1", "web-0"]) await client.patchStatus(name, evicted);
  await Promise.all(["web-0", "web-1"].map((name) => waitFor(client, name, isDeleted)));
  const { items } = await api.listNamespacedPod({ namespace: "default" });
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(["web-2"]);
  expect(errors).toEqual([]);
});

test("goes on after its watch has broken", async () => {
  const { client, config, server } = await startServer();
  const errors = await startProgram(config);
  server.control.watches.reset();
  for (const name of ["web-0", "web-1"]) await client.patchStatus(name, evicted);
  await waitFor(client, "web-0", isDeleted);
  expect(errors.length).toBeGreaterThan(0);
});
