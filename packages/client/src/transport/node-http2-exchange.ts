import { constants, type ClientHttp2Stream, type OutgoingHttpHeaders } from "node:http2";
import { hasCode, onAborted, recordOf } from "@listwatch/core-fifo/base";
import type { Agents } from "./node-agents.ts";
import { brokenOff, type IncomingBody } from "./node-body.ts";
import {
  afterPolling,
  createResponse,
  exchange,
  isBroken,
  type Outgoing,
} from "./node-exchange.ts";
import type { Http2Connection } from "./node-http2-connection.ts";
import { Http2Pool, type Room } from "./node-http2-pool.ts";

/** Fields that only HTTP/1.1 has: RFC 9113 §8.2.2. `host` is `:authority`. */
const fieldsOfConnections: ReadonlySet<string> = new Set([
  "connection",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Number of refusals of one request before it fails. */
const maxRefusals = 3;

/** The server has connected this request to another server: RFC 9110 §15.5.20. */
const misdirected = 421;

/** The server has not processed the request, even if it is a write: RFC 9113 §8.7. */
class UnprocessedError extends Error {
  override readonly name = "UnprocessedError";
  /** Code of broken connections, by which clients recognise it. */
  readonly code = "ECONNRESET";
}

/**
 * Sends a request over HTTP/2, or over HTTP/1.1 if the server has nothing else. Resolves with the
 * head of the response, whose body is unread.
 *
 * A request that the server has not processed is sent again, even a write. A GET is also sent once
 * more if a connection that was unused broke before the response, as over HTTP/1.1.
 */
export async function exchangeHttp2(outgoing: Outgoing, agents: Agents): Promise<Response> {
  const endUse = agents.begin();
  const attempts = new Attempts(outgoing, agents);
  try {
    for (;;) {
      const room = await agents.sessions(createPool).take(attempts.url, attempts.signal);
      // Its exchange begins before this one ends, so that the agents stay.
      if (room === undefined) return exchange(outgoing, agents);
      const response = await attempts.make(room);
      if (response !== undefined) return response;
    }
  } finally {
    endUse();
  }
}

const createPool = (agents: Agents): Http2Pool => new Http2Pool(agents);

/** Attempts of one request. */
class Attempts {
  readonly url: URL;
  readonly #outgoing: Outgoing;
  readonly #agents: Agents;
  #refusals = 0;
  #isRepeated = false;
  #isMisdirected = false;

  constructor(outgoing: Outgoing, agents: Agents) {
    this.url = new URL(outgoing.url);
    this.#agents = agents;
    this.#outgoing = outgoing;
  }

  get signal(): AbortSignal {
    return this.#outgoing.request.signal;
  }

  /** Returns `undefined` if another connection should be tried. */
  async make({ connection, wasIdle }: Room): Promise<Response | undefined> {
    try {
      // The runtime may not have seen yet that the server has closed the connection.
      if (wasIdle) await new Promise<void>(afterPolling);
      const response = await send(this.#outgoing, connection, this.#agents);
      if (response.status !== misdirected || this.#isMisdirected) return response;
      this.#isMisdirected = true;
      connection.retire();
      await response.body?.cancel();
      return undefined;
    } catch (error) {
      if (this.signal.aborted || !this.#isRepeatable(error, connection, wasIdle)) throw error;
      return undefined;
    }
  }

  #isRepeatable(error: unknown, connection: Http2Connection, wasIdle: boolean): boolean {
    if (error instanceof UnprocessedError) {
      if (connection.isOpen) connection.noteRefusal();
      this.#refusals++;
      return this.#refusals < maxRefusals;
    }
    const isRead = this.#outgoing.method === "GET" && !this.#isRepeated;
    this.#isRepeated = true;
    return wasIdle && isRead && isBroken(error);
  }
}

function send(outgoing: Outgoing, connection: Http2Connection, agents: Agents): Promise<Response> {
  const { body, request } = outgoing;
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const endUse = agents.begin();
    const stream = startStream(outgoing, connection);
    if (stream instanceof Error) {
      connection.release();
      endUse();
      return reject(signal.aborted ? (signal.reason as unknown) : stream);
    }
    const cancel = (): void => stream.close(constants.NGHTTP2_CANCEL);
    // One listener for each exchange, removed at its end: a shared signal must not collect them.
    const removeListener = onAborted(signal, cancel);
    const fail = (error: unknown): void =>
      reject(signal.aborted ? (signal.reason as unknown) : error);
    refuseEarlyEnd(stream);
    let cause: unknown;
    stream.on("error", (error) => (cause = error));
    stream.once("close", () => {
      removeListener();
      connection.release();
      endUse();
      fail(errorOf(stream, cause));
    });
    stream.once("response", (_headers, _flags, rawFields) => {
      try {
        resolve(responseOf(stream, rawFields, outgoing));
      } catch (error) {
        // An error thrown in a listener would end the program, and a server must not cause that.
        cancel();
        reject(error);
      }
    });
    if (body !== undefined) stream.end(body);
  });
}

/** Returns the error of a connection on which no request can start. */
function startStream(
  outgoing: Outgoing,
  connection: Http2Connection,
): ClientHttp2Stream | UnprocessedError {
  try {
    outgoing.request.signal.throwIfAborted();
    return connection.request(fieldsOf(outgoing), outgoing.body !== undefined);
  } catch (cause) {
    return new UnprocessedError("The connection was closed before the request", { cause });
  }
}

function fieldsOf({ headers, method, url }: Outgoing): OutgoingHttpHeaders {
  const { host, pathname, search } = new URL(url);
  const fields: OutgoingHttpHeaders = {
    ":method": method,
    ":scheme": "https",
    ":authority": String(headers["host"] ?? host),
    ":path": `${pathname}${search}`,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!fieldsOfConnections.has(name)) fields[name] = value;
  }
  return fields;
}

/**
 * Ends a body with an error when the server resets its stream without one. The runtime would end it
 * as if it were complete, but marks the stream as closed before that.
 */
function refuseEarlyEnd(stream: ClientHttp2Stream): void {
  let hasArrived = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk !== null) return push(chunk, encoding);
    if (stream.closed && !hasArrived) {
      queueMicrotask(() => stream.destroy(brokenOff()));
      return false;
    }
    hasArrived = true;
    return push(null);
  };
}

