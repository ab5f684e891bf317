import {
  callHook,
  createInvalidOptionError,
  describeBytes,
  isRecord,
  ListwatchError,
  systemRandom,
  type Clock,
  type Random,
  aNumber,
  anInteger,
  anObject,
  anything,
  aSignal,
  aString,
  oneOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { DecodeError } from "../errors/decode-errors.ts";
import { networkErrorFrom } from "../errors/network-error.ts";
import type { RefusedRequest } from "../errors/status-error.ts";
import { checkServer } from "./address.ts";
import { makeAttempts, noteRepetition } from "./attempts.ts";
import { checkConnection, type Connection } from "./connection.ts";
import { readStatusError, type StatusReader } from "./error-response.ts";
import { sentFieldsOf } from "./headers.ts";
import { redirectErrorOf } from "./redirect.ts";
import { Secrets } from "./secrets.ts";
import { bytePieces } from "./byte-pieces.ts";
import { parseWarnings, type Warning } from "./warnings.ts";

/** Parameters of a query. `undefined` and `""` are not sent. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** One request to an API server. */
export interface ApiRequest {
  /**
   * HTTP method. A GET is also repeated after failures of the network or the server, others only
   * after a refusal.
   */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * Path below the address of the server. It starts with a slash and contains no `.` or `..`
   * segments.
   */
  readonly path: string;
  /**
   * Parameters of the query, which are encoded. `undefined` and `""` are not sent.
   *
   * @default none
   */
  readonly query?: QueryParameters | undefined;
  /** Media types of the response, best first, for the Accept header. @default "application/json" */
  readonly accept?: string | undefined;
  /** Body, sent as JSON by {@link RequesterOptions.toText}. @default none */
  readonly body?: unknown;
  /**
   * Media type of the body.
   *
   * @default "application/json"
   */
  readonly contentType?: string | undefined;
  /**
   * The attempted action, as the start of error messages.
   *
   * @default the method and the address
   */
  readonly attempted?: string | undefined;
  /** Aborts the request, which rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** A request whose response is one object. */
export interface UnaryRequest extends ApiRequest {
  /**
   * Time limit of the request with all its repetitions, in milliseconds.
   *
   * @default the requester's
   */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of repetitions after a failure; 0 for none. @default the requester's */
  readonly retries?: number | undefined;
  /** Largest response, in bytes after decompression. @default the requester's */
  readonly maxAnswerBytes?: number | undefined;
}

/** Checks of {@link UnaryRequest}. */
export const unaryTable: OptionsOf<UnaryRequest> = {
  method: oneOf("GET", "POST", "PUT", "PATCH", "DELETE"),
  path: anything,
  query: anObject,
  accept: aString,
  body: anything,
  contentType: aString,
  attempted: aString,
  signal: aSignal,
  timeoutMs: aNumber(1),
  retries: anInteger(0),
  maxAnswerBytes: aNumber(1),
};

/** Options of a {@link Requester}. */
export interface RequesterOptions {
  readonly clock: Clock;
  /** @default Math.random */
  readonly random?: Random | undefined;
  /** Time limit of a unary request with all its repetitions, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of repetitions of a unary request. @default 5 */
  readonly retries?: number | undefined;
  /** Largest response to a unary request, in bytes after decompression. @default 16_777_216 (16 MiB) */
  readonly maxAnswerBytes?: number | undefined;
  /** Called with each warning of a response. @default none */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /**
   * Converts bodies to JSON; `attempted` is the start of its errors. Requesters that only read need
   * none.
   *
   * @default JSON.stringify
   */
  readonly toText?: ((body: unknown, attempted: string) => string) | undefined;
  /** Reads errors in protobuf. @default they are reported with their code */
  readonly readStatus?: StatusReader | undefined;
}

/** In milliseconds. */
export const defaultTimeoutMs = 30_000;
export const defaultRetries = 5;
/** Same as for one object of a list: ten times of what etcd stores. */
const defaultMaxAnswerBytes = 16 * 1024 * 1024;
/** Characters of a response above the limit for its error. */
const shownCharacters = 100;

/**
 * Sends requests over a connection: the only place where responses become errors. Keeps nothing
 * between requests. A connection may repeat a request once, to renew credentials after a 401.
 */
export class Requester {
  /** Base address of the server, without trailing slashes. */
  readonly server: string;
  /** Values that the errors of its requests must not contain. */
  readonly secrets: Secrets = new Secrets();
  readonly #connection: Connection;
  readonly #options: RequesterOptions;

  /** @throws {InvalidOptionsError} if no request could reach the server of the connection */
  constructor(connection: Connection, options: RequesterOptions) {
    checkConnection(connection);
    this.server = checkServer(connection.server);
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * Sends a request and returns the response with its unread body.
   *
   * @throws {StatusError} if the server refuses, or answers with a redirect, which is not followed
   * @throws {NetworkError} if it cannot be reached
   * @throws the reason of the signal, if it is aborted
   */
  async send(request: ApiRequest): Promise<Response> {
    const { signal } = request;
    signal?.throwIfAborted();
    const attempted = this.#describe(request);
    const built = this.#build(request, attempted);
    noteRepetition(built.signal, signal);
    let response: Response;
    try {
      response = await this.#connection.fetch(built);
    } catch (error) {
      this.secrets.learn(sentFieldsOf(built));
      throw this.#failureFrom(error, attempted, signal);
    }
    this.secrets.learn(sentFieldsOf(built));
    if (signal?.aborted === true) {
      // A transport that has not noticed the abort must not keep the connection busy.
      void response.body?.cancel().catch(() => undefined);
      throw signal.reason;
    }
    this.#warn(request, response.headers.get("warning"));
    const refused = targetOf(request);
    const redirectError = redirectErrorOf(response, built.url, attempted, refused);
    if (redirectError !== undefined) throw redirectError;
    if (!response.ok) {
      const { secrets } = this;
      const { clock, readStatus } = this.#options;
      const context = { nowMs: clock.now(), refused, secrets, signal, readStatus };
      throw await readStatusError(response, attempted, context);
    }
    return response;
  }

  /**
   * Sends a request and returns its parsed response. Repeats it like {@link makeAttempts}.
   *
   * @throws the errors of {@link Requester.send}; {@link NetworkError} if the response breaks off
   *   or is late; {@link DecodeError} if it is not an object of the API
   */
  async sendForJson<T>(request: UnaryRequest): Promise<T> {
    const { clock, random = systemRandom, timeoutMs, retries } = this.#options;
    return makeAttempts(
      {
        clock,
        random,
        isRead: request.method === "GET",
        attempted: this.#describe(request),
        timeoutMs: request.timeoutMs ?? timeoutMs ?? defaultTimeoutMs,
        retries: request.retries ?? retries ?? defaultRetries,
        signal: request.signal,
      },
      (signal) => this.#sendOnce<T>({ ...request, signal }),
    );
  }

  #warn({ method, path }: ApiRequest, header: string | null): void {
    const { onWarning } = this.#options;
    if (onWarning === undefined || header === null) return;
    for (const text of parseWarnings(header)) {
      callHook(() => onWarning({ text: this.secrets.hideIn(text), method, path }));
    }
  }

  async #sendOnce<T>(request: UnaryRequest): Promise<T> {
    const response = await this.send(request);
    const { maxAnswerBytes = this.#options.maxAnswerBytes ?? defaultMaxAnswerBytes } = request;
    let text: string;
    try {
      text = await readText(response.body, maxAnswerBytes, request.signal);
    } catch (error) {
      throw this.#failureFrom(error, this.#describe(request), request.signal);
    }
    try {
      const answer: T = parseAnswer(text);
      return answer;
    } catch (error) {
      throw this.secrets.hideIn(error);
    }
  }

  #build(request: ApiRequest, attempted: string): Request {
    const { method, path, query, accept, body, contentType, signal } = request;
    const { toText = (value: unknown) => JSON.stringify(value) } = this.#options;
    checkPath(path);
    // Not an object of Headers, which the request would copy in three times the time.
    const headers: Record<string, string> = { accept: accept ?? "application/json" };
    if (body !== undefined) headers["content-type"] = contentType ?? "application/json";
    // Kubernetes 1.37 compresses a watch with initial events, each flush as a gzip member
    // (`WatchListCompression`). Node would decode each event in another thread, and Deno reads the
    // first member only. Pages cannot set this header.
    if (query?.["watch"] === true) headers["accept-encoding"] = "identity";
    return new Request(`${this.server}${path}${queryText(query)}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body: toText(body, attempted) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #failureFrom(error: unknown, attempted: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    const shown = this.secrets.hideIn(error);
    return shown instanceof ListwatchError ? shown : networkErrorFrom(shown, attempted);
  }

  #describe({ attempted, method, path }: ApiRequest): string {
    return attempted ?? `Cannot ${method} ${this.server}${path}`;
  }
}

/** Describes the request for errors. A user's path may contain a query. */
function targetOf({ method, path }: ApiRequest): RefusedRequest {
  return { method, path: path.replace(/\?.*/s, "") };
}

/**
 * Rejects paths that would reach another host or another path: URL parsers drop tabs and line
 * breaks, and read backslashes as slashes.
 *
 * @throws {InvalidOptionsError} if it is not a path below the server
 */
function checkPath(path: unknown): void {
  const isPath =
    typeof path === "string" &&
    /^\/(?!\/)[^\\#\p{Cc}]*$/u.test(path) &&
    !/^[^?]*\/(\.|%2e){1,2}([/?]|$)/i.test(path);
  if (isPath) return;
  throw createInvalidOptionError("path", 'a path from "/" on without "." and ".."', path);
}

/**
 * Reads a body as a whole. A small response may be huge once it is decompressed.
 *
 * @throws {DecodeError} if it is longer than the limit; the rest is not read
 */
async function readText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const utf8 = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const piece of bytePieces(body, signal)) {
    length += piece.length;
    if (length > maxBytes) {
      const start = text === "" ? utf8.decode(piece.subarray(0, shownCharacters)) : text;
      const expected = `an answer of at most ${describeBytes(maxBytes)} (maxAnswerBytes)`;
      throw new DecodeError(expected, 0, start);
    }
    text += utf8.decode(piece, { stream: true });
  }
  return text + utf8.decode();
}

/** Members of metadata that listwatch reads. */
const textsOfMetadata = ["name", "namespace", "uid", "resourceVersion"];

/** Returns the response. Only the types of members that listwatch reads are checked. */
// oxlint-disable-next-line typescript/no-explicit-any
function parseAnswer(text: string): any {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DecodeError("an object as JSON", 0, text, { cause });
  }
  if (!isRecord(value)) throw new DecodeError("an object", 0, text);
  const metadata: unknown = value["metadata"] ?? {};
  if (!isRecord(metadata)) throw new DecodeError("an object whose metadata are an object", 0, text);
  const wrong = textsOfMetadata.find((name) => typeof (metadata[name] ?? "") !== "string");
  if (wrong === undefined) return value;
  throw new DecodeError(`an object whose metadata.${wrong} is a string`, 0, text);
}

function queryText(query: QueryParameters = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}
