import {
  createInvalidOptionError,
  oneOf,
  recordOf,
  type OptionCheck,
} from "@listwatch/core-fifo/base";
import type { Codec } from "../json/decoder.ts";

/** A function like the global `fetch`, called with a `Request`. */
export type FetchFunction = (request: Request) => Promise<Response>;

/** Encoding of built-in kinds for informers: a name, or a codec that the program imports. */
export type Encoding = "json" | "protobuf" | Codec;

const aName = /* @__PURE__ */ oneOf("json", "protobuf");

/** Check of the option `encoding`. */
export const anEncoding: OptionCheck = (value) =>
  typeof recordOf(value)["createDecoder"] === "function" ? undefined : aName(value);

/** Address, transport and credentials of an API server. Shared by informers, clients and electors. */
export interface Connection {
  /** Base address, such as `https://10.0.0.1:6443`; a path is kept. */
  readonly server: string;
  /** Namespace of the context or the pod that the connection was created for. */
  readonly namespace: string | undefined;
  /**
   * Default encoding of collections, and so of informers.
   *
   * @default "json"
   */
  readonly encoding?: Encoding | undefined;
  /**
   * Sends a request with all credentials that it needs, and may change its headers. Returns the
   * server's response, whatever its code. Follows no redirect, as `redirect` of the request
   * demands.
   */
  readonly fetch: FetchFunction;
}

/**
 * Checks that an argument is a connection to an API server. Accepts any value, for programs without
 * types.
 *
 * @throws {InvalidOptionsError} otherwise, even if it is missing
 */
export function checkConnection(value: unknown): void {
  if (typeof recordOf(value)["fetch"] === "function") return;
  // A string may be an address with credentials.
  const shown = typeof value === "string" ? "…" : value;
  throw createInvalidOptionError("connection", "what createConnection makes", shown);
}
