import { isRecord } from "@listwatch/core-fifo/base";
import { networkErrorFrom } from "../errors/network-error.ts";
import type { FetchFunction } from "../http/connection.ts";
import { environmentProxyFor, isExcepted, readProxyEnvironment } from "./proxy-settings.ts";
import type { TlsOptions } from "./tls-options.ts";

/** What of Deno's API is used; https://docs.deno.com/api/deno/~/Deno.createHttpClient. */
interface DenoRuntime {
  createHttpClient(options: Readonly<Record<string, unknown>>): { close(): void };
}

/** Deno's API, where the program runs on Deno. */
export function denoRuntime(): DenoRuntime | undefined {
  const deno: unknown = Reflect.get(globalThis, "Deno");
  return isDenoRuntime(deno) ? deno : undefined;
}

function isDenoRuntime(value: unknown): value is DenoRuntime {
  return isRecord(value) && typeof value["createHttpClient"] === "function";
}

/** Whether Deno's own client can make such connections: it has no options for the others. */
export function canUseDenoClient(tls: TlsOptions): boolean {
  const { serverName, insecureSkipVerify, passphrase } = tls;
  return serverName === undefined && insecureSkipVerify !== true && passphrase === undefined;
}

/**
 * Whether Deno's own client would take another way than the one that is meant, through a proxy or
 * none: it also looks at the environment, for addresses of the own machine, and whatever its
 * options say.
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
    // The program may not look at its environment.
    return false;
  }
}

/** A `fetch` of Deno's own, with connections of its own. */
export interface DenoFetch {
  readonly fetch: FetchFunction;
  close(): void;
}

/**
 * Makes a `fetch` on a client of Deno's. Not with HTTP/2, over which the 101st watch would hold up
 * all other requests to the server.
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
  // `client` is Deno's own member of the second argument.
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
 * Whether the server may have closed an unused connection just before the request came. Deno does
 * not say whether the connection was used before, so that any GET that broke off is repeated.
 */
function isStale(error: unknown, { method, signal }: Request): boolean {
  if (method !== "GET" || signal.aborted) return false;
  const { kind } = networkErrorFrom(error, "");
  return kind === "connection-reset" || kind === "eof";
}

function certificatesIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [pem];
}
