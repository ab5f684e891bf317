// Serves three collections of 100 objects to pages, by this package or by hand, and measures
// itself: node serve.ts KIND CLIENTS EVENTS. Prints its port, and then its figures as JSON.
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { listen } from "@listwatch/fake-apiserver/node";
import { Informer, type InformerSink, type InformerSource } from "@listwatch/shared-informer";
import { toEventStream } from "@listwatch/streams";

const [kind = "", clientsText = "", eventsText = ""] = process.argv.slice(2);
const clients = Number(clientsText);
const events = Number(eventsText);
const names = ["pods", "nodes", "services"];
const objectsPerCollection = 100;

interface Item {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: object;
}

let version = 0;

function createItem(index: number): Item {
  return {
    metadata: {
      namespace: "default",
      name: `item-${index}`,
      uid: `00000000-0000-0000-0000-${String(index).padStart(12, "0")}`,
      resourceVersion: String(++version),
      labels: { app: "web", tier: "front", release: "stable" },
    },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      text: "x".repeat(300),
    },
  };
}

/** A source that gets its changes from this program. */
class ManualSource implements InformerSource<Item> {
  sink: InformerSink<Item> | undefined;

  status(): ReturnType<InformerSource<Item>["status"]> {
    return { source: undefined, problem: undefined, queuedDeltas: 0, freshAsOfMs: Date.now() };
  }

  isSameState(): boolean {
    return false;
  }

  async run(sink: InformerSink<Item>, signal: AbortSignal): Promise<void> {
    this.sink = sink;
    const objects = Array.from({ length: objectsPerCollection }, (_, index) => createItem(index));
    await sink.apply([{ type: "ReplacedAll", objects, resourceVersion: "1" }], true);
    sink.markSynced();
    await once(signal, "abort");
  }
}

/** A server under measurement: its port, and a function that changes an object. */
interface Served {
  readonly port: number;
  readonly streams: () => number;
  readonly change: (index: number) => void;
}

async function serveStreams(): Promise<Served> {
  const sources = names.map(() => new ManualSource());
  const informers = Object.fromEntries(
    names.map((name, index) => [name, new Informer<Item>(sources[index]!, { name })]),
  );
  for (const informer of Object.values(informers)) void informer.run();
  await Promise.all(Object.values(informers).map(({ synced }) => synced));
  const handler = toEventStream(informers, { authorize: () => true });
  const { port } = await listen(handler, { port: 0 });
  return {
    port,
    streams: () => handler.status().streams,
    change: (index) => {
      const object = createItem(index % objectsPerCollection);
      const key = `default/${String(object.metadata["name"])}`;
      void sources[index % names.length]!.sink!.apply([{ type: "Updated", key, object }], false);
    },
  };
}

/** The same by hand: no grants, no resume, no limit for slow pages. */
async function serveByHand(): Promise<Served> {
  const caches = names.map(
    () =>
      new Map(
        Array.from({ length: objectsPerCollection }, (_, index) => [index, createItem(index)]),
      ),
  );
  const pages = new Set<ServerResponse>();
  const write = (name: string, object: Item): string =>
    `event: set\ndata: ${JSON.stringify({ collection: name, object })}\nid: ${version}\n\n`;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [index, cache] of caches.entries()) {
      for (const object of cache.values()) response.write(write(names[index]!, object));
    }
    pages.add(response);
    response.on("close", () => pages.delete(response));
  });
  setInterval(() => {
    for (const page of pages) page.write(":\n\n");
  }, 15_000).unref();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    streams: () => pages.size,
    change: (index) => {
      const object = createItem(index % objectsPerCollection);
      caches[index % names.length]!.set(index % objectsPerCollection, object);
      const text = write(names[index % names.length]!, object);
      for (const page of pages) page.write(text);
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const collectGarbage = (): void => (Reflect.get(globalThis, "gc") as (() => void) | undefined)?.();

async function residentBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await turn();
  }
  return process.memoryUsage().rss;
}

const served = await (kind === "streams" ? serveStreams() : serveByHand());
const before = await residentBytes();
console.log(served.port);
// The readers tell when each of them has everything.
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== "connected") break;
  const bytesPerClient = ((await residentBytes()) - before) / clients;
  const start = process.cpuUsage();
  for (let index = 0; index < events; index++) {
    served.change(index);
    // Each change goes out before the next one, as with a server that is not overloaded.
    await turn();
    await turn();
  }
  const { system, user } = process.cpuUsage(start);
  const nanosecondsPerEvent = ((system + user) * 1000) / (events * served.streams());
  console.log(JSON.stringify({ bytesPerClient, nanosecondsPerEvent, streams: served.streams() }));
}
process.exit();
