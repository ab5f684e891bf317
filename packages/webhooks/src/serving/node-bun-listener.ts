import type { ServingCertificate } from "../certificates/certificate-source.ts";
import type { Handle, Listener } from "./node-listener.ts";

interface BunServer {
  readonly port: number;
  /** Accepts no more connections; resolves when those that are open have ended. */
  stop(): Promise<void>;
}

/** The part of Bun's global that is used here, so that the file compiles without Bun's types. */
declare const Bun: {
  serve(options: {
    readonly port: number;
    readonly hostname?: string;
    readonly reusePort: boolean;
    readonly tls: { readonly cert: string; readonly key: string };
    readonly fetch: (request: Request) => Promise<Response>;
  }): BunServer;
};

/**
 * Listens with `Bun.serve`: the servers of its `node:https` cannot change their certificate. A new
 * certificate has a new listener on the same port, which starts before the old one stops.
 */
export function listenOnBun(
  handle: Handle,
  first: ServingCertificate,
  { host, port }: { readonly host: string | undefined; readonly port: number },
): Listener {
  const listen = ({ certificate, key }: ServingCertificate, on: number): BunServer =>
    Bun.serve({
      port: on,
      ...(host === undefined ? {} : { hostname: host }),
      reusePort: true,
      tls: { cert: certificate, key },
      fetch: handle,
    });
  let server = listen(first, port);
  const bound = server.port;
  const stopping: Promise<void>[] = [];
  return {
    port: bound,
    setCertificate: (next) => {
      const before = server;
      server = listen(next, bound);
      stopping.push(before.stop());
    },
    close: async () => {
      await Promise.all([...stopping, server.stop()]);
    },
  };
}
