// One measurement in a separate process, against a server. Prints its figures as JSON, or its
// failure.
import process from "node:process";
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { metadataOf } from "@listwatch/core-fifo/base";
import { heapBytes } from "../framework/heap.ts";
import { connectTo, startInformer, type Running } from "./informers.ts";
import type { Measurement } from "./processes.ts";
import { changeAt } from "./workload.ts";

const [server = "", argument = "{}"] = process.argv.slice(2);
const measurement = JSON.parse(argument) as Measurement;
const { what, kind, fault, hertz = 0, transport = "fetch", workload } = measurement;
const { pods, events } = workload;

/** Measures the longest delay of a 1 ms timer. Works in every runtime, unlike Node's histogram. */
class StallWatch {
  readonly #startMs = performance.now();
  readonly #startCpuMs = cpuMs();
  readonly #startThreadMs = threadCpuMs();
  #last = this.#startMs;
  #lastCpu = threadCpuMs();
  #longest = 0;
  #longestCpu = 0;
  readonly #timer = setInterval(() => this.#tick(), 1);
  #longestCollection = 0;
  /** Reports only on Node. */
  readonly #collections = new PerformanceObserver((list) => this.#collected(list.getEntries()));

  constructor() {
    if (PerformanceObserver.supportedEntryTypes.includes("gc")) {
      this.#collections.observe({ entryTypes: ["gc"] });
    }
  }

  /**
   * Returns the time since the start, and the processor time of all threads. Also returns the
   * longest stall, the longest that the program itself caused, and the longest collection. In the
   * rest of a stall the operating system ran other programs.
   */
  stop(): Record<string, number> {
    clearInterval(this.#timer);
    this.#tick();
    this.#collected(this.#collections.takeRecords());
    this.#collections.disconnect();
    return {
      ms: this.#last - this.#startMs,
      cpuMs: cpuMs() - this.#startCpuMs,
      threadMs: this.#lastCpu - this.#startThreadMs,
      stallMs: this.#longest,
      ownStallMs: this.#longestCpu,
      collectionMs: this.#longestCollection,
      peakMb: process.resourceUsage().maxRSS / 1024,
    };
  }

  #collected(collections: readonly { readonly duration: number }[]): void {
    for (const { duration } of collections) {
      this.#longestCollection = Math.max(this.#longestCollection, duration);
    }
  }

