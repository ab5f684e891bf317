import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Timer } from "@listwatch/core-fifo/base";
import type { AgentOptions } from "./node-agents.ts";
import { brokenOff } from "./node-body.ts";

/**
 * Number of bytes that the server may send of one body that nothing reads:
 * `transportDefaultStreamFlow` of Go's http2.
 */
const streamWindowBytes = 4 * 1024 * 1024;
/**
 * Number of unread bytes of all bodies together: `transportDefaultConnFlow` of Go's http2. Bodies
 * that nothing reads must not use it up, so it is larger than the windows of 200 streams.
 */
const connectionWindowBytes = 2 ** 30;
/** Maximum size of the fields of a response, in bytes, as over HTTP/1.1. */
const maxHeaderListSize = 10 * 1024 * 1024;
/** Largest frame that the server may send, in bytes. Few large ones take less time. */
const maxFrameSize = 1024 * 1024;
/** Memory of a connection in megabytes, above which Node refuses responses: all open windows. */
const maxSessionMemory = 1024;

/**
 * A connection in use is looked at every 15 s, tested after 30 s or more without a byte, and has 15
 * s to answer: `HTTP2_READ_IDLE_TIMEOUT_SECONDS` and `HTTP2_PING_TIMEOUT_SECONDS` of
 * k8s.io/apimachinery, util/net/http.go.
 */
const probeIntervalMs = 15_000;
const pingAfter = 1;
const deadAfter = 2;

/** One connection over HTTP/2, and the number of its requests. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #options: AgentOptions;
  #uses = 0;
  #hasBeenUsed = false;
  #isRetired = false;
  /** Maximum number of requests after the server has refused one. */
  #learnedLimit = Infinity;
  #probe: Timer | undefined;

  private constructor(session: ClientHttp2Session, socket: TLSSocket, options: AgentOptions) {
    this.#session = session;
    this.#socket = socket;
    this.#options = options;
    session.unref();
    session.on("timeout", () => {
      if (this.#uses === 0) session.close();
    });
    session.once("close", () => this.#probe?.cancel());
  }

  /** Resolves when the server has sent its limits. */
  static start(origin: string, socket: TLSSocket, options: AgentOptions): Promise<Http2Connection> {
    const session = connect(origin, {
      createConnection: () => socket,
      maxSessionMemory,
      settings: {
        enablePush: false,
        initialWindowSize: streamWindowBytes,
        maxFrameSize,
        maxHeaderListSize,
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<Http2Connection>();
    // Streams report their errors themselves; an error without listener would end the program.
    session.on("error", reject).once("close", () => reject(brokenOff()));
    session.once("connect", () => session.setLocalWindowSize(connectionWindowBytes));
    session.once("remoteSettings", () => resolve(new Http2Connection(session, socket, options)));
    return promise;
  }

  /** Whether requests can still be sent: after a GOAWAY the open ones continue alone. */
  get isOpen(): boolean {
    return !this.#isRetired && !this.#session.closed && !this.#session.destroyed;
  }

  get isClosed(): boolean {
    return this.#session.destroyed;
  }

  /** Whether the server takes another request now. */
  get hasRoom(): boolean {
    const { maxConcurrentStreams = Infinity } = this.#session.remoteSettings;
    // A server that takes none gets one, which the runtime holds until the limit is raised.
    const limit = Math.max(1, Math.min(maxConcurrentStreams, this.#learnedLimit));
    return this.isOpen && this.#uses < limit;
  }

  /** Reserves room for a request. Returns whether the connection was used before, and not since. */
  reserve(): boolean {
    this.#uses++;
    if (this.#uses > 1) return false;
    const wasIdle = this.#hasBeenUsed;
    this.#hasBeenUsed = true;
    this.#session.ref();
    this.#session.setTimeout(0);
    this.#armProbe();
    return wasIdle;
  }

  /** Ends a request. An unused connection is closed later, and keeps no process alive. */
  release(): void {
    this.#uses--;
    if (this.#uses > 0) return;
    this.#probe?.cancel();
    if (this.#session.destroyed) return;
    this.#session.unref();
    if (this.#isRetired) this.#session.close();
    else this.#session.setTimeout(this.#options.idleMs);
  }

  /** Sends a request, for which room was reserved. */
  request(headers: OutgoingHttpHeaders, hasBody: boolean): ClientHttp2Stream {
    return this.#session.request(headers, { endStream: !hasBody });
  }

  /** Records that the server has refused a request because too many are open. */
  noteRefusal(): void {
    this.#learnedLimit = Math.min(this.#learnedLimit, this.#uses);
  }

  /** Ends the connection after its last request. */
  retire(): void {
    this.#isRetired = true;
  }

  /** Ends the connection and all its requests with an error. */
  destroy(error: Error): void {
    this.#session.destroy(error, constants.NGHTTP2_CANCEL);
    this.#socket.destroy();
  }

  /** Any byte is a sign of life: the answer to a ping may wait behind a large body. */
  #armProbe(silentTimes = 0): void {
    const seen = this.#socket.bytesRead;
    this.#probe = this.#options.clock.setTimeout(() => {
      if (this.#socket.bytesRead !== seen) return this.#armProbe();
      if (silentTimes === deadAfter) return this.destroy(silent());
      if (silentTimes === pingAfter) this.#session.ping(() => undefined);
      this.#armProbe(silentTimes + 1);
    }, probeIntervalMs);
  }
}

function silent(): Error {
  const message = "The connection is dead: the server does not answer a ping";
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}
