import { checkServer, type Connection, type FetchFunction } from "../http/connection.ts";
import { addHeaders, type HeadersSource } from "../http/headers.ts";

/** Argument of {@link createConnection}. */
export interface ConnectionConfig {
  /**
   * Base address of the API server, such as `https://10.0.0.1:6443`; a path is kept. Without
   * credentials, query and fragment; relative only where the runtime has a location, as browsers
   * do.
   */
  readonly server: string;
  /**
   * Namespace of the context, for programs that work in one.
   *
   * @default undefined
   */
  readonly namespace?: string | undefined;
  /**
   * Any transport: the runtime's own, one with an agent or certificates, a fake API server's.
   *
   * @default the global fetch
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Headers of every request. A function is called for each one, and once more with `refresh` when
   * the server has refused the credentials (401).
   *
   * @default none
   */
  readonly headers?: HeadersSource | undefined;
}

/**
 * Makes a connection to an API server. It does no I/O and keeps nothing between requests.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * const connection = createConnection({
 *   server: "https://kubernetes.default.svc",
 *   headers: async () => ({ authorization: `Bearer ${await Promise.resolve("token")}` }),
 * });
 * const pods = createClient(connection).resource({
 *   group: "",
 *   version: "v1",
 *   resource: "pods",
 * });
 * if (typeof pods.get !== "function") throw new Error("unreachable");
 * ```
 *
 * @throws {InvalidOptionsError} if no request could ever reach `server`
 */
export function createConnection(config: ConnectionConfig): Connection {
  const send = config.fetch ?? ((request: Request) => fetch(request));
  return {
    server: checkServer(config.server),
    namespace: config.namespace,
    fetch: config.headers === undefined ? send : addHeaders(send, config.headers),
  };
}
