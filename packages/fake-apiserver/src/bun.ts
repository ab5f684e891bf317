/**
 * Serves a fake API server on a TCP port with `Bun.serve`.
 *
 * @module
 */
import { listenerUrl, type FetchHandler, type Listener, type ListenOptions } from "./listening.ts";

export type { FetchHandler, Listener, ListenOptions } from "./listening.ts";

/** The part of Bun's global that is used here, so that the file compiles without Bun's types. */
declare const Bun: {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly idleTimeout: number;
    readonly fetch: (request: Request) => Promise<Response>;
  }): { readonly port: number; stop(closeActiveConnections: boolean): Promise<void> };
};

/**
 * Serves the handler over HTTP/1.1.
 *
 * Bodies are streamed both ways; when the client goes away the request's signal aborts; a {@link ConnectionResetError} before the answer
 * becomes an empty 502, since `Bun.serve` cannot reset a connection there, and in a body an unfinished one.
 *
 * @throws the error of the operating system, `code` "EADDRINUSE" if the port is taken
 */
export async function listen(
  server: FetchHandler,
  { port = 0, host = "127.0.0.1" }: ListenOptions = {},
): Promise<Listener> {
  const httpServer = Bun.serve({
    port,
    hostname: host,
    // Bun closes connections that send nothing for 10 s; a quiet watch is silent for a minute. 0 switches it off.
    idleTimeout: 0,
    fetch: (request) => server.fetch(request).catch(() => new Response(null, { status: 502 })),
  });
  const boundPort = httpServer.port;
  const close = (): Promise<void> => httpServer.stop(true);
  return {
    url: listenerUrl(host, boundPort),
    port: boundPort,
    close,
    [Symbol.asyncDispose]: close,
  };
}
