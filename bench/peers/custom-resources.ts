// A server of custom resources for the comparison with peers, which only sends prepared bytes. Its
// argument is {@link CustomResources} as JSON. Each object has the content of a pod.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  firstListVersion,
  firstObjectVersion,
  servedPod,
  versionAt,
} from "../reflector/workload.ts";

/** Kinds of equal size, `example.com/v1` with the plural `kind0s` and so on. */
export interface CustomResources {
  readonly kinds: number;
  /** Objects of each kind, each of which changes once. */
  readonly objects: number;
}

const { kinds, objects } = JSON.parse(process.argv[2] ?? "{}") as CustomResources;
const chunkLength = 65_536;

/** Prepared bodies of a kind. */
interface Bodies {
  readonly list: readonly Buffer[];
  /** The list as a stream. */
  readonly initialEvents: readonly Buffer[];
  readonly events: readonly Buffer[];
}

function encode(at: number): Bodies {
  const type = { apiVersion: "example.com/v1", kind: `Kind${at}` };
  const text = (index: number, version: number): string =>
    JSON.stringify({ ...type, ...servedPod(index, String(version)) });
  const line = (eventType: string, object: string): string =>
    `{"type":"${eventType}","object":${object}}\n`;
  const indexes = Array.from({ length: objects }, (_, index) => index);
  const items = indexes.map((index) => text(index, firstObjectVersion + index));
  const metadata = { resourceVersion: String(firstListVersion) };
  const head = JSON.stringify({ ...type, kind: `Kind${at}List`, metadata }).slice(0, -1);
  const annotations = { "k8s.io/initial-events-end": "true" };
  const bookmark = JSON.stringify({ ...type, metadata: { ...metadata, annotations } });
  return {
    list: joined([
      `${head},"items":[`,
      ...items.map((item, index) => (index === 0 ? item : `,${item}`)),
      "]}\n",
    ]),
    initialEvents: joined([
      ...items.map((item) => line("ADDED", item)),
      line("BOOKMARK", bookmark),
    ]),
    events: joined(indexes.map((index) => line("MODIFIED", text(index, versionAt(index))))),
  };
}

/** Joins pieces to chunks of about the same length. */
function joined(pieces: readonly string[]): Buffer[] {
  const chunks: Buffer[] = [];
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < chunkLength) continue;
    chunks.push(Buffer.from(text));
    text = "";
  }
  return [...chunks, Buffer.from(text)];
}

const bodies = new Map(
  Array.from({ length: kinds }, (_, at) => [`/apis/example.com/v1/kind${at}s`, encode(at)]),
);
const watches = new Map<ServerResponse, Bodies>();

async function send(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await room(response);
  }
}

/** Resolves when the response accepts more data, or has closed. */
function room(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ["drain", "close"]) response.once(event, resolve);
  return promise;
}

async function control(command: string | undefined): Promise<string> {
  if (command === "watches") return String(watches.size);
  if (command === "stream") {
    await Promise.all(Array.from(watches, async ([watch, { events }]) => send(watch, events)));
  }
  return "done";
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://bench");
  const [, root, command] = url.pathname.split("/");
  response.on("error", () => undefined);
  if (root === "control") {
    void control(command).then((answer) => response.end(answer));
    return;
  }
  const found = bodies.get(url.pathname);
  if (found === undefined) {
    response.writeHead(404).end();
  } else if (url.searchParams.has("watch")) {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    watches.set(response, found);
    response.on("close", () => watches.delete(response));
    if (url.searchParams.get("sendInitialEvents") === "true")
      void send(response, found.initialEvents);
  } else {
    response.writeHead(200, { "content-type": "application/json" });
    void send(response, found.list).then(() => response.end());
  }
});
// Exits with the program that started it, however that ends.
process.stdin.on("end", () => process.exit()).resume();
server.requestTimeout = 0;
// A client that is busy for seconds would use a connection that was closed meanwhile.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
