import { systemClock, type Clock, type KubernetesObject } from "@listwatch/core-fifo";
import {
  checkedServer,
  type Decoder,
  readBatches,
  statusErrorFrom,
  jsonDecoder,
  type ListOptions,
  type WatchOptions,
  networkErrorFrom,
  StatusError,
  type ResourceReference,
} from "@listwatch/client";
import type {
  ListContext,
  ListerWatcher,
  ListResult,
  RequestContext,
  WatchStream,
} from "./lister-watcher.ts";

/**
 * A function like the global `fetch`, called with one `Request`. It may add credentials, agents,
 * retries.
 */
export type FetchFunction = (request: Request) => Promise<Response>;

/** What a header function is told. */
export interface HeadersContext {
  /**
   * Whether the server just refused the credentials (401): they are to be renewed, not taken from a
   * cache.
   */
  readonly refresh: boolean;
}

/** Headers, or a function that is called for each request and may fetch or renew credentials. */
export type HeadersSource =
  | HeadersInit
  | ((context: HeadersContext) => HeadersInit | Promise<HeadersInit>);

/** Options of {@link httpListerWatcher}. */
export interface HttpListerWatcherOptions {
  /**
   * Any transport: the runtime's own, one with an agent or certificates, a fake API server's.
   *
   * @default the global fetch
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Base address of the API server, such as `https://10.0.0.1:6443`; a path is kept. Without
   * credentials, query and fragment; relative only where the runtime knows what to, as browsers
   * do.
   */
  readonly server: string;
  readonly resource: ResourceReference;
  /** @default all namespaces, or a cluster-scoped resource */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /**
   * Part of the collection, by hash range (KEP-5866). A server without the feature sends
   * everything.
   */
  readonly shardSelector?: string | undefined;
  readonly headers?: HeadersSource | undefined;
  /**
   * Whether to ask for the metadata of the objects only (PartialObjectMetadata).
   *
   * @default false
   */
  readonly metadataOnly?: boolean | undefined;
  /** @default jsonDecoder() */
  readonly decoder?: Decoder | undefined;
  /**
   * `false`: the server is known not to stream initial lists.
   *
   * @default true
   */
  readonly watchListSupported?: boolean | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Lists and watches a collection of an API server over `fetch`. It does no I/O until asked, keeps
 * nothing between requests, and never retries, except once after a 401 when `headers` is a
 * function.
 *
 * Lists come item by item while the body is read; between 8 ms of decoding it lets the event loop
 * run.
 *
 * @throws {InvalidOptionsError} if `server` is no address that can be asked
 *
 *   ```ts
 *   import { httpListerWatcher } from "@listwatch/reflector";
 *   const pods = httpListerWatcher({
 *     server: "https://kubernetes.default.svc",
 *     resource: { group: "", version: "v1", resource: "pods" },
 *     namespace: "default",
 *     headers: async () => ({ authorization: `Bearer ${await Promise.resolve("token")}` }),
 *   });
 *   if (typeof pods.watch !== "function") throw new Error("unreachable");
 *   ```
 */
export function httpListerWatcher<T extends KubernetesObject = KubernetesObject>(
  options: HttpListerWatcherOptions,
): ListerWatcher<T> {
  return new HttpListerWatcher<T>(options);
}

type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

class HttpListerWatcher<T> implements ListerWatcher<T> {
  readonly watchListSupported: boolean;
  readonly #options: HttpListerWatcherOptions;
  readonly #fetch: FetchFunction;
  readonly #clock: Clock;
  readonly #decoder: Decoder;
  readonly #url: string;

  constructor(options: HttpListerWatcherOptions) {
    this.watchListSupported = options.watchListSupported ?? true;
    this.#options = options;
    this.#fetch = options.fetch ?? ((request) => fetch(request));
    this.#clock = options.clock ?? systemClock;
    this.#decoder = options.decoder ?? jsonDecoder();
    this.#url = collectionUrl(options);
  }

  async list(options: ListOptions, context: ListContext<T>): Promise<ListResult<T>> {
    const attempted = `Couldn't list ${this.#url}`;
    const body = await this.#request({ ...options }, "List", attempted, context.signal);
    const decoder = this.#decoder.list<T>({ reuse: context.reuse });
    const items = readBatches(body, decoder, {
      clock: this.#clock,
      signal: context.signal,
      attempted,
    });
    return {
      get apiVersion() {
        return decoder.apiVersion;
      },
      get kind() {
        return decoder.kind;
      },
      get metadata() {
        return decoder.metadata;
      },
      items,
    };
  }

  async watch(options: WatchOptions, context: RequestContext): Promise<WatchStream<T>> {
    const attempted = `Couldn't watch ${this.#url}`;
    const body = await this.#request({ watch: true, ...options }, "", attempted, context.signal);
    return readBatches(body, this.#decoder.watch<T>(), {
      clock: this.#clock,
      signal: context.signal,
      attempted,
    });
  }

  async #request(
    parameters: QueryParameters,
    listSuffix: "" | "List",
    attempted: string,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const url = this.#url + this.#query(parameters);
    const { headers } = this.#options;
    let response = await this.#send(url, listSuffix, attempted, signal, false);
    if (response.status === 401 && typeof headers === "function") {
      await response.body?.cancel();
      response = await this.#send(url, listSuffix, attempted, signal, true);
    }
    if (!response.ok) throw await statusErrorFrom(response, attempted, this.#clock.now());
    if (response.body === null) {
      throw new StatusError({
        code: response.status,
        message: `${attempted}: the server answered ${response.status} without a body`,
      });
    }
    return response.body;
  }

  async #send(
    url: string,
    listSuffix: "" | "List",
    attempted: string,
    signal: AbortSignal,
    refresh: boolean,
  ): Promise<Response> {
    const source = this.#options.headers;
    const headers = new Headers(typeof source === "function" ? await source({ refresh }) : source);
    if (!headers.has("accept")) headers.set("accept", this.#accept(listSuffix));
    signal.throwIfAborted();
    try {
      return await this.#fetch(new Request(url, { headers, signal }));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw networkErrorFrom(error, attempted);
    }
  }

  #accept(listSuffix: "" | "List"): string {
    const { mediaType } = this.#decoder;
    if (this.#options.metadataOnly !== true) return mediaType;
    return `${mediaType};as=PartialObjectMetadata${listSuffix};v=v1;g=meta.k8s.io`;
  }

  #query(parameters: QueryParameters): string {
    const { labelSelector, fieldSelector, shardSelector } = this.#options;
    const query = new URLSearchParams();
    const all: QueryParameters = { labelSelector, fieldSelector, shardSelector, ...parameters };
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined && value !== "") query.set(name, String(value));
    }
    return query.size === 0 ? "" : `?${query}`;
  }
}

function collectionUrl({ server, resource, namespace }: HttpListerWatcherOptions): string {
  const { group, version, resource: name } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope =
    namespace === undefined || namespace === ""
      ? ""
      : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${checkedServer(server)}${root}${scope}/${name}`;
}
