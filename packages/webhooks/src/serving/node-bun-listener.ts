import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { ServingCertificate } from "../certificates/certificate-source.ts";
import { Calls } from "./node-calls.ts";
import { type Handle, idleTimeoutMs, type Listener } from "./node-listener.ts";

interface BunServer {
  readonly port: number;
  /** Accepts no more connections; closes those that are open if `true` is passed. */
  stop(closeActiveConnections?: boolean): Promise<void>;
}

/** The part of Bun's global that is used here, so that the file compiles without Bun's types. */
declare const Bun: {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly idleTimeout: number;
    readonly tls: { readonly cert: string; readonly key: string };
    readonly fetch: (request: Request) => Promise<Response>;
  }): BunServer;
};

const loopback = "127.0.0.1";

/**
 * Listens with `Bun.serve`, because the servers of its `node:https` cannot change their
 * certificate. A new certificate has a new server on the loopback interface. The port itself is a
 * TCP server that connects each new client to the newest of them, so a change resets no
 * connection.
 */
export async function listenOnBun(
  handle: Handle,
  first: ServingCertificate,
  { host, port }: { readonly host: string | undefined; readonly port: number },
): Promise<Listener> {
  const calls = new Calls();
  const serve = ({ certificate, key }: ServingCertificate): BunServer =>
    Bun.serve({
      port: 0,
      hostname: loopback,
      idleTimeout: idleTimeoutMs / 1000,
      tls: { cert: certificate, key },
      fetch: async (request) => {
        // The URL is only a path if the header `host` is unusable.
        if (!URL.canParse(request.url)) return new Response(null, { status: 400 });
        return calls.answer(() => handle(request));
      },
    });
  let server = serve(first);
  const before: BunServer[] = [];
  const sockets = new Set<Socket>();
  const front = createServer((client) => forward(client, server.port, sockets));
  try {
    await listen(front, port, host);
  } catch (error) {
    await server.stop(true);
    throw error;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port: bound } = front.address() as AddressInfo;
  return {
    port: bound,
    setCertificate: (next) => {
      const last = server;
      server = serve(next);
      // Connections of the last one go on.
      before.push(last);
    },
    drain: () => void (calls.isDraining = true),
    close: async () => {
      front.close();
      await calls.untilAnswered();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...before, server].map((one) => one.stop(true)));
    },
  };
}

function forward(client: Socket, port: number, sockets: Set<Socket>): void {
  const server = connect(port, loopback);
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.pipe(other);
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      other.end();
    });
  }
}

function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}