  #tick(): void {
    const now = performance.now();
    const cpu = threadCpuMs();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#longestCpu = Math.max(this.#longestCpu, cpu - this.#lastCpu);
    this.#last = now;
    this.#lastCpu = cpu;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Processor time of the main thread; of the whole process if a runtime does not provide it. */
function threadCpuMs(): number {
  if (typeof process.threadCpuUsage !== "function") return cpuMs();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Counts received events, and resolves when a number is reached. */
class Counter {
  count = 0;
  #wanted = Infinity;
  #reached = Promise.withResolvers<void>();

  readonly tell = (): void => {
    this.count++;
    if (this.count === this.#wanted) this.#reached.resolve();
  };

  until(wanted: number): Promise<void> {
    this.#reached = Promise.withResolvers<void>();
    this.#wanted = wanted;
    if (this.count >= wanted) this.#reached.resolve();
    return this.#reached.promise;
  }
}

const bodyOf = async (path: string): Promise<IncomingMessage> => {
  const [response] = (await once(get(server + path), "response")) as [IncomingMessage];
  return response;
};

const command = async (path: string): Promise<string> =>
  (await fetch(`${server}/control/${path}`)).text();

/** Floor P: the same bytes through one JSON.parse, without reading them. */
async function parse(): Promise<Record<string, number>> {
  const pieces: Buffer[] = [];
  for await (const piece of await bodyOf("/api/v1/pods")) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  pieces.length = 0;
  const stalls = new StallWatch();
  const { items } = JSON.parse(text) as { items: unknown[] };
  const result = stalls.stop();
  expectCount(items.length, pods);
  return { ...result, bytes: Buffer.byteLength(text) };
}

/** The transport's share: reads the body of the list and drops it. */
async function read(): Promise<Record<string, number>> {
  const stalls = new StallWatch();
  const { fetch: send } = connectTo(server, transport);
  const { body } = await send(new Request(`${server}/api/v1/pods`));
  if (body === null) throw new Error("Expected a body");
  let bytes = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
  }
  return { ...stalls.stop(), bytes };
}

/** Floor E: read, split, parse, retain by key. */
async function retain(): Promise<Record<string, number>> {
  const held = new Map<string, unknown>();
  const stalls = new StallWatch();
  const utf8 = new TextDecoder();
  let rest = "";
  for await (const piece of await bodyOf("/events")) {
    const lines = (rest + utf8.decode(piece as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { object } = JSON.parse(line) as { object: { metadata: Record<string, string> } };
      held.set(`${object.metadata["namespace"]}/${object.metadata["name"]}`, object);
    }
  }
  const result = stalls.stop();
  expectCount(
    held.size,
    new Set(Array.from({ length: events }, (_, count) => changeAt(workload, count).index)).size,
  );
  return result;
}

function expectCount(got: number, wanted: number): void {
  if (got !== wanted) throw new Error(`Expected ${wanted} objects, got ${got}`);
}

interface Heard {
  readonly added: Counter;
  readonly updated: Counter;
  readonly changed: Counter;
  /** In µs, for events that contain the time of their sending. */
  readonly latencies: number[];
}

/** Runs an informer until the last add of the list, then the requested measurement. */
async function inform(): Promise<Record<string, number>> {
  const added = new Counter();
  const updated = new Counter();
  const changed = new Counter();
  const latencies: number[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  await command("restore");
  const heapBefore = heapBytes();
  const stalls = new StallWatch();
  const running = await startInformer(
    kind ?? "default",
    server,
    {
      added: () => {
        added.tell();
        changed.tell();
      },
      updated: (pod) => {
        updated.tell();
        changed.tell();
        const sent = metadataOf(pod)?.labels?.["sent"];
        if (sent !== undefined) latencies.push((wallMs() - Number(sent)) * 1000);
        if (fault === "throwing handler" && updated.count === events >> 1) throw new Error(fault);
      },
      deleted: () => changed.tell(),
      failed: failed.reject,
    },
    {
      isStreamed: measurement.isStreamed === true,
      transport,
      reads: measurement.reads ?? "nothing",
    },
  );
  await Promise.race([added.until(pods), failed.promise]);
  let result = stalls.stop();
  if (what === "sync") {
    const bytes = heapBytes() - heapBefore;
    result = { ...result, bytes, settledMb: process.memoryUsage.rss() / 2 ** 20 };
  }
  if (what !== "sync") {
    // The watch follows the list in a separate request.
    await sleep(300);
    result = await follow({ added, updated, changed, latencies }, running, result["ms"] ?? 0);
  }
  const difference = differenceOf(running, JSON.parse(await command("state")));
  if (difference !== undefined) throw new Error(difference);
  await running.stop();
  return result;
}

const wallMs = (): number => performance.timeOrigin + performance.now();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function follow(
  heard: Heard,
  running: Running,
  syncMs: number,
): Promise<Record<string, number>> {
  if (what === "events") {
    return follows(heard.changed.until(heard.changed.count + events), "stream");
  }
  if (what === "relist") return { ...(await relist(heard.changed)), syncMs };
  return what === "latency" ? latency(heard) : outlive(running);
}

async function follows(done: Promise<void>, order: string): Promise<Record<string, number>> {
  const stalls = new StallWatch();
  const ordered = command(order);
  await done;
  const result = stalls.stop();
  await ordered;
  return result;
}

async function relist(changed: Counter): Promise<Record<string, number>> {
  const { every = 1, silently } = measurement;
  if (silently !== undefined) await command(`${silently}?every=${every}`);
  // Ours reports every pod again, the peer only the changes.
  const told = kind === "client-node" ? Math.ceil(pods / every) : pods;
  return follows(changed.until(changed.count + told), "expire");
}

/** Events before the measured ones: a program that watches a cluster has seen thousands. */
const warmUp = { hz: 2000, seconds: 2 };

async function latency({ updated, latencies }: Heard): Promise<Record<string, number>> {
  await followRate(updated, warmUp);
  latencies.length = 0;
  const seconds = 4;
  const result = await followRate(updated, { hz: hertz, seconds });
  if (latencies.length === 0) throw new Error("No event had the time of its sending");
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const { cpuMs: usedMs = 0 } = result;
  const cpu = (usedMs * 1000) / (hertz * seconds);
  return { ...result, CPU: cpu, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

function followRate(
  updated: Counter,
  { hz, seconds }: { readonly hz: number; readonly seconds: number },
): Promise<Record<string, number>> {
  return follows(updated.until(updated.count + hz * seconds), `rate?hz=${hz}&seconds=${seconds}`);
}

/**
 * A difference that remains for this long is permanent. The longest delay before a retry of either
 * side is shorter, and the rest of the events takes some seconds.
 */
const patienceMs = fault === "half-open" ? 45_000 : 15_000;

/** Receives events with a fault in the middle, until the cache equals the server's state. */
async function outlive(running: Running): Promise<Record<string, number>> {
  const stalls = new StallWatch();
  await command(`stream?fault=${fault}`);
  const state: Record<string, string> = JSON.parse(await command("state"));
  const endMs = performance.now() + patienceMs;
  while (differenceOf(running, state) !== undefined) {
    if (performance.now() > endMs) {
      throw new Error((await command("watches")) === "0" ? "dead" : "stale");
    }
    await sleep(10);
  }
  return stalls.stop();
}

function differenceOf(
  running: Running,
  state: Readonly<Record<string, string>>,
): string | undefined {
  const cached = running.versions();
  const keys = Object.keys(state);
  const wrong = keys.find((key) => cached.get(key) !== state[key]);
  if (wrong !== undefined) {
    return `The cache has ${wrong} at ${cached.get(wrong)}, the server at ${state[wrong]}`;
  }
  if (cached.size === keys.length) return undefined;
  return `The cache has ${cached.size} objects, the server ${keys.length}`;
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  parse,
  read,
  retain,
};

function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
}

/** The longest measurement takes less than half a minute; after this time it must be stuck. */
const limitMs = 180_000;
const limit = async (): Promise<never> => {
  await sleep(limitMs);
  throw new Error(`not done after ${limitMs / 1000} s`);
};

try {
  console.log(JSON.stringify(await Promise.race([(measurements[what] ?? inform)(), limit()])));
} catch (error) {
  console.log(JSON.stringify({ failure: words(error) }));
}
process.exit(0);
