import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { onAborted, recordOf } from "@listwatch/core-fifo/base";
import { denoRuntime } from "./deno-client.ts";
import type { Agents } from "./node-agents.ts";
import { bodyOf, type IncomingBody } from "./node-body.ts";

/** A request to send, possibly twice. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array | undefined;
  /**
   * Request whose signal ends the exchange. Kept until then: Node releases the signal's parents
   * when a request is collected, even while its signal is in use.
   */
  readonly request: Pick<Request, "signal">;
  /** Path of the socket to connect to, instead of the host of the address. */
  readonly socketPath: string | undefined;
}

/** Errors of a request on a connection that the server has closed. */
const staleCodes: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

/** Maximum size of the fields of a response, in bytes: Go's `Transport.MaxResponseHeaderBytes`. */
const maxHeaderSize = 10 * 1024 * 1024;

/** Codes of responses without a body: the Fetch standard, "null body status". */
const bodilessCodes: ReadonlySet<number> = new Set([204, 205, 304]);

/** Names of gzip as a content coding: RFC 9110 §8.4.1. */
const gzip = /^(x-)?gzip$/i;

/**
 * Sends a request. Resolves with the head of the response, whose body is unread.
 *
 * The server may have closed an unused connection. So nothing is written to one before the runtime
 * has had the chance to see that, and a request of which nothing was written is sent again, even a
 * write, like Go's `persistConn.shouldRetryRequest`. A GET is also sent once more if it was written
 * and no byte of a response has arrived.
 */
export async function exchange(outgoing: Outgoing, agents: Agents): Promise<Response> {
  for (let isFirst = true; ; isFirst = false) {
    const use = new ConnectionUse(outgoing.body);
    try {
      return await attempt(use, outgoing, agents);
    } catch (error) {
      if (outgoing.request.signal.aborted || !use.isReused) throw error;
      const isRead = outgoing.method === "GET" && isFirst;
      // Each repetition without a write has removed a closed connection, so the loop ends.
      if (!use.hasWrittenNothing(error) && !(isRead && isBroken(error))) throw error;
    }
  }
}

/** Whether an error can be that of a connection that the server has closed. */
export function isBroken(error: unknown): boolean {
  return staleCodes.has(recordOf(error)["code"]);
}

/** One request on one connection. */
class ConnectionUse {
  readonly #body: Uint8Array | undefined;
  #sent: ClientRequest | undefined;
  #writing: "not yet" | "in this turn" | "done" = "not yet";

  constructor(body: Uint8Array | undefined) {
    this.#body = body;
  }

  /** Whether an earlier request has used the connection. */
  get isReused(): boolean {
    return this.#sent?.reusedSocket === true;
  }

  /** Whether the request was left to the runtime, even if it has written nothing yet. */
  get isWritten(): boolean {
    return this.#writing !== "not yet";
  }

  /** Writes the request. To a used connection only after the network was polled. */
  write(sent: ClientRequest): void {
    this.#sent = sent;
    // Deno makes a new connection for writes, and repeats other requests.
    if (denoRuntime() !== undefined) return this.#end(sent);
    // The runtime writes nothing before it has assigned a connection.
    sent.once("socket", () => {
      if (sent.reusedSocket) afterPolling(() => this.#end(sent));
      else this.#end(sent);
    });
  }

  #end(sent: ClientRequest): void {
    if (sent.destroyed) return;
    this.#writing = "in this turn";
    setImmediate(() => (this.#writing = "done"));
    sent.end(this.#body);
  }

  /**
   * Whether the error shows that no byte has reached the system. Fields and body are written by one
   * call. If that fails at once, in the same turn, it has taken nothing.
   */
  hasWrittenNothing(error: unknown): boolean {
    if (this.#writing === "not yet") return true;
    return this.#writing === "in this turn" && recordOf(error)["syscall"] === "write";
  }
}

/**
 * Calls a function after the runtime has polled the network. The first callback ends the current
 * turn of the event loop, which may have polled before; the second one ends the next turn.
 */
export function afterPolling(action: () => void): void {
  setImmediate(() => setImmediate(action));
}

function attempt(use: ConnectionUse, outgoing: Outgoing, agents: Agents): Promise<Response> {
  const { request } = outgoing;
  return new Promise((resolve, reject) => {
    const endUse = agents.begin();
    const sent = start(outgoing, agents);
    // One listener for each exchange, removed at its end: a shared signal must not collect them.
    const removeListener = onAborted(request.signal, () => sent.destroy());
    const end = (): void => {
      removeListener();
      endUse();
    };
    sent.on("error", (error) => {
      end();
      reject(request.signal.aborted ? (request.signal.reason as unknown) : error);
    });
    sent.on("response", (incoming) => {
      incoming.on("close", end);
      if (!use.isWritten) {
        // Such as a 408 with which the server closes the connection. It answers no request.
        incoming.destroy();
        return reject(new Error("the server answered before it was asked"));
      }
      try {
        resolve(responseOf(incoming, outgoing));
      } catch (error) {
        // An error thrown in a listener would end the program, and a server must not cause that.
        incoming.destroy();
        reject(error);
      }
    });
    // Without this listener a response that switches protocols would never arrive.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      end();
      reject(new Error("the server answered 101 and would switch protocols"));
    });
    use.write(sent);
  });
}

function start({ method, url, headers, socketPath }: Outgoing, agents: Agents): ClientRequest {
  const { protocol } = new URL(url);
  const send = protocol === "https:" ? requestHttps : requestHttp;
  const where = socketPath === undefined ? {} : { socketPath };
  // Deno's `node:https` repeats any request, even a write, when a reused connection breaks. So a
  // write gets a new connection there.
  const isFresh = method !== "GET" && denoRuntime() !== undefined;
  const agent = agents.for(protocol, isFresh);
  const sent = send(url, { method, headers, agent, maxHeaderSize, ...where });
  // The time limit of unused connections must not end a quiet watch, whose reader has a limit.
  sent.setTimeout(0);
  return sent;
}

function responseOf(incoming: IncomingMessage, outgoing: Outgoing): Response {
  const { statusCode: status = 502, rawHeaders } = incoming;
  const body: IncomingBody = {
    incoming,
    isComplete: () => incoming.complete,
    cancel: () => incoming.destroy(),
  };
  return createResponse({ status, rawHeaders, body }, outgoing);
}

/** The head of a response, and its unread body. */
export interface IncomingHead {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: IncomingBody;
}

/** @throws {Error} if no response can have this head */
export function createResponse(head: IncomingHead, { method, request }: Outgoing): Response {
  const { status, rawHeaders } = head;
  if (status < 200 || status > 599) {
    throw new Error(`the server answered with the code ${status}, which HTTP does not have`);
  }
  const hasBody = !bodilessCodes.has(status) && method !== "HEAD";
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const isZipped = gzip.test(headers.get("content-encoding") ?? "");
  if (isZipped) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  if (!hasBody) head.body.incoming.resume();
  const body = hasBody ? bodyOf(head.body, { isZipped, request }) : null;
  return new Response(body, { status, headers });
}
