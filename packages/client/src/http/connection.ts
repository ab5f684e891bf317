import { createInvalidOptionError } from "@listwatch/core-fifo/base";

/** A function like the global `fetch`, called with one `Request`. */
export type FetchFunction = (request: Request) => Promise<Response>;

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
   * Sends a request with all credentials it needs. It may change the headers of the request. Its
   * answer is the server's, whatever its code.
   */
  readonly fetch: FetchFunction;
}

/**
 * Returns the base address of an API server without slashes at its end.
 *
 * @throws {InvalidOptionsError} if no request could ever reach it, which would look like a network
 *   that always fails
 */
export function checkServer(server: unknown): string {
  if (typeof server === "string" && isUsable(server)) return server.replace(/\/+$/, "");
  // Credentials must not get into a log.
  const shown = typeof server === "string" ? server.replace(/\/\/.*@/, "//…@") : server;
  throw createInvalidOptionError(
    "server",
    "an http or https address without credentials, query and fragment",
    shown,
  );
}

function isUsable(server: string): boolean {
  // Only browsers have a location to which an address can be relative.
  const base: string | undefined = globalThis.location?.href;
  let url: URL;
  try {
    url = new URL(server, base);
  } catch {
    return false;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return false;
  // An empty query is none in the URL, and yet would end the path.
  return url.username === "" && url.password === "" && !/[?#]/.test(server);
}
