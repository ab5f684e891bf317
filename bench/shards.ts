// Measures how memory and CPU time of an operator fall with the number of its shards. Each process
// has the shards of an informer of primary objects and of one of the three objects that each owns.
//
//   node --expose-gc --conditions=@listwatch/source bench/shards.ts [--objects 200000] [--gate off]
//     [--cluster] [--processes 1,2,4,8] [--changes 5000] [--rounds 4] [--turns 3]
//
// The server is the fake API server, or with --cluster a kube-apiserver, both with the feature
// ShardedListAndWatch unless `--gate off`. Figures are above those of an empty process: one that
// has the same informers and the same controller, and a selector that no object matches.
//
// Memory is that after the first start. An operator runs for weeks, but a process compiles its code
// while it runs for the first time. So each process first reads as many objects and reconciles as
// many changes as the others, which is not counted: shards start again until they have read twice
// what all shards have, and reconcile changes of their objects. Nothing is collected by force in
// between, because V8 then drops compiled code. Counted are one more start, until each object is
// reconciled, and changes: rounds of changes that come together, on a real server as fast as it
// answers 16 writers, and changes that come alone, more slowly than a process handles them, so that
// each wakes it. Processes run one after the other, so that the number of cores does not count.
// Figures are medians of the turns.
import { fork, type ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient, createConnection, shardRange, type Connection } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
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
  /** Processor time of a start, until each object is reconciled. */
  readonly startMs: number;
  /** Processor time of the changes that come together. */
  readonly togetherMs: number;
  /** Processor time of the changes that come alone. */
  readonly aloneMs: number;
  readonly objects: number;
  readonly reconciles: number;
}

/** Sent by a process that measures itself to the one that has started it. */
type Message =
  | { readonly type: "ready"; readonly keys?: readonly Key[]; readonly pace: Pace }
  | { readonly type: "figures"; readonly figures: Figures };

type Key = `${string}/${string}`;

type Pace = "together" | "alone";

/** Changes the objects with these keys on the server. */
type Change = (keys: readonly Key[], pace: Pace) => Promise<void>;

