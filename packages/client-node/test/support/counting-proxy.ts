import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP proxy that counts the connections to a server. */
export interface CountingProxy extends AsyncDisposable {
  /** The proxy's address, to be used as the server's. */
  readonly server: string;
  readonly connections: number;
}

export async function startCountingProxy(server: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    const target = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address() as AddressInfo;
  return {
    server: `https://127.0.0.1:${address.port}`,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}
