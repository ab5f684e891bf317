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
import { ConnectionResetError } from "../faults/stream/connection-reset-error.ts";
import type { FetchHandler } from "../api/fetch-handler.ts";
import { listenerUrl, type Listener, type ListenOptions } from "./listening.ts";

export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenOptions } from "./listening.ts";

/**
 * Serves the handler over HTTP/1.1.
 *
 * Bodies are streamed both ways and read only as fast as the other side takes them; when the client
 * goes away the request's signal aborts; a {@link ConnectionResetError} becomes a TCP reset.
 *
 * @throws the error of the operating system, `code` "EADDRINUSE" if the port is taken
 */
export async function listen(
  server: FetchHandler,
  { port = 0, host = "127.0.0.1" }: ListenOptions = {},
): Promise<Listener> {
  const httpServer = http.createServer((incoming, outgoing) => {
    void serve(server, incoming, outgoing);
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  httpServer.once("error", reject);
  httpServer.listen(port, host, resolve);
  await listening;
  httpServer.off("error", reject);
  const address = httpServer.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  const close = async (): Promise<void> => {
    const closed = Promise.withResolvers<void>();
    // A second close finds the server not running, which is what was wanted.
    httpServer.close(() => closed.resolve());
    httpServer.closeAllConnections();
    await closed.promise;
  };
  return {
    url: listenerUrl(host, boundPort),
    port: boundPort,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function serve(
  server: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
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
    const { socket } = outgoing;
    if (error instanceof ConnectionResetError) socket?.resetAndDestroy();
    else socket?.destroy();
  }
}

/** Undefined for requests that have no URL or a method that `Request` refuses (CONNECT, TRACE). */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.append(raw[index] ?? "", raw[index + 1] ?? "");
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  const url = `http://${incoming.headers.host ?? "localhost"}${incoming.url ?? "/"}`;
  try {
    return new Request(url, {
      method,
      headers,
      signal,
      ...(hasBody ? { body: bodyOf(incoming), duplex: "half" } : {}),
    });
  } catch {
    return undefined;
  }
}

/** The request's body, read only when asked for. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  incoming.pause();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on("data", (chunk: Uint8Array) => {
          incoming.pause();
          controller.enqueue(chunk);
        });
        incoming.once("end", () => controller.close());
        incoming.once("error", (error) => controller.error(error));
      },
      pull: () => {
        incoming.resume();
      },
      cancel: () => discardBody(incoming),
    },
    { highWaterMark: 0 },
  );
}

/** What the handler left unread of a body would block the next request of the connection. */
function discardBody(incoming: IncomingMessage): void {
  incoming.removeAllListeners("data");
  incoming.removeAllListeners("end");
  incoming.resume();
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
  if (gone.aborted) cancel();
  gone.addEventListener("abort", cancel);
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
    gone.removeEventListener("abort", cancel);
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
  const settle = (): void => {
    outgoing.off("drain", settle);
    gone.removeEventListener("abort", settle);
    resolve();
  };
  if (gone.aborted) return Promise.resolve();
  outgoing.on("drain", settle);
  gone.addEventListener("abort", settle);
  return promise;
}
