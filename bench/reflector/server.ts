// A server that only sends prepared bytes, since the client is measured. Its argument is a workload
// as JSON.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Collection } from "./collection.ts";
import { encodeWorkload } from "./protobuf-bodies.ts";
import { eventLine, versionAt, type Workload } from "./workload.ts";

const workload = JSON.parse(process.argv[2] ?? "{}") as Workload;
const collection = new Collection(workload);
const watches = new Set<ServerResponse>();
const protobuf = workload.hasProtobuf === true ? await encodeWorkload(workload) : undefined;
const protobufType = "application/vnd.kubernetes.protobuf";
/** Watches that receive protobuf. */
const protobufWatches = new WeakSet<ServerResponse>();

async function send(response: ServerResponse, pieces: Iterable<Buffer>): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await room(response);
  }
}

/** Resolves when the response accepts more data, or has closed. */
function room(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

/** Number of events sent at a rate; the next one continues their history. */
let sentAtRate = 0;

/** Sends events at a rate, each with the time of its sending. */
async function sendAtRate(hertz: number, seconds: number): Promise<void> {
  const total = hertz * seconds;
  const before = sentAtRate;
  sentAtRate += total;
  const index = 3;
  const start = performance.now();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * hertz));
    for (; sent < due; sent++) {
      const line = eventLine({ type: "MODIFIED", index, version: versionAt(before + sent) });
      // Not hrtime, whose origin differs between runtimes.
      const stamp = `"sent":"${performance.timeOrigin + performance.now()}",`;
      // A label, which each form keeps.
      for (const watch of watches) watch.write(line.replace('"labels":{', `"labels":{${stamp}`));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  collection.set(index, versionAt(before + total - 1));
}

const expired = {
  type: "ERROR",
  object: {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Expired",
    code: 410,
    message: "gone",
  },
};

/** Faults of the watch in the middle of the events; returns whether it still sends the rest. */
const faults: Readonly<Record<string, (watch: ServerResponse) => boolean>> = {
  reset: (watch) => {
    watch.socket?.resetAndDestroy();
    return false;
  },
  "half-open": () => false,
  expired: (watch) => {
    expire(watch);
    return false;
  },
  // The rest has more than one event for each pod, so that the final state is correct.
  "no metadata": () => inserted('{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1"}}\n'),
  "older state": () => inserted(eventLine({ type: "MODIFIED", index: 3, version: 1_000_003 })),
  "line separator": () => {
    const index = workload.pods;
    const version = collection.middleVersion;
    const line = eventLine({ type: "ADDED", index, version });
    collection.set(index, version);
    return inserted(line.replace('"annotations":{', '"annotations":{"text":"one\u2028two",'));
  },
};

function inserted(lines: string): true {
  collection.insert(lines);
  return true;
}

function expire(watch: ServerResponse | undefined): void {
  watch?.end(`${JSON.stringify(expired)}\n`);
}

async function stream(watch: ServerResponse, fault: string | null): Promise<void> {
  const befall = faults[fault ?? ""];
  if (befall === undefined) {
    const chunks = protobufWatches.has(watch) ? protobuf?.events : undefined;
    await send(watch, chunks?.map(({ bytes }) => bytes) ?? collection.events(0));
    collection.happen();
    return;
  }
  await send(watch, collection.events(0, collection.middle));
  collection.happen();
  if (befall(watch)) await send(watch, collection.events(collection.middle));
}

async function control(command: string, parameters: URLSearchParams): Promise<string> {
  const [watch] = [...watches].toReversed();
  const number = (name: string): number => Number(parameters.get(name));
  switch (command) {
    case "restore":
      collection.restore();
      break;
    case "state":
      return JSON.stringify(collection.state());
    case "watches":
      return String(watches.size);
    case "stream":
      if (watch !== undefined) await stream(watch, parameters.get("fault"));
      break;
    case "rate":
      await sendAtRate(number("hz"), number("seconds"));
      break;
    case "touch":
      collection.touchEvery(number("every"));
      break;
    case "drop":
      collection.dropEvery(number("every"));
      break;
    case "expire":
      expire(watch);
  }
  return "done";
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://bench");
  const [, root, command = ""] = url.pathname.split("/");
  const wantsProtobuf = request.headers.accept?.startsWith(protobufType) === true;
  const encoded = wantsProtobuf ? protobuf : undefined;
  const type = encoded === undefined ? "application/json" : protobufType;
  response.on("error", () => undefined);
  if (root === "control") {
    void control(command, url.searchParams).then((answer) => response.end(answer));
  } else if (root === "events") {
    void send(response, collection.events(0)).then(() => response.end());
  } else if (url.searchParams.get("watch") === "true") {
    response.writeHead(200, { "content-type": `${type};stream=watch` }).flushHeaders();
    watches.add(response);
    if (encoded !== undefined) protobufWatches.add(response);
    response.on("close", () => watches.delete(response));
    const version = Number(url.searchParams.get("resourceVersion"));
    if (url.searchParams.get("sendInitialEvents") === "true") {
      void send(response, encoded?.initialEvents ?? collection.initialEvents());
    } else if (collection.isBehind(version)) void send(response, collection.eventsAfter(version));
  } else {
    const pieces = encoded?.list ?? collection.list();
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    response.writeHead(200, { "content-type": type, "content-length": bytes });
    void send(response, pieces).then(() => response.end());
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
