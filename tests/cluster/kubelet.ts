import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The log of every container. */
const lines = ["one", "two", "three"];

/**
 * Answers the API server's requests for logs like a kubelet. With `follow=true` it pauses before
 * each line.
 *
 * @returns its port
 */
export async function startKubelet(pki: string): Promise<number> {
  const pem = (file: string): Buffer => readFileSync(join(pki, file));
  const options = { cert: pem("server.crt"), key: pem("server.key") };
  const server = createServer(options, (request, response) => {
    const url = new URL(request.url ?? "/", "http://kubelet");
    if (url.pathname.startsWith("/containerLogs/")) void sendLog(url.searchParams, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  return (server.address() as AddressInfo).port;
}

async function sendLog(query: URLSearchParams, response: ServerResponse): Promise<void> {
  const pauseMs = query.get("follow") === "true" ? 200 : 0;
  response.writeHead(200, { "content-type": "text/plain" });
  for (const line of lines.slice(-Number(query.get("tailLines") ?? lines.length))) {
    response.write(`${line}\n`);
    await delay(pauseMs);
  }
  response.end();
}
