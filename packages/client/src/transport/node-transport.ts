import {
  createInvalidOptionError,
  ListwatchError,
  systemClock,
  type Clock,
  aBoolean,
  aClock,
  aNumber,
  aString,
  aFunction,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { describeAddress } from "../http/address.ts";
import type { FetchFunction } from "../http/connection.ts";
import { basicAuthorization } from "./basic-authorization.ts";
import { canUseDenoClient, DenoClient, denoRuntime, mayTakeAnotherWay } from "./deno-client.ts";
import type { NodeSender } from "./node-sender.ts";
import {
  isSocks,
  proxyAddress,
  proxyFor,
  readProxyEnvironment,
  type ProxySettings,
} from "./proxy-settings.ts";
import { tlsTable, type TlsOptions, type TlsSource } from "./tls-options.ts";
import { version } from "./version.ts";

/** Options of {@link nodeTransport}. */
export interface TransportOptions {
  /** Certificates and names. @default the runtime's roots, no client certificate */
  readonly tls?: TlsSource | undefined;
  /**
   * Address of a proxy for all requests, `http:`, `https:` or `socks5:`; `null` for none. A SOCKS
   * proxy resolves the name of the server.
   *
   * @default the value of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`
   */
  readonly proxy?: string | null | undefined;
  /** Path of a Unix socket for all requests, whatever the host of their address. @default none */
  readonly socketPath?: string | undefined;
  /**
   * Whether the server may compress responses with gzip. It compresses those above 128 KiB, except
   * watches.
   *
   * @default true
   */
  readonly compression?: boolean | undefined;
  /**
   * How long an unused connection is kept, in milliseconds. Less than the 90 s after which
   * kube-apiserver closes it.
   *
   * @default 15_000
   */
  readonly idleMs?: number | undefined;
  /**
   * Name and version of the program, such as `my-operator/1.2.0`, at the start of `User-Agent`.
   *
   * @default none
   */
  readonly program?: string | undefined;
  /**
   * Whether requests share connections over HTTP/2, where the server offers it over TLS (ALPN).
   * Hundreds of informers then take one or two connections and handshakes. Another one is opened
   * when the server takes no more requests on the first (SETTINGS_MAX_CONCURRENT_STREAMS). A
   * connection without a byte for 30 to 45 s is tested with a ping, and ends if none arrives for
   * another 15 s. Requests to other servers use HTTP/1.1.
   *
   * When a connection breaks, all its requests fail together; informers return with their random
   * delays. Supported by Node alone: on Deno and Bun `true` is refused.
   *
   * @default false
   */
  readonly http2?: boolean | undefined;
  /**
   * Clock for the delayed close of connections whose certificate was replaced, and for pings.
   *
   * @default systemClock
   */
  readonly clock?: Clock | undefined;
}

const transportTable: OptionsOf<TransportOptions> = {
  tls: [aFunction, tlsTable],
  proxy: (value) => (value === null ? undefined : aString(value)),
  socketPath: aString,
  compression: aBoolean,
  idleMs: aNumber(1),
  program: aString,
  http2: aBoolean,
  clock: aClock,
};

/** A transport: a `fetch` with separate connections, which disposal closes. */
export interface Transport extends FetchFunction, AsyncDisposable {}

/**
 * Creates a transport for connections that the global `fetch` cannot make: with given authorities,
 * client certificates and server names, through a proxy, to a Unix socket. It runs on Node, Deno
 * and Bun, over HTTP/1.1 unless `http2` is set. Watches never block other requests. It follows no
 * redirect.
 *
 * Deno's client is used where it suffices, because Deno's `node:https` buffers bodies without limit
 * while nothing reads them.
 *
 * Its `fetch` rejects with the error of the runtime, which clients and informers convert to a
 * `NetworkError`. After disposal it rejects, and open bodies end with an error.
 *
 * @throws {InvalidOptionsError} if an option is invalid, or not supported by the runtime
 */
export function nodeTransport(options: TransportOptions = {}): Transport {
  const transport = new NodeTransport(options);
  return Object.assign((request: Request) => transport.fetch(request), {
    [Symbol.asyncDispose]: async () => transport.close(),
  });
}

const defaultIdleMs = 15_000;
/**
 * Fields whose lines are separate values to the server, while `Headers` joins them. A value that
 * contains a comma and a space cannot be sent.
 */
const severalLines = /^impersonate-(group|extra-.*)$/;

class NodeTransport {
  readonly #options: TransportOptions;
  readonly #proxies: ProxySettings;
  readonly #userAgent: string;
  readonly #deno: DenoClient | undefined;
  /** Undefined until the first request that needs it. */
  #sender: NodeSender | undefined;
  #isClosed = false;

  constructor(options: TransportOptions) {
    checkOptions(options, transportTable);
    const { idleMs = defaultIdleMs, program, proxy, tls } = options;
    if (typeof tls === "object") checkTls(tls);
    if (options.http2 === true) checkHttp2Support();
    this.#options = options;
    this.#proxies = readProxies(proxy);
    this.#userAgent = userAgentOf(program);
    const deno = options.socketPath === undefined ? denoRuntime() : undefined;
    this.#deno = deno && new DenoClient(deno, idleMs);
  }

  async fetch(request: Request): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    if (!request.headers.has("user-agent")) request.headers.set("user-agent", this.#userAgent);
    const proxy = proxyFor(new URL(request.url), this.#proxies);
    if (proxy !== undefined) checkProxyAddress(proxy);
    const secret = proxy === undefined ? undefined : authorizationOf(proxy);
    if (secret === undefined) return this.#fetchOver(request, proxy);
    // A repeated request still has this field, which is for the proxy alone.
    if (request.headers.get(proxyField) === secret) request.headers.delete(proxyField);
    try {
      return await this.#fetchOver(request, proxy);
    } finally {
      // The sender keeps its headers out of messages, because proxies echo them.
      request.headers.set(proxyField, secret);
    }
  }

  async #fetchOver(request: Request, proxy: string | undefined): Promise<Response> {
    const { signal } = request;
    const tls = await this.#currentTls();
    signal.throwIfAborted();
    this.#checkOpen();
    if (this.#deno === undefined || !suitsDenoClient(request, tls, proxy)) {
      return this.#exchange(request, tls, proxy);
    }
    // The runtime requests compression by default.
    if (this.#options.compression === false) request.headers.set("accept-encoding", "identity");
    const response = await this.#deno.fetch(request, { tls, proxy });
    if (response !== undefined) return response;
    const other = await this.#exchange(request, tls, proxy);
    this.#deno.avoid(request.url);
    return other;
  }

  async #exchange(request: Request, tls: TlsOptions, proxy: string | undefined): Promise<Response> {
    const { method, url } = request;
    const { compression = true, http2 = false, socketPath } = this.#options;
    if (proxy !== undefined) checkProxySupport(proxy);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const headers: Record<string, string | string[]> = compression
      ? { "accept-encoding": "gzip" }
      : {};
    for (const [name, value] of request.headers) {
      headers[name] = severalLines.test(name) ? value.split(", ") : value;
    }
    if (body !== undefined) headers["content-length"] = String(body.length);
    const sender = this.#sender ?? (await this.#loadSender());
    return sender.send({ method, url, headers, body, request, socketPath }, { tls, proxy, http2 });
  }

  async #loadSender(): Promise<NodeSender> {
    const { clock = systemClock, idleMs = defaultIdleMs } = this.#options;
    const { NodeSender } = await import("./node-sender.ts");
    this.#checkOpen();
    return (this.#sender ??= new NodeSender({ clock, idleMs }));
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    const message = "Cannot send a request: the transport is closed";
    throw new ListwatchError("LW_TRANSPORT_CLOSED", message);
  }

  async #currentTls(): Promise<TlsOptions> {
    const { tls = {} } = this.#options;
    const current = typeof tls === "function" ? await tls() : tls;
    checkTls(current);
    const { ca, insecureSkipVerify } = current;
    if (ca === undefined || insecureSkipVerify === true) return current;
    const sender = this.#sender ?? (await this.#loadSender());
    sender.checkAuthority(ca);
    return current;
  }

  close(): void {
    this.#isClosed = true;
    this.#sender?.close();
    this.#deno?.close();
  }
}

