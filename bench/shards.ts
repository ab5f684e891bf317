// Measures how memory and CPU time of an operator fall with the number of its shards. Each process
// has the shards of an informer of primary objects and of one of the three objects that each owns.
//
//   node --expose-gc --conditions=@listwatch/source bench/shards.ts [--objects 200000] [--gate off]
//     [--cluster] [--processes 1,2,4,8] [--turns 3]
//
// The server is the fake API server, or with --cluster a kube-apiserver, both with the feature
// ShardedListAndWatch unless `--gate off`. Figures are above those of an empty process: one that
// has the same informers and the same controller, and a selector that no object matches. Before it
// is measured, each process reads and reconciles 20,000 other objects: the runtime compiles and
// optimizes the code meanwhile, which takes as long in each process however many there are, and is
// printed apart. Processes run one after the other, so that the number of cores does not count.
// Figures are medians of the turns.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { createClient, createConnection, shardRange, type Connection } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { configmaps, namespaces, secrets } from "listwatch/resources/core/v1";
import { connect } from "listwatch/node";
// @boundaries-ignore a file of the repository that belongs to no package
import { findBinaries } from "../tests/cluster/binaries.ts";
// @boundaries-ignore a file of the repository that belongs to no package
import { ControlPlane } from "../tests/cluster/control-plane.ts";
// @boundaries-ignore a file of the repository that belongs to no package
import { kindKubeconfig } from "../tests/cluster/kubeconfig.ts";

interface Figures {
  readonly heapBytes: number;
  readonly cpuMs: number;
  /** Processor time of the objects that warm the process up. */
  readonly warmMs: number;
  readonly objects: number;
  readonly reconciles: number;
}

const { values } = parseArgs({
  options: {
    objects: { type: "string", default: "200000" },
    processes: { type: "string", default: "1,2,4,8" },
    turns: { type: "string", default: "3" },
    gate: { type: "string", default: "on" },
    cluster: { type: "boolean", default: false },
    /** Range of a process that measures itself. */
    shard: { type: "string" },
    /** Value of the label of its objects. */
    label: { type: "string", default: "shards" },
    url: { type: "string" },
  },
});
const owned = 3;
const primaries = Math.round(Number(values.objects) / (1 + owned));
/** Primary objects that warm a process up. */
const warmPrimaries = 5000;
/** Code that a single informer has run is optimized for it, and once more for the next one. */
const warmRounds = 4;
/** Namespaces are the unit of the shards: many, so that all shards have nearly the same size. */
const namespaceCount = Math.max(8, Math.min(4000, Math.round(primaries / 5)));
const isOn = values.gate === "on";
const megabyte = 1e6;

/** Returns a namespace. The hashes of names that differ at their beginning are spread. */
function namespaceOf(index: number): string {
  const digits = (index % namespaceCount).toString(36);
  return `n${Array.from(digits).toReversed().join("")}-team`;
}

type FamilyObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
  };
  readonly data: Readonly<Record<string, string>>;
};

/** A primary object and those that it owns. */
function* family(index: number, bench: string): Generator<FamilyObject> {
  const namespace = namespaceOf(index);
  const name = `${bench}-${index}`;
  const labels = { bench };
  const common = { apiVersion: "v1", data: { text: "x".repeat(200) } };
  const digit = bench === "shards" ? "0" : "1";
  const uid = `${String(index).padStart(8, digit)}-0000-4000-8000-000000000000`;
  yield { ...common, kind: "ConfigMap", metadata: { namespace, name, uid, labels } };
  const owner = { apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true };
  for (let child = 0; child < owned; child++) {
    const metadata = { namespace, name: `${name}-${child}`, labels, ownerReferences: [owner] };
    yield { ...common, data: { text: "eA==" }, kind: "Secret", metadata };
  }
}

/** The objects of all processes, and those that warm each of them up. */
function* families(): Generator<Iterable<FamilyObject>> {
  for (let index = 0; index < primaries; index++) yield family(index, "shards");
  for (let index = 0; index < warmPrimaries; index++) yield family(index, "warm");
}

function* everything(): Generator<FamilyObject> {
  for (const one of families()) yield* one;
}

async function measureItself(shardSelector: string, label: string): Promise<Figures> {
  const connection = await connectTo();
  // Imports of modules take seconds, and are the same in all processes.
  const imported = process.cpuUsage();
  for (let round = 0; round < warmRounds; round++) {
    // oxlint-disable-next-line no-await-in-loop
    await operate(connection, "warm", shardRange("namespace", round, warmRounds));
  }
  const warm = process.cpuUsage();
  const counts = await operate(connection, label, shardSelector);
  const cpuMs = millisecondsSince(warm);
  await freeMemory();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  const warmMs = (warm.user + warm.system - imported.user - imported.system) / 1000;
  return { ...counts, heapBytes: heapUsed + arrayBuffers, cpuMs, warmMs };
}

/** Runs the operator until it has reconciled all objects with a label. It goes on afterwards. */
async function operate(
  connection: Connection,
  label: string,
  shardSelector: string,
): Promise<Pick<Figures, "objects" | "reconciles">> {
  const factory = new SharedInformerFactory({ connection, shardSelector });
  const labelSelector = `bench=${label}`;
  const maps = factory.informer(configmaps, { labelSelector });
  const children = factory.informer(secrets, { labelSelector });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  let reconciles = 0;
  let expected = Infinity;
  const controller = new Controller({
    informer: maps,
    workers: 4,
    reconcile: (key) => {
      for (let index = 0; index < owned; index++) {
        if (children.store.getByKey(`${key}-${index}`) === undefined) throw new Error(key);
      }
      if (++reconciles >= expected) end();
    },
  });
  controller.owns(children, { group: "", kind: "ConfigMap" });
  factory.start();
  void controller.run();
  await factory.waitForCacheSync();
  expected = maps.store.listKeys().length;
  if (reconciles < expected) await promise;
  return { objects: expected + children.store.listKeys().length, reconciles };
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { system, user } = process.cpuUsage(start);
  return (system + user) / 1000;
}

