import type { WebhookAddress } from "./webhook-address.ts";
import { goNetworkError } from "./network-errors.ts";

// Parts of `node:https`, which Deno and Bun have as well. They are looked up at run time, so that
// bundles for browsers need no replacement for Node's modules.
interface Outgoing {
  on(event: "error", listener: (error: unknown) => void): void;
  end(body: string): void;
}
interface Incoming extends AsyncIterable<Uint8Array<ArrayBuffer>> {
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

/**
 * Sends the call of a webhook over the network: with Node's modules, which can trust a `caBundle`
 * and check a certificate for another name than the host's; without them by the global `fetch`.
 *
 * @throws {Error} with the message of Go's client if nothing answers, or what answers is not
 *   trusted
 */
export async function sendOverHttps(request: Request, address: WebhookAddress): Promise<Response> {
  const { caBundle, serverName, target, url } = address;
  const module = loadModule(target.startsWith("http:") ? "node:http" : "node:https");
  if (module === undefined) return globalThis.fetch(request);
  const body = await request.text();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const options = {
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), host: hostOf(url) },
    signal: request.signal,
    agent: false,
    ...(caBundle === undefined ? {} : { ca: caBundle }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
  const outgoing = module.request(target, options, (incoming) => {
    responseOf(incoming).then(resolve, reject);
  });
  outgoing.on("error", (error) => {
    const message = goNetworkError(error, serverName ?? new URL(target).hostname);
    reject(new Error(message, { cause: error }));
  });
  outgoing.end(body);
  return promise;
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
