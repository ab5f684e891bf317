import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { pem, type Addresses } from "./oracle-case.ts";

/** A request that a server or the proxy has received. */
export interface RecordedRequest {
  readonly place: string;
  readonly line: string;
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly proxyAuthorization: string | undefined;
  readonly acceptsGzip: boolean;
  /** Lines of the impersonation, sorted. */
  readonly impersonation: readonly string[];
  readonly certificate: string | undefined;
  readonly serverName: string | undefined;
}

/** Servers that record every request, and answer it. */
export interface Recorder extends AsyncDisposable {
  readonly addresses: Addresses;
  /** Returns the requests since the last call. */
  take(): readonly RecordedRequest[];
}

export async function startRecorder(): Promise<Recorder> {
  let requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const record = (place: string, request: IncomingMessage): void =>
    void requests.push(describe(place, request));
  const answering = (place: string) => (request: IncomingMessage, response: Answering) => {
    record(place, request);
    response.setHeader("content-type", "application/json");
    response.end('{"major":"1","minor":"33","gitVersion":"v1.33.0"}');
  };
  const tls = (name: string) => ({
    cert: pem(`${name}.crt`),
    key: pem(`${name}.key`),
    ca: pem("ca.crt"),
    requestCert: true,
    rejectUnauthorized: false,
  });
  const servers = {
    https: createHttpsServer(tls("server"), answering("https")),
    named: createHttpsServer(tls("named"), answering("named")),
    http: createHttpServer(answering("http")),
    proxy: createHttpServer(answering("proxy")),
  };
  servers.proxy.on("connect", (request, socket: Socket) => {
    record("proxy", request);
    const { hostname, port } = new URL(`http://${request.url ?? ""}`);
    const target = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    for (const end of [socket, target]) end.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  });
  for (const server of Object.values(servers)) {
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
  return {
    addresses: {
      https: `https://127.0.0.1:${portOf(servers.https)}`,
      named: `https://127.0.0.1:${portOf(servers.named)}`,
      http: `http://127.0.0.1:${portOf(servers.http)}`,
      proxy: `http://127.0.0.1:${portOf(servers.proxy)}`,
    },
    take: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      for (const server of Object.values(servers)) server.close();
    },
  };
}

interface Answering {
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function describe(place: string, request: IncomingMessage): RecordedRequest {
  const { headers, rawHeaders, socket } = request;
  const tls = socket instanceof TLSSocket ? socket : undefined;
  const impersonation = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && /^impersonate-/i.test(name)
      ? [`${name.toLowerCase()}: ${rawHeaders[index + 1] ?? ""}`]
      : [],
  );
  const serverName: unknown = tls && Reflect.get(tls, "servername");
  return {
    place,
    // `kubectl version` adds its own time limit.
    line: `${request.method ?? ""} ${(request.url ?? "").replace("?timeout=32s", "")}`,
    host: headers.host,
    authorization: headers.authorization,
    proxyAuthorization: headers["proxy-authorization"],
    acceptsGzip: /\bgzip\b/.test(headers["accept-encoding"] ?? ""),
    impersonation: impersonation.toSorted(),
    certificate: String(tls?.getPeerCertificate().subject?.CN ?? "none"),
    serverName: typeof serverName === "string" ? serverName : undefined,
  };
}
