import { ListwatchError } from "@listwatch/core-fifo";
import { describeError, hasCode } from "@listwatch/core-fifo/base";
import { findProcess } from "../process/runtime.ts";

/** A request for a page of the manager. */
export interface PageRequest {
  readonly method: string;
  readonly url: URL;
  /** Value of the header `Host`. */
  readonly host: string | undefined;
  /** Value of the header `Authorization`. */
  readonly authorization: string | undefined;
}

/** Answer to a {@link PageRequest}. */
export interface Page {
  readonly status: number;
  readonly body: string;
  /** @default text/plain; charset=utf-8 */
  readonly type?: string | undefined;
}

/** Address of a listener. */
export interface Address {
  /** Port, 0 for a free one. */
  readonly port: number;
  /** Address; all addresses of the machine without one. */
  readonly host?: string | undefined;
}

/** Certificate and key of a server, as PEM. */
export interface TlsPair {
  readonly certificate: string;
  readonly key: string;
}

/** A server of pages that does not listen yet. */
interface UnboundServer {
  /** @throws {ListwatchError} with the code `LW_LISTEN` if the port is taken */
  listen(address: Address): Promise<PageServer>;
}

/** A listener. */
export interface PageServer {
  /** Port on which it listens. */
  readonly port: number;
  /** Stops listening and breaks open connections. */
  close(): Promise<void>;
}

/** The part of `node:http` that is used; the package compiles without the types of Node. */
interface NodeHttp {
  createServer(handler: NodeHandler): NodeServer;
  createServer(options: object, handler: NodeHandler): NodeServer;
}

type NodeHandler = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void;

interface NodeIncoming {
  readonly method?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, unknown>>;
  resume(): unknown;
}

interface NodeOutgoing {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): NodeOutgoing;
  end(body?: string): unknown;
}

interface NodeServer {
  listen(port: number, host: string | undefined, listening: () => void): unknown;
  once(event: "error", listener: (error: unknown) => void): unknown;
  off(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  address(): { readonly port: number } | string | null;
  close(closed: () => void): unknown;
  closeAllConnections(): void;
}

/**
 * Serves pages over HTTP.
 *
 * @throws {ListwatchError} with the code `LW_LISTEN` if the port is taken or the runtime has no
 *   server
 */
export function listen(
  address: Address,
  answer: (request: PageRequest) => Promise<Page>,
): Promise<PageServer> {
  return createPageServer(answer).listen(address);
}

/**
 * Creates a server of pages over HTTP, or over HTTPS with a certificate. It uses Node's modules,
 * which Deno and Bun have too, without an import: bundles for pages stay free of them.
 *
 * @throws {ListwatchError} with the code `LW_LISTEN` if the runtime has no server
 * @throws if certificate and key cannot be used
 */
export function createPageServer(
  answer: (request: PageRequest) => Promise<Page>,
  tls?: TlsPair,
): UnboundServer {
  const name = tls === undefined ? "node:http" : "node:https";
  const http = findProcess()?.getBuiltinModule?.(name);
  if (!isHttp(http)) {
    throw createListenError("Cannot listen: expected Node, Deno or Bun, got neither", {
      advice: "Set the option server to false",
    });
  }
  const handle: NodeHandler = (incoming, outgoing) => void serve(answer, incoming, outgoing);
  const server =
    tls === undefined
      ? http.createServer(handle)
      : http.createServer({ cert: tls.certificate, key: tls.key }, handle);
  return { listen: (address) => bind(server, address) };
}

async function bind(server: NodeServer, { host, port }: Address): Promise<PageServer> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw explain(error, { host, port });
  }
  server.off("error", reject);
  // An error of a connection must not end the program.
  server.on("error", () => undefined);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function isHttp(value: unknown): value is NodeHttp {
  return typeof value === "object" && value !== null && "createServer" in value;
}

function explain(cause: unknown, { host, port }: Address): Error {
  const place = host === undefined ? `port ${port}` : `${host}:${port}`;
  const isTaken = hasCode(cause, "EADDRINUSE");
  const reason = isTaken ? "another program listens there" : describeError(cause);
  const advice = isTaken ? "Set server.port to another port, or to 0 for any free one" : undefined;
  return createListenError(`Cannot listen on ${place}: ${reason}`, { cause, advice });
}

/** Creates the error of a server that cannot listen. */
export function createListenError(
  message: string,
  options: { readonly cause?: unknown; readonly advice?: string | undefined },
): ListwatchError {
  return new ListwatchError("LW_LISTEN", message, options);
}

async function serve(
  answer: (request: PageRequest) => Promise<Page>,
  incoming: NodeIncoming,
  outgoing: NodeOutgoing,
): Promise<void> {
  incoming.resume();
  const { authorization, host } = incoming.headers;
  const { method = "GET", url = "/" } = incoming;
  const page = await pageFor(answer, {
    method,
    target: url,
    host: typeof host === "string" ? host : undefined,
    authorization: typeof authorization === "string" ? authorization : undefined,
  });
  const { body, status, type = "text/plain; charset=utf-8" } = page;
  const headers = {
    "content-type": type,
    "content-length": new TextEncoder().encode(body).byteLength,
    "cache-control": "no-cache, no-store, must-revalidate",
    "x-content-type-options": "nosniff",
  };
  outgoing.writeHead(status, headers).end(method === "HEAD" ? undefined : body);
}

async function pageFor(
  answer: (request: PageRequest) => Promise<Page>,
  { target, ...request }: Omit<PageRequest, "url"> & { readonly target: string },
): Promise<Page> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return { status: 405, body: "Expected GET or HEAD\n" };
  }
  if (!target.startsWith("/") || !URL.canParse(target, "http://manager")) {
    return { status: 400, body: "Expected a path\n" };
  }
  try {
    return await answer({ ...request, url: new URL(target, "http://manager") });
  } catch (error) {
    return { status: 500, body: `${describeError(error)}\n` };
  }
}
