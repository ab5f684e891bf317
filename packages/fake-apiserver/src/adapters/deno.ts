/**
 * Serves a fake API server on a TCP port with `Deno.serve`.
 *
 * @module
 */
import { linkAbort, checkOptions } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/request.ts";
import { createListener, createTls } from "./create-listener.ts";
import { guardOrigins } from "./origin-guard.ts";
import { eventTexts, isEventStream, isWebSocketWatch } from "./web-sockets.ts";
import { listenTable, type Listener, type ListenOptions } from "./listening.ts";

export type { FetchHandler } from "../api/request.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";

/** The part of Deno's global that is used here, so that the file compiles without Deno's types. */
declare const Deno: {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly signal: AbortSignal;
      readonly cert?: string;
      readonly key?: string;
      readonly onListen: () => void;
    },
    handler: (request: Request) => Promise<Response>,
  ): {
    readonly addr: { readonly hostname: string; readonly port: number };
    readonly finished: Promise<void>;
  };
  upgradeWebSocket(request: Request): { readonly response: Response; readonly socket: WebSocket };
};

/** The part of a WebSocket that is used here: other globals of the page are not there. */
interface WebSocket {
  /** Bytes that were sent and have not left. */
  readonly bufferedAmount: number;
  /** 1 while it is open. */
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: "close" | "error" | "open", listener: () => void): void;
}

/**
 * Serves the handler over HTTP/1.1 and HTTP/2, with TLS if asked for, but without client
 * certificates, which `Deno.serve` does not ask for.
 *
 * Bodies are streamed both ways; when the client goes away the request's signal aborts or the body
 * is cancelled; a {@link ConnectionResetError} before the answer becomes an empty 502, since
 * `Deno.serve` cannot reset a connection there, and in a body an unfinished one. On a loopback
 * address, requests for other names and from web pages are refused (see {@link ListenOptions}).
 *
 * @throws Deno.errors.AddrInUse if the port is taken
 */
export async function listen(server: FetchHandler, options: ListenOptions = {}): Promise<Listener> {
  checkOptions(options, listenTable);
  const { port = 0, host = "127.0.0.1", allowedHosts = [], cors = [] } = options;
  let bound = host;
  const handler = guardOrigins(server, { host: () => bound, allowedHosts, cors });
  const tls = options.tls === true ? await createTls(host, allowedHosts) : undefined;
  const own = tls && { cert: tls.server.certificate, key: tls.server.key };
  const stop = new AbortController();
  const httpServer = Deno.serve(
    { port, hostname: host, signal: stop.signal, onListen: () => undefined, ...own },
    (request) => serve(handler, request),
  );
  const { hostname, port: boundPort } = httpServer.addr;
  bound = hostname;
  const close = async (): Promise<void> => {
    stop.abort();
    await httpServer.finished;
  };
  return createListener({ host, port: boundPort, tls, close });
}

async function serve(server: FetchHandler, request: Request): Promise<Response> {
  const gone = linkAbort(request.signal);
  try {
    if (isWebSocketWatch(request)) return await upgrade(server, request);
    return await server.fetch(new Request(request, { signal: gone.signal }));
  } catch {
    return new Response(null, { status: 502 });
  } finally {
    // Deno aborts the signal after successful answers too, and cancels the body when the client
    // goes: from here on that is enough.
    gone.release();
  }
}

/** A watch over WebSocket, or the answer that it was refused with. */
async function upgrade(server: FetchHandler, request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  // From here on it is a watch like any other.
  headers.delete("upgrade");
  const gone = new AbortController();
  const { method, url } = request;
  const answer = await server.fetch(new Request(url, { method, headers, signal: gone.signal }));
  if (!isEventStream(answer)) return answer;
  const reader = answer.body.getReader();
  const { response, socket } = Deno.upgradeWebSocket(request);
  const end = (): void => {
    reader.cancel().catch(() => undefined);
    gone.abort();
  };
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  socket.addEventListener("open", () => {
    sendEvents(reader, socket).catch(() => socket.close());
  });
  return response;
}

async function sendEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  socket: WebSocket,
): Promise<void> {
  for await (const text of eventTexts(reader)) {
    socket.send(text);
    await drained(socket);
  }
  socket.close();
}

/** Bytes that may wait for a client that does not read; what else waits the watch bounds. */
const maxUnsent = 1024 * 1024;
const lookMs = 20;

/** No event tells that the other side has taken something. */
async function drained(socket: WebSocket): Promise<void> {
  while (socket.bufferedAmount > maxUnsent && socket.readyState === 1) {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, lookMs);
    });
  }
}
