// A server that only sends what it prepared: the client is what is measured. Its argument is a workload as JSON.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eventChunks, eventLine, firstEventVersion, listBody, type Workload } from "./workload.ts";

const workload = JSON.parse(process.argv[2] ?? "{}") as Workload;
const list = listBody(workload.pods);
const listBytes = list.reduce((sum, piece) => sum + piece.length, 0);
const events = eventChunks(workload);
const watches = new Set<ServerResponse>();

async function send(response: ServerResponse, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await room(response);
  }
}

/** Resolves when the response takes more, or never will. */
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

/** So many events a second for so long, each with the time of its sending. */
async function sendAtRate(hertz: number, seconds: number): Promise<void> {
  const total = hertz * seconds;
  const start = performance.now();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * hertz));
    for (; sent < due; sent++) {
      const line = eventLine("MODIFIED", 3, firstEventVersion + sent);
      const stamp = `"sent":"${process.hrtime.bigint()}",`;
      for (const watch of watches)
        watch.write(line.replace('"checksum/config"', `${stamp}"checksum/config"`));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
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

async function control(command: string, parameters: URLSearchParams): Promise<void> {
  const [watch] = [...watches].toReversed();
  if (command === "stream" && watch !== undefined) await send(watch, events);
  if (command === "rate")
    await sendAtRate(Number(parameters.get("hz")), Number(parameters.get("seconds")));
  if (command === "expire") watch?.end(`${JSON.stringify(expired)}\n`);
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://bench");
  const [, root, command = ""] = url.pathname.split("/");
  response.on("error", () => undefined);
  if (root === "control") {
    void control(command, url.searchParams).then(() => response.end("done"));
  } else if (root === "events") {
    void send(response, events).then(() => response.end());
  } else if (url.searchParams.get("watch") === "true") {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    watches.add(response);
    response.on("close", () => watches.delete(response));
  } else {
    response.writeHead(200, { "content-type": "application/json", "content-length": listBytes });
    void send(response, list).then(() => response.end());
  }
});
server.requestTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
