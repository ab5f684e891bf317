import { isRecord } from "@listwatch/core-fifo/base";
import { networkErrorFrom } from "../errors/network-error.ts";
import type { FetchFunction } from "../http/connection.ts";
import { certificatesIn, isEqualTls, type TlsOptions } from "./tls-options.ts";

/** Parts of Deno's API that are used; https://docs.deno.com/api/deno/~/Deno.createHttpClient. */
interface DenoRuntime {
  createHttpClient(options: Readonly<Record<string, unknown>>): { close(): void };
}

/**
 * Code with which a server closes an unused connection. Deno takes it for the answer to the next
 * request. A client may repeat that: RFC 9110 §15.5.9.
 */
const unasked = 408;

/** Returns Deno's API if the program runs on Deno. */
export function denoRuntime(): DenoRuntime | undefined {
  const deno: unknown = Reflect.get(globalThis, "Deno");
  return isDenoRuntime(deno) ? deno : undefined;
}

function isDenoRuntime(value: unknown): value is DenoRuntime {
  return isRecord(value) && typeof value["createHttpClient"] === "function";
}

/** Whether Deno's client can create such connections: it has no options for others. */
export function canUseDenoClient(tls: TlsOptions): boolean {
  const { serverName, insecureSkipVerify, passphrase } = tls;
  return serverName === undefined && insecureSkipVerify !== true && passphrase === undefined;
}

/**
 * Whether Deno's client could use another proxy, or none, instead of the intended one. It also
 * reads the environment, even for localhost and whatever its options are, and reads `NO_PROXY`
 * differently. So it is only used where the environment leaves it no choice.
 */
export function mayTakeAnotherWay(
  proxy: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const names = proxy === undefined ? ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] : ["NO_PROXY"];
  try {
    return names.some((name) => Boolean(environment[name] || environment[name.toLowerCase()]));
  } catch {
    // The program may not read its environment, but Deno's client does.
    return true;
  }
}

/**
 * Whether Deno's client refuses the certificate of the server. Nothing was sent then, and
 * `node:https` decides: it accepts the server's own certificate as an authority.
 */
function isCertificateRefused(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    if (/\binvalid peer certificate\b/.test(cause.message)) return true;
    cause = cause.cause;
  }
  return false;
}

/** Deno's `fetch` with separate connections. */
interface DenoFetch {
  readonly fetch: FetchFunction;
  close(): void;
}

/** Credentials and proxy of connections. */
interface Way {
  readonly tls: TlsOptions;
  readonly proxy: string | undefined;
}

/** Deno's client of a transport, and the servers that need `node:https` instead. */
export class DenoClient {
  readonly #deno: DenoRuntime;
  readonly #idleMs: number;
  #held: (Way & { readonly denoFetch: DenoFetch | undefined }) | undefined;
  /** Origins with a certificate that Deno's client has accepted or refused. */
  readonly #isAccepted = new Map<string, boolean>();

  constructor(deno: DenoRuntime, idleMs: number) {
    this.#deno = deno;
    this.#idleMs = idleMs;
  }

  /** Sends a request. Returns `undefined` if `node:https` must: nothing has been sent then. */
  async fetch(request: Request, way: Way): Promise<Response | undefined> {
    const { origin } = new URL(request.url);
    const isAccepted = this.#isAccepted.get(origin);
    const denoFetch = isAccepted === false ? undefined : this.#take(way);
    if (denoFetch === undefined) return undefined;
    // The body must stay readable if the certificate is refused.
    const isKept = isAccepted === undefined && request.body !== null;
    try {
      const response = await denoFetch.fetch(isKept ? request.clone() : request);
      this.#isAccepted.set(origin, true);
      return response;
    } catch (error) {
      if (!isCertificateRefused(error)) throw error;
      this.#isAccepted.delete(origin);
      if (isAccepted === true && request.bodyUsed) throw error;
      return undefined;
    }
  }

  /** Records that `node:https` has reached a server whose certificate this client refuses. */
  avoid(url: string): void {
    this.#isAccepted.set(new URL(url).origin, false);
  }

  #take({ tls, proxy }: Way): DenoFetch | undefined {
    const held = this.#held;
    if (held !== undefined && held.proxy === proxy && isEqualTls(held.tls, tls)) {
      return held.denoFetch;
    }
    // Existing connections continue until their bodies end.
    const denoFetch = createDenoFetch(this.#deno, tls, { proxy, idleMs: this.#idleMs });
    this.#held = { tls, proxy, denoFetch };
    return denoFetch;
  }

  close(): void {
    this.#held?.denoFetch?.close();
    this.#held = undefined;
  }
}

/**
 * Creates a `fetch` on a Deno client. Without HTTP/2, where the 101st watch would block all other
 * requests to the server. Returns `undefined` if Deno's client cannot use the client certificate,
 * such as one of X.509 version 1, which `node:https` can.
 */
function createDenoFetch(
  deno: DenoRuntime,
  tls: TlsOptions,
  { proxy, idleMs }: { readonly proxy: string | undefined; readonly idleMs: number },
): DenoFetch | undefined {
  const options = {
    http2: false,
    poolIdleTimeout: idleMs,
    ...(tls.ca === undefined ? {} : { caCerts: certificatesIn(tls.ca) }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert, key: tls.key }),
    ...(proxy === undefined ? {} : { proxy: { url: proxy } }),
  };
  let reads: ReturnType<DenoRuntime["createHttpClient"]>;
  let writes: ReturnType<DenoRuntime["createHttpClient"]>;
  try {
    reads = deno.createHttpClient(options);
    // Deno repeats any request, even a write that the server has read, when a used connection
    // breaks. So each write gets a new connection.
    writes = deno.createHttpClient({ ...options, poolMaxIdlePerHost: 0 });
  } catch {
    return undefined;
  }
  // `client` is Deno's extension of the second argument.
  const send: (request: Request, init: object) => Promise<Response> = fetch;
  return {
    fetch: async (request) => {
      const client = request.method === "GET" ? reads : writes;
      const init = { client, redirect: "manual" };
      try {
        const response = await send(request, init);
        if (client === writes || response.status !== unasked) return response;
        await response.body?.cancel();
      } catch (error) {
        if (!isStale(error, request)) throw error;
      }
      // On a new connection: the server may have closed all others, too.
      return send(request, { ...init, client: writes });
    },
    close: () => {
      reads.close();
      writes.close();
    },
  };
}

/**
 * Whether the server may have closed an unused connection just before the request. Deno does not
 * report whether a connection was reused, so any interrupted GET is repeated.
 */
function isStale(error: unknown, { method, signal }: Request): boolean {
  if (method !== "GET" || signal.aborted) return false;
  const { kind } = networkErrorFrom(error, "");
  return kind === "connection-reset" || kind === "eof";
}