const { values } = parseArgs({
  options: {
    objects: { type: "string", default: "200000" },
    processes: { type: "string", default: "1,2,4,8" },
    turns: { type: "string", default: "3" },
    changes: { type: "string", default: "5000" },
    rounds: { type: "string", default: "4" },
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
/** Primary objects that each round changes, one change for each. */
const changed: Readonly<Record<Pace, number>> = {
  together: Math.min(primaries, Number(values.changes)),
  alone: Math.min(primaries, 2000),
};
const rounds: Readonly<Record<Pace, number>> = { together: Number(values.rounds), alone: 1 };
/** Namespaces are the unit of the shards: many, so that all shards have nearly the same size. */
const namespaceCount = Math.max(8, Math.min(4000, Math.round(primaries / 5)));
const isOn = values.gate === "on";
const megabyte = 1e6;

/** Returns a namespace. The hashes of names that differ at their beginning are spread. */
function namespaceOf(index: number): string {
  const digits = (index % namespaceCount).toString(36);
  return `n${Array.from(digits).toReversed().join("")}-team`;
}

function nameOf(index: number): string {
  return `p${index}`;
}

/** Keys of the first primary objects. */
function keysOf(count: number): readonly Key[] {
  return Array.from({ length: count }, (_, index): Key => {
    return `${namespaceOf(index)}/${nameOf(index)}`;
  });
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
function* family(index: number): Generator<FamilyObject> {
  const namespace = namespaceOf(index);
  const name = nameOf(index);
  const labels = { bench: "shards" };
  const common = { apiVersion: "v1", data: { text: "x".repeat(200) } };
  const uid = `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`;
  yield { ...common, kind: "ConfigMap", metadata: { namespace, name, uid, labels } };
  const owner = { apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true };
  for (let child = 0; child < owned; child++) {
    const metadata = { namespace, name: `${name}-${child}`, labels, ownerReferences: [owner] };
    yield { ...common, data: { text: "eA==" }, kind: "Secret", metadata };
  }
}

function* everything(): Generator<FamilyObject> {
  for (let index = 0; index < primaries; index++) yield* family(index);
}

/** An operator with all of its shards, which reconciles. */
class Operator {
  reconciles = 0;
  #waiting = (): void => {};
  readonly #factory: SharedInformerFactory;
  readonly #maps: ReturnType<typeof informersOf>["maps"];
  readonly #children: ReturnType<typeof informersOf>["children"];
  readonly #controller: AsyncDisposable & { run(): Promise<void> };

  constructor(factory: SharedInformerFactory, label: string) {
    const { maps, children } = informersOf(factory, label);
    this.#factory = factory;
    this.#maps = maps;
    this.#children = children;
    const controller = new Controller({
      informer: maps,
      workers: 4,
      reconcile: (key) => {
        for (let index = 0; index < owned; index++) {
          if (children.store.getByKey(`${key}-${index}`) === undefined) throw new Error(key);
        }
        this.reconciles += 1;
        this.#waiting();
      },
    });
    controller.owns(children, { group: "", kind: "ConfigMap" });
    this.#controller = controller;
  }

  get keys(): readonly Key[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#maps.store.listKeys() as Key[];
  }

  get objects(): number {
    return this.keys.length + this.#children.store.listKeys().length;
  }

  /** Resolves when each object is reconciled. */
  async start(): Promise<void> {
    this.#factory.start();
    void this.#controller.run();
    await this.#factory.waitForCacheSync();
    await this.reach(this.keys.length);
  }

  reach(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = () => {
        if (this.reconciles >= count) resolve();
      };
      this.#waiting();
    });
  }

  async stop(): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#factory.shutdown();
  }
}

// oxlint-disable-next-line typescript/explicit-function-return-type
function informersOf(factory: SharedInformerFactory, label: string) {
  const labelSelector = `bench=${label}`;
  return {
    maps: factory.informer(configmaps, { labelSelector }),
    children: factory.informer(secrets, { labelSelector }),
  };
}

async function measureItself(shardSelector: string, label: string): Promise<Figures> {
  const connection = await connectTo();
  const start = async (): Promise<Operator> => {
    const factory = new SharedInformerFactory({ connection, shardSelector });
    const operator = new Operator(factory, label);
    await operator.start();
    return operator;
  };
  let operator = await start();
  await freeMemory();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  let beginning: NodeJS.CpuUsage;
  let read = operator.objects;
  do {
    // oxlint-disable-next-line no-await-in-loop
    await operator.stop();
    beginning = process.cpuUsage();
    // oxlint-disable-next-line no-await-in-loop
    operator = await start();
    read += operator.objects;
  } while (read > 0 && read < 2 * primaries * (1 + owned));
  const startMs = millisecondsSince(beginning);
  const togetherMs = await measureChanges(operator, "together");
  const aloneMs = await measureChanges(operator, "alone");
  const { objects, reconciles } = operator;
  return { heapBytes: heapUsed + arrayBuffers, startMs, togetherMs, aloneMs, objects, reconciles };
}

/** Returns the processor time of an operator while objects change. */
async function measureChanges(operator: Operator, pace: Pace): Promise<number> {
  const { keys } = operator;
  const change = async (own: number, changing?: readonly Key[]): Promise<void> => {
    const count = operator.reconciles + own;
    tell({ type: "ready", pace, ...(changing !== undefined && { keys: changing }) });
    await Promise.all([once(process, "message"), operator.reach(count)]);
  };
  const warmUp = keys.length === 0 ? 0 : changed[pace] * rounds[pace];
  const batch = Math.min(keys.length, changed[pace]);
  for (let rest = warmUp; rest > 0; rest -= batch) {
    // Objects of the process' shards, so that each process reconciles as many.
    const changing = keys.slice(0, Math.min(batch, rest));
    // oxlint-disable-next-line no-await-in-loop
    await change(changing.length, changing);
  }
  const names = new Set(Array.from({ length: changed[pace] }, (_, index) => nameOf(index)));
  const own = keys.filter((key) => names.has(key.split("/")[1] ?? "")).length;
  const beginning = process.cpuUsage();
  for (let round = 0; round < rounds[pace]; round++) {
    // oxlint-disable-next-line no-await-in-loop
    await change(own);
  }
  return millisecondsSince(beginning);
}

function tell(message: Message): void {
  process.send?.(message);
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
  return createClusterConnection({ server: values.url, user: {}, origin: "bench" });
}

/** Creates the objects on a real server, some at a time. */
async function fill(connection: Connection): Promise<void> {
  const client = createClient(connection);
  const resources = { ConfigMap: client.resource(configmaps), Secret: client.resource(secrets) };
  await forEach(Array(namespaceCount).keys(), async (index) => {
    await client.resource(namespaces).create({ metadata: { name: namespaceOf(index) } });
  });
  await forEach(Array(primaries).keys(), async (index) => {
    let uid: string | undefined;
    for (const { kind, metadata, ...rest } of family(index)) {
      const ownerReferences = metadata.ownerReferences?.map((one) => ({ ...one, uid }));
      const body = { ...rest, metadata: { ...metadata, uid: undefined, ownerReferences } };
      const resource = resources[kind === "Secret" ? "Secret" : "ConfigMap"];
      // oxlint-disable-next-line no-await-in-loop, typescript/no-unsafe-type-assertion
      const created = await resource.create(body as never);
      uid ??= created.metadata.uid;
    }
  });
}

function* eachOf<T>(all: Iterable<T>): Generator<T, void> {
  yield* all;
}

/** Calls a function with each value, 16 at a time. */
async function forEach<T>(all: Iterable<T>, write: (value: T) => Promise<unknown>): Promise<void> {
  const rest = eachOf(all);
  const work = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop
    for (const value of rest) await write(value);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

function changesOf(connection: Connection): Change {
  const maps = createClient(connection).resource(configmaps);
  let changes = 0;
  const patch = (key: Key): Promise<unknown> =>
    maps.patch(key, { data: { change: String(++changes) } });
  return async (keys, pace) => {
    if (pace === "together") {
      await forEach(keys, patch);
      // The fake server is in this process, and sends when nothing else is to be done.
      await new Promise((resolve) => setImmediate(resolve));
    } else {
      for (const key of keys) {
        // oxlint-disable-next-line no-await-in-loop
        await patch(key);
        // Slower than a process handles events.
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
  };
}

async function measure(
  shard: string,
  label: string,
  { change, environment, url }: Server,
): Promise<Figures> {
  const to = url === undefined ? [] : ["--url", url];
  // A process that measures itself counts on as many objects and changes.
  const parameters = [...process.argv.slice(2), "--shard", shard, "--label", label, ...to];
  const child = fork(import.meta.filename, parameters, { env: { ...process.env, ...environment } });
  const ended = once(child, "exit");
  for await (const message of messagesOf(child)) {
    if (message.type === "figures") {
      await ended;
      return message.figures;
    }
    const { pace, keys = keysOf(changed[pace]) } = message;
    await change(keys, pace);
    child.send("changed");
  }
  throw new Error("A process ended without figures");
}

async function* messagesOf(child: ChildProcess): AsyncGenerator<Message> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  for await (const [message] of on(child, "message", { close: ["exit"] })) yield message as Message;
}

interface Server {
  readonly change: Change;
  readonly environment?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** Measures each number of processes in turn, and prints the medians of their sums. */
async function compare(server: Server): Promise<void> {
  const counts = values.processes.split(",").map(Number);
  const sums = new Map(counts.map((count): [number, Figures[]] => [count, []]));
  for (let turn = 0; turn < Number(values.turns); turn++) {
    for (const [count, known] of sums) {
      // oxlint-disable-next-line no-await-in-loop
      const empty = await measure(shardRange("namespace", 0, 1), "none", server);
      const sum = {
        heapBytes: 0,
        startMs: 0,
        togetherMs: 0,
        aloneMs: 0,
        objects: 0,
        reconciles: 0,
      };
      for (let index = 0; index < count; index++) {
        // oxlint-disable-next-line no-await-in-loop
        const figures = await measure(shardRange("namespace", index, count), "shards", server);
        sum.heapBytes += figures.heapBytes - empty.heapBytes;
        sum.startMs += figures.startMs - empty.startMs;
        sum.togetherMs += figures.togetherMs - empty.togetherMs;
        sum.aloneMs += figures.aloneMs - empty.aloneMs;
        sum.objects += figures.objects;
        sum.reconciles += figures.reconciles;
      }
      known.push(sum);
    }
  }
  print(sums);
}

const columns: Readonly<Record<string, (sum: Figures) => number>> = {
  "heap in MB": ({ heapBytes }) => heapBytes / megabyte,
  "processor time in ms": ({ aloneMs, startMs, togetherMs }) => startMs + togetherMs + aloneMs,
  "of it the start": ({ startMs }) => startMs,
  "of it changes that come together": ({ togetherMs }) => togetherMs,
  "of it changes that come alone": ({ aloneMs }) => aloneMs,
};

function print(sums: ReadonlyMap<number, readonly Figures[]>): void {
  for (const [text, read] of Object.entries(columns)) {
    let one: number | undefined;
    for (const [count, known] of sums) {
      const value = median(known.map(read));
      one ??= value;
      const each = (value / count).toFixed(1);
      const [{ objects, reconciles } = { objects: 0, reconciles: 0 }] = known;
      console.log(
        `${text}, ${count} processes: ${each} each above an empty one, ` +
          `${(value / one).toFixed(2)} times 1/n; ${objects} objects, ${reconciles} reconciles`,
      );
    }
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
  await compare({ change: changesOf(connection), environment: { KUBECONFIG: kubeconfig } });
}

async function runOnFake(): Promise<void> {
  const server = new FakeApiServer({
    objects: everything(),
    namespaces: "permissive",
    shardedListAndWatch: isOn,
  });
  await using listener = await listen(server, { port: 0 });
  const { url } = listener;
  const here = createConnection({ server: url, fetch: (request) => server.fetch(request) });
  await compare({ change: changesOf(here), url });
}

if (values.shard !== undefined) {
  const figures = await measureItself(values.shard, values.label);
  process.send?.({ type: "figures", figures }, () => process.exit(0));
} else {
  await (values.cluster ? runOnCluster() : runOnFake());
}
