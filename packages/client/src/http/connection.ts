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