function responseOf(
  stream: ClientHttp2Stream,
  rawFields: readonly string[],
  outgoing: Outgoing,
): Response {
  const status = Number(rawFields[rawFields.indexOf(":status") + 1]);
  const rawHeaders = rawFields.flatMap((name, index) =>
    index % 2 === 0 && !name.startsWith(":") ? [name, rawFields[index + 1] ?? ""] : [],
  );
  const body: IncomingBody = {
    incoming: stream,
    isComplete: () => stream.readableEnded,
    cancel: () => stream.close(constants.NGHTTP2_CANCEL),
    errorOf: (cause) => errorOf(stream, cause),
  };
  return createResponse({ status, rawHeaders, body }, outgoing);
}

/** Codes of errors of the runtime for streams and connections that have ended. */
const endedCodes: ReadonlySet<unknown> = new Set([
  "ERR_HTTP2_GOAWAY_SESSION",
  "ERR_HTTP2_INVALID_SESSION",
  "ERR_HTTP2_INVALID_STREAM",
  "ERR_HTTP2_SESSION_ERROR",
  "ERR_HTTP2_STREAM_CANCEL",
  "ERR_HTTP2_STREAM_ERROR",
]);

/** Returns the error of a stream that ended early, with a code that HTTP/1.1 has for it. */
function errorOf(stream: ClientHttp2Stream, cause: unknown): unknown {
  if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) {
    return new UnprocessedError("The server has refused the request", { cause });
  }
  const inner = recordOf(cause)["cause"];
  if (hasCode(cause, "ERR_HTTP2_STREAM_CANCEL") && inner !== undefined) return inner;
  if (cause !== undefined && !endedCodes.has(recordOf(cause)["code"])) return cause;
  return cause === undefined ? brokenOff() : Object.assign(brokenOff(), { cause });
}
