import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ServingCertificate } from "../certificates/certificate-source.ts";
import { Calls } from "./node-calls.ts";

/** Answers a request. */
export type Handle = (request: Request) => Promise<Response>;

/** A port that is served with TLS. */
export interface Listener {
  readonly port: number;
  /**
   * Serves new connections with another certificate. Existing ones go on.
   *
   * @throws if certificate and key cannot be used
   */
  setCertificate(certificate: ServingCertificate): void;
  /** Ends each connection with its next answer, so that clients open their next one elsewhere. */
  drain(): void;
  /** Accepts no more connections, and resolves when all requests are answered. */
  close(): Promise<void>;
}

/**
 * Time after which an idle connection is closed, in milliseconds. It exceeds the 90 s of Go's
 * `http.DefaultTransport`, so that API servers close idle connections first. Otherwise, a server
 * could close one while a review is in flight, and Go does not repeat a POST.
 */
export const idleTimeoutMs = 120_000;

/** Listens with Node's modules, which Deno has as well. */
export async function listenOnNode(
  handle: Handle,
  { certificate, key }: ServingCertificate,
  { host, port }: { readonly host: string | undefined; readonly port: number },
): Promise<Listener> {
  const calls = new Calls();
  const sockets = new Set<Socket>();
  const counted: Handle = (request) => calls.answer(() => handle(request));
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    answer(counted, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // Also those on which no request has been sent: Go keeps a connection that it did not need.
  for (const event of ["connection", "secureConnection"]) {
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  }
  server.keepAliveTimeout = idleTimeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    setCertificate: (next) => server.setSecureContext({ cert: next.certificate, key: next.key }),
    drain: () => void (calls.isDraining = true),
    close: () => closeServer(server, calls, sockets),
  };
}

/** Clients keep connections open that are idle, and not every runtime closes these by itself. */
async function closeServer(
  server: Server,
  calls: Calls,
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  await calls.untilAnswered();
  for (const socket of sockets) socket.destroy();
  await closed;
}

async function answer(
  handle: Handle,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = requestOf(incoming, outgoing);
  if (request === undefined) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = await handle(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}

/** Undefined without a usable URL, and for a method that `Request` refuses (CONNECT, TRACE). */
function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request | undefined {
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  const { method = "GET" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  try {
    const url = new URL(incoming.url ?? "/", `https://${incoming.headers.host ?? "localhost"}`);
    const body = hasBody ? bodyOf(incoming) : null;
    const init = { method, headers, body, signal: gone.signal, duplex: "half" };
    return new Request(url, init);
  } catch {
    return undefined;
  }
}

/**
 * The body of a request. The rest that is not read is discarded, so that the client gets the
 * answer. With `Readable.toWeb`, Deno ends the process if a body goes on after its reader has
 * left.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  incoming.pause();
  const discard = (): void => {
    incoming.removeAllListeners("data").removeAllListeners("end").resume();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on("data", (piece: Uint8Array) => {
          incoming.pause();
          controller.enqueue(piece);
        });
        incoming.once("end", () => controller.close());
        const fail = (error?: Error): void => {
          discard();
          controller.error(error ?? new Error("the connection has ended"));
        };
        incoming.once("error", fail);
        // Without an error on some runtimes.
        incoming.once("close", fail);
      },
      pull: () => void incoming.resume(),
      cancel: discard,
    },
    { highWaterMark: 0 },
  );
}
