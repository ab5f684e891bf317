import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What a proxy does to the answers that pass through it. */
export interface ProxyOptions {
  /** Hold each answer back until it has ended. @default false */
  readonly isBuffering?: boolean | undefined;
  /** Milliseconds that are added to the time in the field `Date`. @default 0 */
  readonly skewMs?: number | undefined;
}

/** A proxy before a server, on a free port. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts a proxy before the server at `target`, over plain HTTP. */
export async function startProxy(target: string, options: ProxyOptions): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const { headers, method, url } = incoming;
    const sent = request(`${target}${url}`, { method, headers }, (answer) => {
      void forward(answer, outgoing, options);
    });
    sent.once("error", () => outgoing.destroy());
    outgoing.once("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function forward(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  { isBuffering = false, skewMs = 0 }: ProxyOptions,
): Promise<void> {
  const date = new Date(Date.now() + skewMs).toUTCString();
  const { "content-type": type = "application/json" } = answer.headers;
  const headers = { "content-type": type, date };
  if (!isBuffering) {
    answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, headers));
    return;
  }
  const body = await buffer(answer).catch(() => undefined);
  outgoing.writeHead(answer.statusCode ?? 502, headers).end(body);
}