async function freeMemory(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function connectTo(): Promise<Connection> {
  if (values.url === undefined) return connect();
  return createConnection({ server: values.url, fetch: (request) => fetch(request) });
}

/** Creates the objects on a real server, some at a time. */
async function fill(connection: Connection): Promise<void> {
  const client = createClient(connection);
  const resources = { ConfigMap: client.resource(configmaps), Secret: client.resource(secrets) };
  await forEach(namespaceCount, async (index) => {
    await client.resource(namespaces).create({ metadata: { name: namespaceOf(index) } });
  });
  const all = [...families()];
  await forEach(all.length, async (index) => {
    let uid: string | undefined;
    for (const { kind, metadata, ...rest } of all[index] ?? []) {
      const ownerReferences = metadata.ownerReferences?.map((one) => ({ ...one, uid }));
      const body = { ...rest, metadata: { ...metadata, uid: undefined, ownerReferences } };
      const resource = resources[kind === "Secret" ? "Secret" : "ConfigMap"];
      // oxlint-disable-next-line no-await-in-loop, typescript/no-unsafe-type-assertion
      const created = await resource.create(body as never);
      uid ??= created.metadata.uid;
    }
  });
}

/** Calls a function with each index below a count, 16 at a time. */
async function forEach(count: number, write: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop
    while (next < count) await write(next++);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function measure(
  shard: string,
  label: string,
  environment: Readonly<Record<string, string>>,
  url?: string,
): Promise<Figures> {
  const to = url === undefined ? [] : ["--url", url];
  const parameters = ["--shard", shard, "--label", label, ...to];
  const child = spawn(
    process.execPath,
    [...process.execArgv, import.meta.filename, ...parameters],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    },
  );
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output) as Figures;
}

/** Measures each number of processes in turn, and prints the medians of their sums. */
async function compare(environment: Readonly<Record<string, string>>, url?: string): Promise<void> {
  const shard = (index: number, count: number, label = "shards"): Promise<Figures> =>
    measure(shardRange("namespace", index, count), label, environment, url);
  const counts = values.processes.split(",").map(Number);
  const sums = new Map(counts.map((count): [number, Figures[]] => [count, []]));
  const warmMs: number[] = [];
  for (let turn = 0; turn < Number(values.turns); turn++) {
    for (const [count, known] of sums) {
      // oxlint-disable-next-line no-await-in-loop
      const empty = await shard(0, 1, "none");
      const sum = { heapBytes: 0, cpuMs: 0, warmMs: 0, objects: 0, reconciles: 0 };
      for (let index = 0; index < count; index++) {
        // oxlint-disable-next-line no-await-in-loop
        const figures = await shard(index, count);
        sum.heapBytes += figures.heapBytes - empty.heapBytes;
        sum.cpuMs += figures.cpuMs - empty.cpuMs;
        sum.objects += figures.objects;
        sum.reconciles += figures.reconciles;
        warmMs.push(figures.warmMs);
      }
      known.push(sum);
    }
  }
  const warmCount = warmPrimaries * (1 + owned);
  console.log(
    `Each process takes ${median(warmMs).toFixed(0)} ms for its first ${warmCount} objects`,
  );
  let one: Pick<Figures, "cpuMs" | "heapBytes"> | undefined;
  for (const [count, known] of sums) {
    const heapBytes = median(known.map((sum) => sum.heapBytes));
    const cpuMs = median(known.map((sum) => sum.cpuMs));
    one ??= { heapBytes, cpuMs };
    const [heap, cpu] = [heapBytes / one.heapBytes, cpuMs / one.cpuMs];
    console.log(
      `${count} processes: ${(heapBytes / count / megabyte).toFixed(1)} MB, ` +
        `${(cpuMs / count).toFixed(0)} ms above an empty process each; ` +
        `heap ${heap.toFixed(2)} and CPU ${cpu.toFixed(2)} times 1/n; ` +
        `${known[0]?.objects} objects, ${known[0]?.reconciles} reconciles`,
    );
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function runOnCluster(): Promise<void> {
  const binaries = findBinaries({ build: false });
  if (typeof binaries === "string") throw new Error(binaries);
  await using plane = await ControlPlane.start(binaries, []);
  await plane.killApiServer();
  await plane.startApiServer({ "feature-gates": `ShardedListAndWatch=${isOn}` });
  const kubeconfig = join(plane.folder, "kubeconfig");
  writeFileSync(kubeconfig, kindKubeconfig(plane), { mode: 0o600 });
  await using connection = await connect({ paths: [kubeconfig] });
  await fill(connection);
  await compare({ KUBECONFIG: kubeconfig });
}

async function runOnFake(): Promise<void> {
  const server = new FakeApiServer({
    objects: everything(),
    namespaces: "permissive",
    shardedListAndWatch: isOn,
  });
  await using listener = await listen(server, { port: 0 });
  await compare({}, listener.url);
}

if (values.shard !== undefined) {
  console.log(JSON.stringify(await measureItself(values.shard, values.label)));
  process.exit(0);
}
await (values.cluster ? runOnCluster() : runOnFake());
