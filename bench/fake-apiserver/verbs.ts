// Prints, as JSON, the processor time of each verb on the fake API server of a checkout, in
// microseconds per object. The child process of `compare-checkouts.ts`.
import { resolve } from "node:path";
import type { FakeApiServer as Server } from "@listwatch/fake-apiserver";
import { pod, podName, podNamespace } from "./pods.ts";

const podCount = 3000;
/** Lists and watches of all pods: one of them takes some milliseconds. */
const reads = 8;
/** Rounds on a server each. Only the last one counts: the code is compiled in the others. */
const rounds = 1;
const origin = "http://localhost";

const [checkout = process.cwd()] = process.argv.slice(2);
const entry = resolve(checkout, "packages/fake-apiserver/src/index.ts");
const { FakeApiServer } = (await import(entry)) as { FakeApiServer: typeof Server };

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly type?: string;
  readonly body?: string;
}

function pathOf(index: number): string {
  return `/api/v1/namespaces/${podNamespace(index)}/pods/${podName(index)}`;
}

function textOf(index: number, tag: string): string {
  return JSON.stringify(pod(index)).replace('"tier":"', `"tier":"${tag}-`);
}

const requests: Readonly<Record<string, (index: number) => Sent>> = {
  create: (index) => ({
    path: `/api/v1/namespaces/${podNamespace(index)}/pods`,
    method: "POST",
    body: textOf(index, "created"),
  }),
  update: (index) => ({ path: pathOf(index), method: "PUT", body: textOf(index, "updated") }),
  "merge patch": (index) => ({
    path: pathOf(index),
    method: "PATCH",
    type: "application/merge-patch+json",
    body: `{"metadata":{"labels":{"tier":"patched"}}}`,
  }),
  apply: (index) => ({
    path: `${pathOf(index)}?fieldManager=bench&force=true`,
    method: "PATCH",
    type: "application/apply-patch+yaml",
    body: textOf(index, "applied"),
  }),
  get: (index) => ({ path: pathOf(index) }),
};

async function send(
  server: Server,
  { body, method = "GET", path, type = "application/json" }: Sent,
): Promise<void> {
  const headers = { "content-type": type };
  const init = body === undefined ? {} : { method, headers, body };
  const response = await server.fetch(new Request(origin + path, init));
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
}

async function list(server: Server): Promise<void> {
  await send(server, { path: "/api/v1/pods" });
}

/** Reads the events of all pods. */
async function watch(server: Server): Promise<void> {
  const response = await server.fetch(
    new Request(`${origin}/api/v1/pods?watch=1&resourceVersion=0`),
  );
  const reader = response.body?.getReader();
  for (let events = 0; events < podCount;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) throw new Error("The watch ended early");
    for (const byte of value) if (byte === 10) events++;
  }
  await reader?.cancel();
}

/** Processor time of all threads in microseconds. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { system, user } = process.cpuUsage(start);
  return user + system;
}

let figures: Record<string, number> = {};
for (let round = 0; round < rounds; round++) {
  figures = {};
  // The pods have owners that do not exist: a garbage collector would delete them.
  const server = new FakeApiServer({
    seed: 1,
    namespaces: "permissive",
    garbageCollection: "never",
  });
  for (const [name, request] of Object.entries(requests)) {
    const sent = Array.from({ length: podCount }, (_, index) => request(index));
    const time = await processorTime(async () => {
      for (const each of sent) await send(server, each);
    });
    figures[name] = time / podCount;
  }
  for (const [name, read] of Object.entries({ list, watch })) {
    const time = await processorTime(async () => {
      for (let turn = 0; turn < reads; turn++) await read(server);
    });
    figures[name] = time / (reads * podCount);
  }
}
console.log(JSON.stringify(figures));
