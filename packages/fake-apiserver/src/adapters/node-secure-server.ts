import type { RequestListener, Server, ServerResponse } from "node:http";
import type * as Http2 from "node:http2";
import type { TlsOptions, TLSSocket, Server as TlsServer } from "node:tls";
import type { TlsParts } from "./create-listener.ts";

/** Requests per connection: kube-apiserver without `--http2-max-streams-per-connection`. */
const maxConcurrentStreams = 100;

/** A server with TLS, whose clients choose HTTP/1.1 or HTTP/2 (ALPN). */
export interface SecureServer {
  readonly server: TlsServer;
  /** Breaks all connections of both protocols. */
  readonly closeAllConnections: () => void;
}

/** Creates a server that passes requests over HTTP/1.1 to a plain server. */
export async function secureServer(
  { clients, server: { certificate, key } }: TlsParts,
  plain: Server,
  listener: RequestListener,
): Promise<SecureServer> {
  const [{ createServer }, http2] = await Promise.all([import("node:tls"), loadHttp2()]);
  const options: TlsOptions = {
    cert: certificate,
    key,
    ca: clients.authority,
    requestCert: true,
    // A client without one may have a token; a certificate of another authority is none.
    rejectUnauthorized: false,
    ALPNProtocols: http2 === undefined ? ["http/1.1"] : ["h2", "http/1.1"],
  };
  const newer = http2?.createServer({ settings: { maxConcurrentStreams } });
  // Requests and responses of both protocols have the members that the listener uses.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  newer?.on("request", listener as never);
  const sockets = new Set<TLSSocket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // A broken socket is reported by "close" too.
    socket.on("error", () => undefined);
    const chosen = socket.alpnProtocol === "h2" ? newer : plain;
    chosen?.emit("connection", socket);
  });
  const closeAllConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { server, closeAllConnections };
}

/** Other runtimes do not pass a connection from one server to another. */
async function loadHttp2(): Promise<typeof Http2 | undefined> {
  return "Bun" in globalThis || "Deno" in globalThis ? undefined : import("node:http2");
}

/** Resets the stream of a response over HTTP/2, as Go's server does when a handler panics. */
export function resetStream(outgoing: ServerResponse | Http2.Http2ServerResponse): boolean {
  if (!("stream" in outgoing)) return false;
  const internalError = 2;
  outgoing.stream.close(internalError);
  return true;
}
