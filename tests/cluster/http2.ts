import assert from "node:assert/strict";
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from "node:net";
import { Collection, createClient } from "@listwatch/client";
import type { Log } from "@listwatch/core-fifo/base";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connect, type ClusterConnection } from "listwatch/node";
import type { ControlPlane } from "./control-plane.ts";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

const informers = 200;
const configMaps = { group: "", version: "v1", resource: "configmaps" } as const;

/** Runs informers over HTTP/2, prints a line for each check, and counts them. */
export async function runHttp2Checks(kubeconfig: string, plane: ControlPlane): Promise<Counts> {
  const counts = { passed: 0, failed: 0 };
  const checks = {
    "200 informers share connections, and survive their end and a new server": followAll,
    "a large list": compareLists,
    "a server that ends connections at random": followGoAways,
  };
  for (const [name, run] of Object.entries(checks)) {
    try {
      console.log(`ok   http2: ${name} (${await run(kubeconfig, plane)})`);
      counts.passed++;
    } catch (error) {
      console.log(`FAIL http2: ${name}: ${describe(error)}`);
      counts.failed++;
    }
  }
  return counts;
}

/** Counts connections to the API server, and breaks them. */
class Relay implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#forward(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  connections = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #forward(socket: Socket): void {
    this.connections++;
    const target = connectTcp(Number(this.#target.port), this.#target.hostname);
    for (const each of [socket, target]) {
      this.#sockets.add(each);
      each
        .on("error", () => undefined)
        .on("close", () => {
          this.#sockets.delete(each);
          socket.destroy();
          target.destroy();
        });
    }
    socket.pipe(target).pipe(socket);
  }

  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.breakAll();
  }
}

async function followAll(kubeconfig: string, plane: ControlPlane): Promise<string> {
  await using relay = new Relay(plane.server);
  const server = await relay.listen();
  await using direct = await connect({ paths: [kubeconfig], http2: true });
  const connection = { ...direct, server };
  const lines: string[] = [];
  const log = keepLines(lines);
  await using factory = new SharedInformerFactory({ connection, log });
  const all = Array.from({ length: informers }, (_, index) =>
    factory.informer(configMaps, { labelSelector: `number!=${index}` }),
  );
  factory.start();
  await factory.waitForCacheSync();
  const first = relay.connections;
  assert.ok(first <= 3, `${first} connections`);
  await followWrite(direct, all, "before");
  relay.breakAll();
  await followWrite(direct, all, "broken");
  const second = relay.connections - first;
  await plane.killApiServer();
  await plane.startApiServer();
  await followWrite(direct, all, "restarted");
  const failures = lines.filter((line) => line.includes("failed"));
  assert.ok(failures.length <= 2, `${failures.length} lines of failures`);
  return `connections: ${first}, ${second} after all broke; lines: ${lines.length}, ${failures.length} of failures`;
}

/** A log that keeps warnings and errors. */
function keepLines(lines: string[]): Log {
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
    error: (message) => void lines.push(message),
  };
}

async function followWrite(
  connection: ClusterConnection,
  all: readonly { readonly store: { getByKey(key: string): unknown } }[],
  name: string,
): Promise<void> {
  const client = createClient(connection).resource(configMaps);
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } };
  await client.create(body);
  const endMs = Date.now() + 60_000;
  for (;;) {
    const behind = all.filter(({ store }) => store.getByKey(`default/${name}`) === undefined);
    if (behind.length === 0) return;
    assert.ok(Date.now() < endMs, `${behind.length} informers are behind after ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The greatest chance that kube-apiserver accepts, for each request. */
const goAwayChance = "0.02";
const requestsToGoAway = 1500;

/** Sends requests to a server that asks clients to open other connections (GOAWAY). */
async function followGoAways(kubeconfig: string, plane: ControlPlane): Promise<string> {
  await plane.killApiServer();
  await plane.startApiServer({ "goaway-chance": goAwayChance });
  await using relay = new Relay(plane.server);
  const server = await relay.listen();
  await using direct = await connect({ paths: [kubeconfig], http2: true });
  const connection = { ...direct, server };
  await using factory = new SharedInformerFactory({ connection, log: keepLines([]) });
  const informer = factory.informer(configMaps);
  factory.start();
  await factory.waitForCacheSync();
  const client = createClient(connection).resource(configMaps);
  const metadata = { name: "leaving", namespace: "default" };
  const key = "default/leaving";
  await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { write: "0" } });
  for (let sent = 0; sent < requestsToGoAway; sent += 10) {
    await client.patch(key, { data: { write: String(sent) } });
    await Promise.all(Array.from({ length: 9 }, () => client.get(key)));
  }
  await followWrite(direct, [informer], "after-goaway");
  const ended = relay.connections - 1;
  assert.ok(ended >= 5, `${ended} connections were replaced`);
  await plane.killApiServer();
  await plane.startApiServer();
  return `${ended} connections replaced in ${requestsToGoAway} requests, none failed`;
}

/** Times lists of 24 MB over both protocols in turn. */
async function compareLists(kubeconfig: string): Promise<string> {
  await using old = await connect({ paths: [kubeconfig] });
  await using shared = await connect({ paths: [kubeconfig], http2: true });
  const client = createClient(old).resource(configMaps);
  const data = { text: "0123456789".repeat(60_000) };
  for (let index = 0; index < 40; index++) {
    const metadata = { name: `large-${index}`, namespace: "default" };
    await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
  }
  const times: Record<"old" | "shared", number[]> = { old: [], shared: [] };
  const sources = { old, shared };
  for (let round = 0; round < 12; round++) {
    for (const name of ["old", "shared"] as const) {
      const started = performance.now();
      const collection = new Collection({ connection: sources[name], resource: configMaps });
      const { items } = await collection.list({}, { signal: new AbortController().signal });
      let count = 0;
      for await (const batch of items) count += Array.isArray(batch) ? batch.length : 1;
      assert.ok(count >= 40);
      if (round > 1) times[name].push(performance.now() - started);
    }
  }
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const [before, after] = [median(times.old), median(times.shared)];
  return `HTTP/1.1 ${before.toFixed(0)} ms, HTTP/2 ${after.toFixed(0)} ms`;
}
