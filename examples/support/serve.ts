// Serves a handler of web-standard requests with the HTTP server of the platform, on a free port.

/** Answers a request. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** A server that the example can call. */
export interface Endpoint {
  /** Fetches a path such as `/` from the server. */
  fetch(path: string): Promise<Response>;
  close(): Promise<void>;
}

interface Platform {
  readonly Deno?: {
    serve(
      options: { readonly hostname: string; readonly port: number; readonly onListen: () => void },
      handler: Handler,
    ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
  };
  readonly Bun?: {
    serve(options: { readonly hostname: string; readonly port: number; readonly fetch: Handler }): {
      readonly port: number;
      stop(): Promise<void>;
    };
  };
}

const hostname = "127.0.0.1";

/** Serves with `Deno.serve`, `Bun.serve` or `node:http`. In a page, it calls the handler directly. */
export async function serve(handler: Handler): Promise<Endpoint> {
  const { Bun, Deno } = globalThis as Platform;
  if (Deno !== undefined) {
    const deno = Deno.serve({ hostname, port: 0, onListen: () => {} }, handler);
    return endpoint(deno.addr.port, () => deno.shutdown());
  }
  if (Bun !== undefined) {
    const bun = Bun.serve({ hostname, port: 0, fetch: handler });
    return endpoint(bun.port, () => bun.stop());
  }
  if ("process" in globalThis) return serveOnNode(handler);
  return {
    fetch: async (path) => handler(new Request(new URL(path, "http://page"))),
    close: async () => {},
  };
}

function endpoint(port: number, close: () => Promise<void>): Endpoint {
  return { fetch: (path) => fetch(`http://${hostname}:${port}${path}`), close };
}

async function serveOnNode(handler: Handler): Promise<Endpoint> {
  // Not imported, because a bundler for the page would look for it.
  const { createServer } = process.getBuiltinModule("node:http");
  const node = createServer((incoming, outgoing) => {
    void (async () => {
      const url = new URL(incoming.url ?? "/", `http://${hostname}`);
      const response = await handler(new Request(url, { method: incoming.method ?? "GET" }));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    })();
  });
  await new Promise<void>((listening) => {
    node.listen(0, hostname, listening);
  });
  const address = node.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return endpoint(address.port, async () => {
    node.closeAllConnections();
    await new Promise((closed) => {
      node.close(closed);
    });
  });
}
