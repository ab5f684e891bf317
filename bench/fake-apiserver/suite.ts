import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { fixed, type Benchmark, type Sampler, type Suite } from "../framework/suite.ts";
import { everydayWrites, storedPods } from "./everyday-writes.ts";
import { pod, podName, podNamespace } from "./pods.ts";

/** Number of objects on the server, as in a large cluster. */
const podCount = 50_000;
const createCount = 10_000;
const updateCount = 5000;
const watcherCount = 10;
const bytesPerMegabyte = 1e6;

const origin = "http://localhost";

// The pods have owners that do not exist: a garbage collector would delete them.
const settings: FakeApiServerOptions = {
  seed: 1,
  namespaces: "permissive",
  garbageCollection: "never",
};

export const suite: Suite = {
  name: "fake-apiserver",
  benchmarks: (): readonly Benchmark[] => {
    const bodyBytes = averageBodyBytes();
    const large = lazy(() => serverWith(podCount));
    const parsed = lazy(
      async () => JSON.parse(await (await listAll(await large())).text()) as object,
    );
    return [
      {
        name: `memory of ${podCount.toLocaleString("en-US")} pods`,
        unit: "bytes/object",
        rounds: 1,
        yardstick: fixed("2 × JSON", 2 * bodyBytes),
        subject: { name: "server", sample: memoryPerPod },
        goal: 1,
      },
      {
        name: "create a pod",
        unit: "µs/object",
        rounds: 3,
        yardstick: fixed("20,000/s", 50),
        subject: { name: "POST", sample: create },
        goal: 1,
      },
      {
        name: "create a pod",
        unit: "µs/object",
        rounds: 3,
        yardstick: { name: "JSON.parse + stringify", sample: parseAndStringify },
        subject: { name: "POST", sample: create },
      },
      {
        name: `update a pod before ${watcherCount} watchers`,
        unit: "µs/update",
        rounds: 3,
        yardstick: fixed("10,000/s", 100),
        subject: { name: "PUT, all have it", sample: fanOut },
        goal: 1,
      },
      {
        name: `update a pod before ${watcherCount} watchers`,
        unit: "µs/update",
        rounds: 3,
        yardstick: { name: "JSON.parse + stringify", sample: parseAndStringify },
        subject: { name: "PUT, all have it", sample: fanOut },
      },
      {
        name: `list ${podCount.toLocaleString("en-US")} pods`,
        unit: "µs/MB",
        rounds: 3,
        yardstick: fixed("150 MB/s", 1e6 / 150),
        subject: { name: "GET", sample: async () => list(await large()) },
        goal: 1,
      },
      {
        name: `list ${podCount.toLocaleString("en-US")} pods`,
        unit: "µs/MB",
        rounds: 3,
        yardstick: { name: "JSON.stringify", sample: async () => stringify(await parsed()) },
        subject: { name: "GET", sample: async () => list(await large()) },
      },
      ...everydayWrites({ server: lazy(() => serverWith(storedPods)), stopwatch }),
    ];
  },
};

/**
 * Measures the processor time of all threads in microseconds, so that other load of the machine
 * does not count. Helper threads of the collector count, so it is at least the elapsed time on an
 * idle machine.
 */
function stopwatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
}

/** Wraps `make` so that it is called once, on demand. */
function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function bodyOf(index: number): string {
  return JSON.stringify(pod(index));
}

function averageBodyBytes(): number {
  const sample = 1000;
  let bytes = 0;
  for (let index = 0; index < sample; index++) bytes += Buffer.byteLength(bodyOf(index));
  return Math.round(bytes / sample);
}

async function post(server: FakeApiServer, index: number, body: string): Promise<void> {
  const response = await server.fetch(
    new Request(`${origin}/api/v1/namespaces/${podNamespace(index)}/pods`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
  );
  if (response.status !== 201) throw new Error(`Expected 201, got ${await response.text()}`);
}

async function serverWith(count: number): Promise<FakeApiServer> {
  const server = new FakeApiServer(settings);
  for (let index = 0; index < count; index++) await post(server, index, bodyOf(index));
  return server;
}

/** Bytes of heap and buffers per stored pod; needs `--expose-gc`. */
const memoryPerPod: Sampler = async () => {
  const before = memoryInUse();
  const server = await serverWith(podCount);
  const used = memoryInUse() - before;
  // Keeps the server alive while the memory is measured.
  if (server.control.revision < podCount) throw new Error("Expected a revision for each pod");
  return used / podCount;
};

function memoryInUse(): number {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function")
    throw new Error("Memory can be measured with --expose-gc only");
  // The second run collects objects that finalizers of the first one released.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const create: Sampler = async () => {
  const bodies = Array.from({ length: createCount }, (_, index) => bodyOf(index));
  const server = new FakeApiServer(settings);
  const cost = stopwatch();
  for (const [index, body] of bodies.entries()) await post(server, index, body);
  return cost() / createCount;
};

const parseAndStringify: Sampler = () => {
  const bodies = Array.from({ length: createCount }, (_, index) => bodyOf(index));
  let length = 0;
  const cost = stopwatch();
  for (const body of bodies) length += JSON.stringify(JSON.parse(body)).length;
  const total = cost();
  if (length === 0) throw new Error("Expected text");
  return total / createCount;
};

/** Writes as fast as the server responds, until every watcher has read everything. */
const fanOut: Sampler = async () => {
  const server = await serverWith(updateCount);
  const bodies = Array.from({ length: updateCount }, (_, index) =>
    bodyOf(index).replace('"tier":"', '"tier":"new-'),
  );
  const url = `${origin}/api/v1/pods?watch=1&resourceVersion=${server.control.revision}`;
  const readers = await Promise.all(
    Array.from({ length: watcherCount }, async () => readAll(await server.fetch(new Request(url)))),
  );
  const cost = stopwatch();
  for (const [index, body] of bodies.entries()) {
    const path = `/api/v1/namespaces/${podNamespace(index)}/pods/${podName(index)}`;
    const response = await server.fetch(
      new Request(origin + path, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body,
      }),
    );
    if (response.status !== 200) throw new Error(`Expected 200, got ${await response.text()}`);
  }
  await server.control.when.allWatchersAt();
  const total = cost();
  if (server.control.watches.list().length !== watcherCount) {
    throw new Error("A watcher fell behind and was ended");
  }
  server.control.watches.end();
  await Promise.all(readers.flat());
  return total / updateCount;
};

/**
 * Reads to the end, and returns the number of bytes. The array keeps `Promise.all` from awaiting
 * the promise.
 */
function readAll(response: Response): readonly [Promise<number>] {
  const reader = response.body?.getReader();
  const reading = (async () => {
    let bytes = 0;
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return bytes;
      bytes += value.length;
    }
  })();
  return [reading];
}

function listAll(server: FakeApiServer): Promise<Response> {
  return server.fetch(new Request(`${origin}/api/v1/pods`));
}

async function list(server: FakeApiServer): Promise<number> {
  const cost = stopwatch();
  const [reading] = readAll(await listAll(server));
  const bytes = await reading;
  return cost() / (bytes / bytesPerMegabyte);
}

function stringify(value: object): number {
  const cost = stopwatch();
  const { length } = JSON.stringify(value);
  return cost() / (length / bytesPerMegabyte);
}
