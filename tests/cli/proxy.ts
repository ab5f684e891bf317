import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface ProxyOptions {
  /** Whether each response is held back until it is complete. @default false */
  readonly isBuffering?: boolean | undefined;
  /** Milliseconds added to the header `Date`. @default 0 */
  readonly skewMs?: number | undefined;
}

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts a plain HTTP proxy for the server at `target`, on a free port. */
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
  const { "content-encoding": encoding, "content-type": type = "application/json" } =
    answer.headers;
  const headers = {
    "content-type": type,
    date,
    ...(encoding !== undefined && { "content-encoding": encoding }),
  };
  if (!isBuffering) {
    answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, headers));
    return;
  }
  const body = await buffer(answer).catch(() => undefined);
  outgoing.writeHead(answer.statusCode ?? 502, headers).end(body);
}
