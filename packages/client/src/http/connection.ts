import { createInvalidOptionError, recordOf } from "@listwatch/core-fifo/base";

/** A function like the global `fetch`, called with one `Request`. */
export type FetchFunction = (request: Request) => Promise<Response>;

/** How the server writes the objects of built-in kinds for informers. */
export type Encoding = "json" | "protobuf";

/**
 * How a program reaches an API server: address, transport and credentials in one. Informers,
 * clients and electors share it.
 */
export interface Connection {
  /** Base address, such as `https://10.0.0.1:6443`; a path is kept. */
  readonly server: string;
  /** Namespace of the context or the pod that the connection was made for. */
  readonly namespace: string | undefined;
  /**
   * What collections, and so informers, ask for unless their options say otherwise.
   *
   * @default "json"
   */
  readonly encoding?: Encoding | undefined;
  /**
   * Sends a request with all credentials it needs. It may change the headers of the request. Its
   * answer is the server's, whatever its code; it follows no redirect, as `redirect` of the request
   * says.
   */
  readonly fetch: FetchFunction;
}

/**
 * Checks that an argument is a connection to an API server. Takes anything, for programs without
 * types.
 *
 * @throws {InvalidOptionsError} otherwise, also when it is missing
 */
export function checkConnection(value: unknown): void {
  if (typeof recordOf(value)["fetch"] === "function") return;
  // A string may be an address with credentials.
  const shown = typeof value === "string" ? "…" : value;
  throw createInvalidOptionError("connection", "what createConnection makes", shown);
}