/** The field that runtimes create from user information in the address of a proxy. */
const proxyField = "proxy-authorization";

function authorizationOf(proxy: string): string | undefined {
  const { username, password } = new URL(proxy);
  if (username === "" && password === "") return undefined;
  try {
    return basicAuthorization(decodeURIComponent(username), decodeURIComponent(password));
  } catch {
    // The runtime refuses such a proxy.
    return undefined;
  }
}

/** Whether Deno's client can send the request through the intended proxy. */
function suitsDenoClient(request: Request, tls: TlsOptions, proxy: string | undefined): boolean {
  const { env } = globalThis.process;
  // Deno sends user information of the proxy to the server behind it, too.
  const isAsMeant = !mayTakeAnotherWay(proxy, env) && proxy?.includes("@") !== true;
  return canUseDenoClient(tls) && isAsMeant && !needsSeveralLines(request);
}

/** Whether the request has two lines of one field, which `fetch` cannot send. */
function needsSeveralLines({ headers }: Request): boolean {
  return [...headers].some(([name, value]) => severalLines.test(name) && value.includes(", "));
}

function checkTls({ cert, key }: TlsOptions): void {
  if ((cert === undefined) === (key === undefined)) return;
  const [given, missing] = cert === undefined ? ["key", "cert"] : ["cert", "key"];
  throw createInvalidOptionError(
    `tls.${missing}`,
    `a text, since tls.${given} is given`,
    undefined,
  );
}

