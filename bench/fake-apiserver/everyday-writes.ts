import type { FakeApiServer } from "@listwatch/fake-apiserver";
import type { Benchmark, Sampler } from "../framework/suite.ts";
import { pod, podName, podNamespace } from "./pods.ts";

/** Number of pods on the server. */
export const storedPods = 10_000;
/** Requests per sample. */
const requests = 1000;
/** Unmeasured rounds of requests, in which their code is compiled. */
const warmUps = 3;
/**
 * Number of times a sample parses every string. That takes about as long as a sample of writes, so
 * that changes of the machine's speed affect both equally.
 */
const parses = 25;
const origin = "http://localhost";

export interface Tools {
  /** Returns a server with this many pods. */
  readonly server: () => Promise<FakeApiServer>;
  /** Starts a measurement; the returned function returns the microseconds since then. */
  readonly stopwatch: () => () => number;
}

interface Write {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/**
 * Writes to a large collection as multiples of parsing the pod once. The rest of a request's cost
 * must not depend on the number of stored objects.
 */
export function everydayWrites(tools: Tools): readonly Benchmark[] {
  return [
    multiple("create a pod", 25, tools, {
      writes: () => indexes(storedPods).map(creation),
      undo: () => indexes(storedPods).map(deletion),
    }),
    multiple("strategic merge patch of a pod", 40, tools, {
      writes: () => {
        const tag = nextTag();
        return indexes(0).map((index) => strategicPatch(index, tag));
      },
    }),
    // From the second apply on, there is an owner and a state to compare.
    multiple("server-side apply of a pod", 80, tools, {
      writes: () => {
        const tag = nextTag();
        return indexes(requests).map((index) => application(index, tag));
      },
    }),
  ];
}

/** Measured writes, and those that undo them. */
interface Round {
  readonly writes: () => readonly Write[];
  readonly undo?: () => readonly Write[];
}

function multiple(
  name: string,
  times: number,
  { server, stopwatch }: Tools,
  { undo, writes }: Round,
): Benchmark {
  const parse: Sampler = () => {
    const texts = indexes(0).map((index) => JSON.stringify(pod(index)));
    let members = 0;
    const parseAll = (): void => {
      for (const text of texts) members += Object.keys(JSON.parse(text) as object).length;
    };
    for (let round = 0; round < warmUps; round++) parseAll();
    const cost = stopwatch();
    for (let pass = 0; pass < parses; pass++) parseAll();
    const total = cost();
    if (members === 0) throw new Error("Expected members");
    return (times * total) / (parses * requests);
  };
  const write: Sampler = async () => {
    const target = await server();
    const undone = undo?.() ?? [];
    for (let round = 0; round < warmUps; round++) {
      await sendAll(target, writes());
      await sendAll(target, undone);
    }
    const counted = writes();
    const cost = stopwatch();
    await sendAll(target, counted);
    const total = cost();
    await sendAll(target, undone);
    return total / requests;
  };
  return {
    name: `${name} before ${storedPods.toLocaleString("en-US")} others`,
    unit: "µs/request",
    rounds: 5,
    // A collection before each request would be unrealistic: it drops compiled code, and the first
    // thousands of requests would cost up to twice as much.
    collects: false,
    yardstick: { name: `${times} × JSON.parse`, sample: parse },
    subject: { name: "request", sample: write },
    goal: 1,
  };
}

function indexes(from: number): readonly number[] {
  return Array.from({ length: requests }, (_, index) => from + index);
}

let tags = 0;

/** A new string, so that no write is without effect. */
function nextTag(): string {
  tags += 1;
  return `tag-${tags}`;
}

function pathOf(index: number): string {
  return `/api/v1/namespaces/${podNamespace(index)}/pods/${podName(index)}`;
}

function creation(index: number): Write {
  const path = `/api/v1/namespaces/${podNamespace(index)}/pods`;
  return { method: "POST", path, type: "application/json", body: JSON.stringify(pod(index)) };
}

function deletion(index: number): Write {
  return { method: "DELETE", path: pathOf(index), type: "application/json", body: "{}" };
}

function strategicPatch(index: number, tag: string): Write {
  const patch = {
    metadata: { labels: { tag } },
    spec: {
      "$setElementOrder/containers": [{ name: "proxy" }, { name: "log-shipper" }],
      containers: [{ name: "proxy", image: `registry.example.com/proxy:${tag}` }],
    },
  };
  const type = "application/strategic-merge-patch+json";
  return { method: "PATCH", path: pathOf(index), type, body: JSON.stringify(patch) };
}

function application(index: number, tag: string): Write {
  const text = JSON.stringify(pod(index)).replace('"tier":"', `"tag":"${tag}","tier":"`);
  const path = `${pathOf(index)}?fieldManager=bench&force=true`;
  return { method: "PATCH", path, type: "application/apply-patch+yaml", body: text };
}

async function sendAll(server: FakeApiServer, writes: readonly Write[]): Promise<void> {
  for (const { body, method, path, type } of writes) {
    const headers = { "content-type": type };
    const response = await server.fetch(new Request(origin + path, { method, headers, body }));
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  }
}
