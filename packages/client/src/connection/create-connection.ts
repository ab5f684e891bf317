import { checkServer } from "../http/address.ts";
import {
  anEncoding,
  type Connection,
  type Encoding,
  type FetchFunction,
} from "../http/connection.ts";
import { addHeaders, checkHeaders, type HeadersSource } from "../http/headers.ts";
import {
  aFunction,
  anything,
  aString,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link createConnection}. */
export interface ConnectionConfig {
  /**
   * Base address of the API server, such as `https://10.0.0.1:6443`; a path is kept. Without
   * credentials, query and fragment. It may be relative if the runtime has a location, as browsers
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
   * Encoding of built-in kinds for informers. Protobuf takes less time and memory if most members
   * are never read, see {@link CollectionOptions.encoding}.
   *
   * @default "json"
   */
  readonly encoding?: Encoding | undefined;
  /**
   * Transport: the runtime's, one with an agent or certificates, or a fake API server's.
   *
   * @default the global fetch
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Headers of every request. A function is called for each request, and once more with `refresh`
   * if the server has refused the credentials (401).
   *
   * @default none
   */
  readonly headers?: HeadersSource | undefined;
}

const connectionTable: OptionsOf<ConnectionConfig> = {
  server: anything,
  namespace: aString,
  encoding: anEncoding,
  fetch: aFunction,
  headers: anything,
};

/**
 * Creates a connection to an API server. It does no I/O and keeps nothing between requests.
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
 * Errors never contain the values of the headers, or user information of an address. They only know
 * headers from `headers`: a custom `fetch` that adds credentials must keep them out of its errors.
 *
 * @throws {InvalidOptionsError} if no request could reach `server` or carry `headers`
 */
export function createConnection(config: ConnectionConfig): Connection {
  checkOptions(config, connectionTable);
  checkHeaders(config.headers);
  const send = config.fetch ?? ((request: Request) => fetch(request));
  return {
    server: checkServer(config.server),
    namespace: config.namespace,
    ...(config.encoding === undefined ? {} : { encoding: config.encoding }),
    fetch: config.headers === undefined ? send : addHeaders(send, config.headers),
  };
}
