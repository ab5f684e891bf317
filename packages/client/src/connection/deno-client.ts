import { isRecord } from "@listwatch/core-fifo/base";
import { networkErrorFrom } from "../errors/network-error.ts";
import type { FetchFunction } from "../http/connection.ts";
import { environmentProxyFor, isExcepted, readProxyEnvironment } from "./proxy-settings.ts";
import type { TlsOptions } from "./tls-options.ts";

/** Parts of Deno's API that are used; https://docs.deno.com/api/deno/~/Deno.createHttpClient. */
interface DenoRuntime {
  createHttpClient(options: Readonly<Record<string, unknown>>): { close(): void };
}

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
 * Whether Deno's client would use another proxy, or none, instead of the intended one: it also
 * reads the environment, even for localhost and whatever its options are.
 */
export function takesAnotherWay(
  url: URL,
  proxy: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  try {
    const { except, http, https } = readProxyEnvironment(environment);
    if (proxy !== undefined) return isExcepted(url, except);
    const all = environment["ALL_PROXY"] || environment["all_proxy"] || undefined;
    const found = { http: http ?? all, https: https ?? all, except };
    return environmentProxyFor(url, found) !== undefined;
  } catch {
    // The program may not read its environment.
    return false;
  }
}

/** Deno's `fetch` with separate connections. */
export interface DenoFetch {
  readonly fetch: FetchFunction;
  close(): void;
}

/**
 * Creates a `fetch` on a Deno client. Without HTTP/2, where the 101st watch would block all other
 * requests to the server.
 */
export function createDenoFetch(
  deno: DenoRuntime,
  tls: TlsOptions,
  { proxy, idleMs }: { readonly proxy: string | undefined; readonly idleMs: number },
): DenoFetch {
  const client = deno.createHttpClient({
    http2: false,
    poolIdleTimeout: idleMs,
    ...(tls.ca === undefined ? {} : { caCerts: certificatesIn(tls.ca) }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert, key: tls.key }),
    ...(proxy === undefined ? {} : { proxy: { url: proxy } }),
  });
  // `client` is Deno's extension of the second argument.
  const send: (request: Request, init: object) => Promise<Response> = fetch;
  return {
    fetch: async (request) => {
      const init = { client, redirect: "manual" };
      try {
        return await send(request, init);
      } catch (error) {
        if (!isStale(error, request)) throw error;
        return send(request, init);
      }
    },
    close: () => client.close(),
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

function certificatesIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [pem];
}
