/**
 * Serves a fake API server on a TCP port with `Deno.serve`.
 *
 * @module
 */
import type { FetchHandler } from "../api/fetch-handler.ts";
import { listenerUrl, type Listener, type ListenOptions } from "./listening.ts";

export type { FetchHandler } from "../api/fetch-handler.ts";
export type { Listener, ListenOptions } from "./listening.ts";

/** The part of Deno's global that is used here, so that the file compiles without Deno's types. */
declare const Deno: {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly signal: AbortSignal;
      readonly onListen: () => void;
    },
    handler: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; readonly finished: Promise<void> };
};

/**
 * Serves the handler over HTTP/1.1 and HTTP/2.
 *
 * Bodies are streamed both ways; when the client goes away the request's signal aborts or the body
 * is cancelled; a {@link ConnectionResetError} before the answer becomes an empty 502, since
 * `Deno.serve` cannot reset a connection there, and in a body an unfinished one.
 *
 * @throws Deno.errors.AddrInUse if the port is taken
 */
export async function listen(
  server: FetchHandler,
  { port = 0, host = "127.0.0.1" }: ListenOptions = {},
): Promise<Listener> {
  const stop = new AbortController();
  const httpServer = Deno.serve(
    { port, hostname: host, signal: stop.signal, onListen: () => undefined },
    (request) => serve(server, request),
  );
  const boundPort = httpServer.addr.port;
  const close = async (): Promise<void> => {
    stop.abort();
    await httpServer.finished;
  };
  return {
    url: listenerUrl(host, boundPort),
    port: boundPort,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function serve(server: FetchHandler, request: Request): Promise<Response> {
  const gone = new AbortController();
  const abort = (): void => gone.abort(request.signal.reason);
  request.signal.addEventListener("abort", abort);
  try {
    return await server.fetch(new Request(request, { signal: gone.signal }));
  } catch {
    return new Response(null, { status: 502 });
  } finally {
    // Deno aborts the signal after successful answers too, and cancels the body when the client
    // goes: from here on that is enough.
    request.signal.removeEventListener("abort", abort);
  }
}
