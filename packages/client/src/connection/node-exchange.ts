import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { onAborted } from "@listwatch/core-fifo/base";
import { denoRuntime } from "./deno-client.ts";
import type { Agents } from "./node-agents.ts";
import { bodyOf } from "./node-body.ts";

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

/** Codes of responses without a body: the Fetch standard, "null body status". */
const bodilessCodes: ReadonlySet<number> = new Set([204, 205, 304]);

/** Names of gzip as a content coding: RFC 9110 §8.4.1. */
const gzip = /^(x-)?gzip$/i;

/**
 * Sends a request. Resolves with the head of the response, whose body is unread. A GET that fails
 * on a reused connection before any byte of a response is sent once more: the server may have
 * closed the connection.
 */
export function exchange(outgoing: Outgoing, agents: Agents): Promise<Response> {
  return attempt(outgoing, agents, outgoing.method === "GET" ? 2 : 1);
}

function attempt(outgoing: Outgoing, agents: Agents, attempts: number): Promise<Response> {
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
      if (request.signal.aborted) return reject(request.signal.reason as unknown);
      const isStale = sent.reusedSocket && "code" in error && staleCodes.has(error.code);
      if (isStale && attempts > 1) resolve(attempt(outgoing, agents, attempts - 1));
      else reject(error);
    });
    sent.on("response", (incoming) => {
      incoming.on("close", end);
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
    sent.end(outgoing.body);
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
  const sent = send(url, { method, headers, agent, ...where });
  // The time limit of unused connections must not end a quiet watch, whose reader has a limit.
  sent.setTimeout(0);
  return sent;
}

function responseOf(incoming: IncomingMessage, { method, request }: Outgoing): Response {
  const { statusCode: status = 502, rawHeaders } = incoming;
  if (status < 200 || status > 599) {
    throw new Error(`the server answered with the code ${status}, which HTTP does not have`);
  }
  const hasBody = !bodilessCodes.has(status) && method !== "HEAD";
  const isZipped = gzip.test(incoming.headers["content-encoding"] ?? "");
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  if (isZipped) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  if (!hasBody) incoming.resume();
  const body = hasBody ? bodyOf(incoming, { isZipped, request }) : null;
  return new Response(body, { status, headers });
}
