import { ListwatchError, type Clock } from "@listwatch/core-fifo/base";
import { DecodeError } from "../errors/decode-errors.ts";
import { networkErrorFrom } from "../errors/network-error.ts";
import { checkServer, type Connection } from "./connection.ts";
import { readStatusError } from "./error-response.ts";

/** Parameters of a query; those that are `undefined` or `""` are not sent. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** One request to an API server. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the address of the server. */
  readonly path: string;
  readonly query?: QueryParameters | undefined;
  /** @default "application/json" */
  readonly accept?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /**
   * Media type of the body.
   *
   * @default "application/json"
   */
  readonly contentType?: string | undefined;
  /**
   * What is tried, as the start of the messages of errors.
   *
   * @default the method and the address
   */
  readonly attempted?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests over a connection; the one place in which answers become errors. Keeps nothing
 * between requests and retries none, except that a connection may renew credentials after a 401.
 */
export class Requester {
  /** Base address of the server, without slashes at its end. */
  readonly server: string;
  readonly #connection: Connection;
  readonly #clock: Clock;

  /** @throws {InvalidOptionsError} if no request could reach the server of the connection */
  constructor(connection: Connection, clock: Clock) {
    this.server = checkServer(connection.server);
    this.#connection = connection;
    this.#clock = clock;
  }

  /**
   * Sends a request and returns the answer, whose body is unread.
   *
   * @throws {StatusError} if the server refuses
   * @throws {NetworkError} if it cannot be reached
   * @throws the reason of the signal, if it is aborted
   */
  async send(request: ApiRequest): Promise<Response> {
    const { signal } = request;
    signal?.throwIfAborted();
    const attempted = this.#describe(request);
    let response: Response;
    try {
      response = await this.#connection.fetch(this.#build(request));
    } catch (error) {
      throw failureFrom(error, attempted, signal);
    }
    if (!response.ok) throw await readStatusError(response, attempted, this.#clock.now());
    return response;
  }

  /**
   * Sends a request and returns its answer, parsed.
   *
   * @throws as {@link Requester.send}; {@link NetworkError} if the answer breaks off;
   *   {@link DecodeError} if it is not JSON
   */
  async sendForJson<T>(request: ApiRequest): Promise<T> {
    const response = await this.send(request);
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw failureFrom(error, this.#describe(request), request.signal);
    }
    try {
      // The server's word for the type; it cannot be checked here.
      const answer: T = JSON.parse(text);
      return answer;
    } catch (cause) {
      throw new DecodeError("an object as JSON", 0, text, { cause });
    }
  }

  #build({ method, path, query, accept, body, contentType, signal }: ApiRequest): Request {
    const headers = new Headers({ accept: accept ?? "application/json" });
    if (body !== undefined) headers.set("content-type", contentType ?? "application/json");
    return new Request(`${this.server}${path}${queryText(query)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #describe({ attempted, method, path }: ApiRequest): string {
    return attempted ?? `Cannot ${method} ${this.server}${path}`;
  }
}

function queryText(query: QueryParameters = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function failureFrom(error: unknown, attempted: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  return error instanceof ListwatchError ? error : networkErrorFrom(error, attempted);
}
