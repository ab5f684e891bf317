// Servers for the tests of transports. They run in a Node process (`node tls-server.ts`), so that
// every runtime meets the same ones. The first line has their addresses; standard input ends them.
import { readFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";

const pem = (file: string): Buffer => readFileSync(join(import.meta.dirname, "pki", file));
const counts = { connections: 0, proxied: 0, floodBytes: 0, open: 0, posts: 0 };
const requestsOf = new WeakMap<object, number>();
const piece = Buffer.alloc(65_536, "a");

function who({ socket, headers }: IncomingMessage): object {
  const tls = socket instanceof TLSSocket ? socket : undefined;
  const { subject } = tls?.getPeerCertificate() ?? {};
  return {
    client: subject?.CN,
    serverName: tls === undefined ? undefined : Reflect.get(tls, "servername"),
    userAgent: headers["user-agent"],
    authorization: headers.authorization,
    encoding: headers["accept-encoding"],
  };
}

function flood(response: ServerResponse): void {
  counts.floodBytes = 0;
  const write = (): void => {
    while (!response.destroyed && counts.floodBytes < 500e6) {
      counts.floodBytes += piece.length;
      if (response.write(piece)) continue;
      response.once("drain", write);
      return;
    }
  };
  write();
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const nth = (requestsOf.get(request.socket) ?? 0) + 1;
  requestsOf.set(request.socket, nth);
  const json = (value: unknown): void => void response.end(JSON.stringify(value));
  switch (url.pathname) {
    case "/who":
      return json({
        ...who(request),
        groupLines: groupLinesOf(request),
        impersonation: impersonationOf(request),
      });
    case "/auth": {
      const { authorization = "none" } = request.headers;
      const isAccepted = authorization === `Bearer ${String(url.searchParams.get("accept"))}`;
      response.statusCode = isAccepted ? 200 : 401;
      return json({ authorization });
    }
    case "/client": {
      const asked: { client?: unknown } = who(request);
      response.statusCode = asked.client === url.searchParams.get("accept") ? 200 : 401;
      return json(asked);
    }
    case "/counts":
      return json(counts);
    case "/watch":
      counts.open++;
      response.on("close", () => counts.open--);
      response.writeHead(200);
      response.write("first\n");
      return;
    case "/quiet":
      response.writeHead(200);
      response.write("first\n");
      setTimeout(() => response.end("last\n"), Number(url.searchParams.get("ms")));
      return;
    case "/short":
      response.writeHead(200, { "content-length": "1000" });
      response.write("abc", () => request.socket.destroy());
      return;
    case "/flood":
      return flood(response);
    case "/redirect":
      response.writeHead(302, { location: "/who" });
      return void response.end();
    case "/stale":
      if (request.method === "POST") counts.posts++;
      // Behaves as if the server had just closed the idle connection.
      if (nth > 1) return void request.socket.destroy();
      return json({ nth });
    case "/echo": {
      let length = 0;
      request.on("data", (chunk: Buffer) => (length += chunk.length));
      request.on("end", () => json({ length, method: request.method }));
      return;
    }
    default:
      return json({});
  }
}

function impersonationOf({ headersDistinct }: IncomingMessage): object {
  const fields = Object.entries(headersDistinct);
  return Object.fromEntries(fields.filter(([name]) => name.startsWith("impersonate-")));
}

function groupLinesOf({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && /^impersonate-group$/i.test(name)).length;
}

/** Sends its certificate, followed by those of authorities. */
function tlsServer(name: string, ...authorities: readonly string[]): Server {
  const server = createHttpsServer(
    {
      cert: Buffer.concat([name, ...authorities].map((file) => pem(`${file}.crt`))),
      key: pem(`${name}.key`),
      ca: pem("ca.crt"),
      requestCert: true,
      rejectUnauthorized: false,
      keepAliveTimeout: 90_000,
    },
    answer,
  );
  server.on("secureConnection", () => counts.connections++);
  return server;
}

function proxyServer(): Server {
  const server = createHttpServer((_, response) => void response.writeHead(502).end());
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    counts.proxied++;
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
    client.on("error", () => target.destroy());
  });
  return server;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve(port);
    });
  });
}

const servers = {
  server: tlsServer("server"),
  named: tlsServer("named"),
  proxy: proxyServer(),
  plain: createHttpServer(answer),
  chain: tlsServer("chain-server", "chain-lower"),
  bare: tlsServer("chain-server"),
  sibling: tlsServer("chain-sibling", "chain-lower"),
  own: tlsServer("own"),
  ownForClients: tlsServer("own-for-clients"),
  expired: tlsServer("expired"),
  old: tlsServer("old-server"),
};
const ports = await Promise.all(
  Object.entries(servers).map(async ([name, each]) => [name, await listen(each)] as const),
);
const socketPath = process.argv[2];
if (socketPath !== undefined) {
  await new Promise<void>((resolve) => createHttpServer(answer).listen(socketPath, resolve));
}
console.log(JSON.stringify(Object.fromEntries(ports)));
process.stdin.resume().on("end", () => process.exit(0));
