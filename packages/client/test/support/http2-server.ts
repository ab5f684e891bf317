import { createServer as createHttpServer } from "node:http";
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createHttpsServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { pem } from "./tls-servers.ts";

export interface Http2ServerOptions {
  readonly maxConcurrentStreams?: number;
  /** Whether the server only has HTTP/1.1. */
  readonly isOld?: boolean;
}

/** A server of Node's HTTP/2, which also breaks. */
export class Http2Server implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<Http2ServerResponse>();
  readonly #changes = new EventTarget();
  /** Number of connections that were made. */
  connections = 0;
  /** Names of the codes with which clients have ended watches. */
  readonly resets: string[] = [];
  #pings = 0;
  readonly #tunnels: (() => void)[] = [];
  readonly #seen = new Set<string>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start({ isOld, maxConcurrentStreams }: Http2ServerOptions): Promise<Http2Server> {
    let self: Http2Server | undefined;
    const tls = {
      cert: pem("server.crt"),
      key: pem("server.key"),
      ca: pem("ca.crt"),
      requestCert: true,
      rejectUnauthorized: false,
    };
    const settings = maxConcurrentStreams === undefined ? {} : { maxConcurrentStreams };
    const server = isOld
      ? createHttpsServer(tls, ({ httpVersion }, response) => void response.end(httpVersion))
      : createSecureServer({ ...tls, allowHTTP1: true, settings }, (request, response) =>
          self?.answer(request, response),
        );
    self = new Http2Server(server, `https://127.0.0.1:${await listen(server)}`);
    self.#follow();
    server.on("session", (session) => self?.add(session));
    return self;
  }

  /** Starts a proxy that tunnels (CONNECT). */
  static async startProxy(): Promise<Http2Server> {
    const server = createHttpServer();
    const proxy = new Http2Server(server, `http://127.0.0.1:${await listen(server)}`);
    proxy.#follow();
    server.on("connect", ({ url = "" }, client: Socket) => {
      const target = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        target.pipe(client).pipe(target);
        proxy.#tunnels.push(() => {
          target.unpipe(client);
          client.unpipe(target);
        });
      });
      target.on("error", () => client.destroy());
      client.on("error", () => target.destroy());
    });
    return proxy;
  }

  #follow(): void {
    this.#server.on("connection", (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
    });
  }

  add(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.on("error", () => undefined);
    session.on("ping", () => this.#change(() => this.#pings++));
  }

  answer(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { httpVersion, socket, url } = request;
    const part = (then: () => void): void => {
      response.writeHead(200);
      response.write("part", () => setImmediate(then));
    };
    const isFirst = !this.#seen.has(url);
    this.#seen.add(url);
    const echo = (): unknown => request.stream.pipe(response.stream);
    switch (url) {
      case "/version":
        return void response.end(httpVersion);
      case "/watch":
        return this.#watch(response);
      case "/token":
        return void response.end(String(request.headers.authorization));
      case "/client":
        return void response.end(String((socket as TLSSocket).getPeerCertificate().subject.CN));
      case "/misdirected":
        if (!isFirst) return void echo();
        response.statusCode = 421;
        return void response.end();
      case "/misdirected-always":
        response.statusCode = 421;
        return void response.end("elsewhere");
      case "/refused":
        if (!isFirst) return void echo();
        return response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      case "/flood":
        return flood(response);
      case "/large":
        return void response.end(Buffer.alloc(20_000_000));
      case "/reset-without-error":
        return part(() => response.stream.close(constants.NGHTTP2_NO_ERROR));
      case "/reset":
        return part(() => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR));
      case "/short":
        response.setHeader("content-length", "1000");
        return part(() => response.stream.end());
      case "/close":
        return part(() => response.stream.session?.destroy());
      case "/trailers":
        response.addTrailers({ "x-end": "yes" });
        return void response.end("body");
      case "/nothing":
        response.statusCode = 204;
        return void response.end();
      case "/zipped":
        response.setHeader("content-encoding", "gzip");
        return void response.end(gzipSync("zipped"));
      default:
        response.statusCode = 404;
        return void response.end();
    }
  }

  #watch(response: Http2ServerResponse): void {
    this.#watches.add(response);
    response.on("close", () => {
      const code = response.stream.rstCode;
      const name = code === constants.NGHTTP2_CANCEL ? "CANCEL" : String(code);
      this.#change(() => {
        this.#watches.delete(response);
        this.resets.push(name);
      });
    });
    response.writeHead(200);
    response.write("first\n");
  }

  /** Sends the same to all watches. */
  async send(text: string): Promise<void> {
    for (const watch of this.#watches) {
      await new Promise<void>((resolve) => watch.write(text, () => resolve()));
    }
  }

  goAway(): void {
    for (const session of this.#sessions) session.goaway();
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Passes nothing on any more, like a broken network. */
  freeze(): void {
    for (const stop of this.#tunnels) stop();
  }

  untilOpen(count: number): Promise<void> {
    return this.#until(() => this.#watches.size === count);
  }

  untilPinged(count: number): Promise<void> {
    return this.#until(() => this.#pings >= count);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise((resolve) => {
        this.#changes.addEventListener("change", resolve, { once: true });
      });
    }
  }

  #change(action: () => void): void {
    action();
    this.#changes.dispatchEvent(new Event("change"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Sends more than any window while the client reads. */
function flood(response: Http2ServerResponse): void {
  let left = 800;
  const write = (): void => {
    while (!response.destroyed && left-- > 0) {
      if (response.write(Buffer.alloc(65_536))) continue;
      response.once("drain", write);
      return;
    }
  };
  write();
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