function readProxies(proxy: string | null | undefined): ProxySettings {
  if (proxy === undefined) return readProxyEnvironment(globalThis.process.env);
  if (proxy === null) return { always: undefined };
  const always = checkProxyAddress(proxy);
  checkProxySupport(always);
  return { always };
}

/** @throws {InvalidOptionsError} without user information */
function checkProxyAddress(proxy: string): string {
  const address = proxyAddress(proxy);
  if (address !== undefined) return address;
  const expected = "the address of a proxy with http:, https: or socks5:";
  throw createInvalidOptionError("proxy", expected, describeAddress(proxy));
}

/** @throws {InvalidOptionsError} if this runtime would ignore the proxy */
function checkProxySupport(proxy: string): void {
  const { versions } = globalThis.process;
  const isNode = versions["bun"] === undefined && versions["deno"] === undefined;
  if (isSocks(proxy)) return;
  // nodejs.org/docs, `new Agent({ proxyEnv })`: added in 22.21 and 24.5. Earlier versions ignore
  // it.
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  const isTooOld = (major === 22 && minor < 21) || major === 23 || (major === 24 && minor < 5);
  if (!isNode || !isTooOld) return;
  const found = `Node ${versions.node}`;
  throw createInvalidOptionError("proxy", "Node 22.21, 24.5 or newer for proxies", found);
}

/**
 * Windows, limits and ends of connections are those of Node's `node:http2`, which other runtimes
 * imitate in parts.
 *
 * @throws {InvalidOptionsError} on other runtimes than Node
 */
function checkHttp2Support(): void {
  const { versions } = globalThis.process;
  const found = (["deno", "bun"] as const).find((name) => versions[name] !== undefined);
  if (found === undefined) return;
  const name = found === "deno" ? "Deno" : "Bun";
  throw createInvalidOptionError("http2", `false on ${name}, since true needs Node`, true);
}

/**
 * Returns the value of `User-Agent`: the program, this library, and the runtime. The server records
 * the part before the first slash as the field manager of writes without one.
 */
function userAgentOf(program: string | undefined): string {
  const runtime = globalThis.navigator?.userAgent ?? "unknown";
  const library = `listwatch/${version} (${runtime.replaceAll(/[^\x20-\x7e]|[()]/g, "")})`;
  return program === undefined ? library : `${program} ${library}`;
}
