// Compares the fake API server of this checkout with that of another one: the bytes of its answers
// to random writes, or its time, verb by verb:
//
//   npm run bench:checkouts -- FOLDER --answers [WRITES]
//   npm run bench:checkouts -- FOLDER [TURNS]
import { resolve } from "node:path";
import type { FakeApiServer as Server } from "@listwatch/fake-apiserver";
// @boundaries-ignore the writes are those that are compared with a real server
import { compareAnswers } from "../../tests/cluster/mutations/compare-answers.ts";
import { pod, podName, podNamespace } from "./pods.ts";

const podCount = 3000;
/**
 * Requests to one server before it is the other's turn. Both servers run in this process, since
 * other load of the machine changes the processor time of a request more than any commit does.
 */
const batchSize = 50;
/** Lists and watches of all pods. */
const reads = 8;
const origin = "http://localhost";

const parameters = process.argv.slice(2);
const isOfAnswers = parameters.includes("--answers");
const [folder, amount = isOfAnswers ? "20000" : "7"] = parameters.filter(
  (parameter) => parameter !== "--answers",
);
if (folder === undefined) throw new Error("Expected the folder of another checkout");
if (!(Number(amount) >= 1)) throw new Error(`Expected a number of turns or writes, got ${amount}`);
const checkouts = { theirs: resolve(folder), ours: resolve(import.meta.dirname, "../..") };
type Side = keyof typeof checkouts;

async function load(checkout: string): Promise<typeof Server> {
  const entry = resolve(checkout, "packages/fake-apiserver/src/index.ts");
  const loaded = (await import(entry)) as { FakeApiServer: typeof Server };
  return loaded.FakeApiServer;
}

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

/** Costs of each verb, in microseconds per object. */
const costs = new Map<string, Readonly<Record<Side, number[]>>>();

/** Measures the same work on both servers, each of them first in half of the calls. */
async function measure(
  verb: string,
  objects: number,
  servers: Readonly<Record<Side, Server>>,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const known = costs.get(verb) ?? { ours: [], theirs: [] };
  costs.set(verb, known);
  const isFirst = known.ours.length % 2 === 0;
  const order: readonly Side[] = isFirst ? ["theirs", "ours"] : ["ours", "theirs"];
  for (const side of order) {
    known[side].push((await processorTime(() => work(servers[side]))) / objects);
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const classes = { theirs: await load(checkouts.theirs), ours: await load(checkouts.ours) };
if (isOfAnswers) {
  const { differences, equal } = await compareAnswers(classes.ours, classes.theirs, Number(amount));
  for (const difference of differences.slice(0, 20)) console.log(difference);
  console.log(`${equal} answers are equal, ${differences.length} differ`);
  process.exit(differences.length === 0 ? 0 : 1);
}
// In the first turn the code is compiled.
for (let turn = 0; turn <= Number(amount); turn++) {
  if (turn === 1) costs.clear();
  // The pods have owners that do not exist: a garbage collector would delete them.
  const options = { seed: 1, namespaces: "permissive", garbageCollection: "never" } as const;
  const servers = { theirs: new classes.theirs(options), ours: new classes.ours(options) };
  for (const [verb, request] of Object.entries(requests)) {
    for (let from = 0; from < podCount; from += batchSize) {
      const batch = Array.from({ length: batchSize }, (_, index) => request(from + index));
      await measure(verb, batchSize, servers, async (server) => {
        for (const each of batch) await send(server, each);
      });
    }
  }
  for (let read = 0; read < reads; read++) {
    await measure("list", podCount, servers, (server) => send(server, { path: "/api/v1/pods" }));
  }
  for (let read = 0; read < reads; read++) await measure("watch", podCount, servers, watch);
}
console.log("µs of processor time per object, medians\n");
for (const [verb, { ours, theirs }] of costs) {
  const [before, after] = [median(theirs), median(ours)];
  const ratio = (after / before).toFixed(3);
  console.log(`${verb.padEnd(12)} ${before.toFixed(1)} → ${after.toFixed(1)}\t× ${ratio}`);
}
