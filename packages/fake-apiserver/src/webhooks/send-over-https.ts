import type { WebhookAddress } from "./webhook-address.ts";
import { goNetworkError } from "./network-errors.ts";

// Parts of `node:https`, which Deno and Bun have as well. They are looked up at run time, so that
// bundles for browsers need no replacement for Node's modules.
interface Outgoing {
  on(event: "error", listener: (error: unknown) => void): void;
  end(body: string): void;
}
interface Incoming extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  resume(): void;
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
interface HttpModule {
  request(
    url: string,
    options: Readonly<Record<string, unknown>>,
    listener: (incoming: Incoming) => void,
  ): Outgoing;
}

// As Go's client: net/http/client.go, `defaultCheckRedirect`.
const mostRedirects = 10;

/**
 * Sends the call of a webhook over the network: with Node's modules, which can trust a `caBundle`
 * and check a certificate for another name than the host's; without them by the global `fetch`.
 * Follows redirects.
 *
 * @throws {Error} with the message of Go's client if nothing answers, or what answers is not
 *   trusted
 */
export async function sendOverHttps(request: Request, address: WebhookAddress): Promise<Response> {
  if (loadModule("node:https") === undefined) return globalThis.fetch(request);
  const body = await request.text();
  let call: Call = { method: request.method, body, url: address.url, target: address.target };
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const incoming = await send(call, request, address);
    const next = redirected(call, incoming);
    if (next === undefined) return responseOf(incoming);
    incoming.resume();
    call = next;
  }
  throw new Error(`stopped after ${mostRedirects} redirects`);
}

/** A request in flight. */
interface Call {
  readonly method: string;
  readonly body: string;
  /** As the server names the webhook. */
  readonly url: string;
  /** Where it is on this machine. */
  readonly target: string;
}

function send(
  { body, method, target, url }: Call,
  { headers, signal }: Request,
  { caBundle, serverName }: WebhookAddress,
): Promise<Incoming> {
  const { promise, resolve, reject } = Promise.withResolvers<Incoming>();
  const options = {
    method,
    headers: { ...Object.fromEntries(headers), host: hostOf(url) },
    signal,
    agent: false,
    // Go trusts each certificate of a bundle, also one that is not self-signed; Deno does not.
    ...(caBundle === undefined ? {} : { ca: caBundle, allowPartialTrustChain: true }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
  const module = loadModule(target.startsWith("http:") ? "node:http" : "node:https");
  const outgoing = module?.request(target, options, resolve);
  outgoing?.on("error", (error) => {
    const message = goNetworkError(error, serverName ?? new URL(target).hostname);
    reject(new Error(message, { cause: error }));
  });
  outgoing?.end(body);
  return promise;
}

/** The next request, if the answer is a redirect: 307 and 308 repeat it, others only read. */
function redirected(call: Call, { headers, statusCode = 0 }: Incoming): Call | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  if (typeof location !== "string" || !URL.canParse(location, call.url)) return undefined;
  const url = new URL(location, call.url);
  const isSameServer = url.origin === new URL(call.url).origin;
  const target = isSameServer
    ? new URL(`${url.pathname}${url.search}`, new URL(call.target).origin)
    : url;
  const repeated = statusCode >= 307 ? call : { method: "GET", body: "" };
  return { method: repeated.method, body: repeated.body, url: url.href, target: target.href };
}

// With the port, also if it is the usual one, as Go sends it.
function hostOf(url: string): string {
  return url.split("/")[2] ?? "";
}

async function responseOf(incoming: Incoming): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const type = incoming.headers["content-type"];
  const headers: [string, string][] = typeof type === "string" ? [["content-type", type]] : [];
  return new Response(new Blob(chunks), { status: incoming.statusCode ?? 500, headers });
}

function loadModule(name: "node:http" | "node:https"): HttpModule | undefined {
  const process: unknown = Reflect.get(globalThis, "process");
  if (typeof process !== "object" || process === null) return undefined;
  const load: unknown = Reflect.get(process, "getBuiltinModule");
  if (typeof load !== "function") return undefined;
  // The module has this shape wherever it exists.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Reflect.apply(load, process, [name]) as HttpModule | undefined;
}
