/**
 * Serves a fake API server on a TCP port with Node's `http`.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 * import { listen } from "@listwatch/fake-apiserver/node";
 *
 * const listener = await listen(new FakeApiServer());
 * const answer = await fetch(`${listener.url}/version`);
 * console.assert(answer.status === 200);
 * await listener.close();
 * ```
 *
 * @module
 */
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { onAborted, checkOptions } from "@listwatch/core-fifo/base";
import { ConnectionResetError } from "../control/control-errors.ts";
import type { FetchHandler } from "../api/request.ts";
import { createListener, createTls } from "./create-listener.ts";
import { discardBody, toRequest } from "./node-request.ts";
import { resetStream, secureServer } from "./node-secure-server.ts";
import { acceptWebSockets } from "./node-web-socket.ts";
import { guardOrigins } from "./origin-guard.ts";
import { listenTable, type Listener, type ListenOptions } from "./listening.ts";

export type { FetchHandler } from "../api/request.ts";
export type { Listener, ListenerTls, ListenOptions } from "./listening.ts";

/**
 * Serves the handler over HTTP/1.1, and watches over WebSocket too. With TLS it also offers HTTP/2
 * on Node.
 *
 * Bodies are streamed both ways and read only as fast as the other side takes them; when the client
 * goes away the request's signal aborts; a {@link ConnectionResetError} becomes a TCP reset. On a
 * loopback address, requests for other names and from web pages are refused (see
 * {@link ListenOptions}).
 *
 * @throws the error of the operating system, `code` "EADDRINUSE" if the port is taken
 */
export async function listen(server: FetchHandler, options: ListenOptions = {}): Promise<Listener> {
  checkOptions(options, listenTable);
  const { port = 0, host = "127.0.0.1", allowedHosts = [], cors = [] } = options;
  let bound = host;
  const handler = guardOrigins(server, { host: () => bound, allowedHosts, cors });
  const tls = options.tls === true ? await createTls(host, allowedHosts) : undefined;
  const listener: http.RequestListener = (incoming, outgoing) => {
    void serve(handler, incoming, outgoing);
  };
  const httpServer = http.createServer(listener);
  const secure = tls === undefined ? undefined : await secureServer(tls, httpServer, listener);
  const bindable = secure?.server ?? httpServer;
  const closeWebSockets = acceptWebSockets(httpServer, handler);
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  bindable.once("error", reject);
  bindable.listen(port, host, resolve);
  await listening;
  bindable.off("error", reject);
  const address = bindable.address();
  if (typeof address === "object" && address !== null) bound = address.address;
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  const close = async (): Promise<void> => {
    const closed = Promise.withResolvers<void>();
    // A second close finds the server not running, which is what was wanted.
    bindable.close(() => closed.resolve());
    httpServer.closeAllConnections();
    secure?.closeAllConnections();
    closeWebSockets();
    await closed.promise;
  };
  return createListener({ host, port: boundPort, tls, close });
}

async function serve(
  server: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  let hasFinished = false;
  outgoing.once("finish", () => (hasFinished = true));
  outgoing.once("close", () => {
    if (!hasFinished) gone.abort();
  });
  // A broken socket is reported by "close" too; without a listener the error would end the process.
  incoming.on("error", () => undefined);
  outgoing.on("error", () => undefined);
  try {
    const request = toRequest(incoming, gone.signal);
    if (request === undefined) {
      outgoing.writeHead(400, { "Content-Type": "text/plain" }).end("Bad Request");
      return;
    }
    await send(await server.fetch(request), outgoing, gone.signal);
    discardBody(incoming);
  } catch (error) {
    if (resetStream(outgoing)) return;
    const { socket } = outgoing;
    // A TLS socket cannot send a reset and throws; without an end of TLS it is one to the client.
    // On Bun every socket of a server has the property.
    const canReset = socket !== null && Reflect.get(socket, "encrypted") !== true;
    if (error instanceof ConnectionResetError && canReset) socket.resetAndDestroy();
    else socket?.destroy();
  }
}

async function send(
  response: Response,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const { body } = response;
  if (body === null) {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end();
    return;
  }
  const reader = body.getReader();
  const cancel = (): void => {
    reader.cancel(gone.reason).catch(() => undefined);
  };
  const release = onAborted(gone, cancel);
  const writer = new BodyWriter(response, outgoing);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!writer.write(value)) await drained(outgoing, gone);
    }
    writer.end();
  } finally {
    writer.release();
    release();
  }
}

/**
 * Writes an answer so that a body of one chunk goes out in one piece with its length, and the head
 * of a watch does not wait for the first event: the first chunk is held until the second, the end,
 * or the next turn of the event loop.
 */
class BodyWriter {
  readonly #outgoing: ServerResponse;
  readonly #status: number;
  readonly #headers: Record<string, string | number>;
  readonly #turn: NodeJS.Immediate;
  #held: Uint8Array | undefined;

  constructor(response: Response, outgoing: ServerResponse) {
    this.#outgoing = outgoing;
    this.#status = response.status;
    this.#headers = Object.fromEntries(response.headers);
    this.#turn = setImmediate(() => this.#flush());
  }

  /** False when the other side should be waited for. */
  write(chunk: Uint8Array): boolean {
    if (!this.#outgoing.headersSent && this.#held === undefined) {
      this.#held = chunk;
      return true;
    }
    this.#flush();
    return this.#outgoing.write(chunk);
  }

  end(): void {
    if (!this.#outgoing.headersSent) {
      this.#headers["content-length"] = this.#held?.byteLength ?? 0;
      this.#outgoing.writeHead(this.#status, this.#headers);
    }
    this.#outgoing.end(this.#held);
    this.#held = undefined;
  }

  release(): void {
    clearImmediate(this.#turn);
  }

  #flush(): void {
    if (this.#outgoing.headersSent) return;
    this.#outgoing.writeHead(this.#status, this.#headers);
    if (this.#held === undefined) this.#outgoing.flushHeaders();
    else this.#outgoing.write(this.#held);
    this.#held = undefined;
  }
}

/** The socket takes more, or is gone. */
function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once("drain", resolve);
  const release = onAborted(gone, resolve);
  return promise.finally(() => {
    outgoing.off("drain", resolve);
    release();
  });
}
