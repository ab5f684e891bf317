import type { FetchHandler } from "../../src/api/request.ts";

/** Any JSON object of a response. */
export interface Json {
  // eslint-disable-next-line typescript/no-explicit-any
  readonly [field: string]: any;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Json;
}

/** A response with its decoded body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** A minimal client for JSON. */
export class ApiClient {
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor(server: { readonly fetch: FetchHandler["fetch"] }) {
    this.#fetch = server.fetch;
  }

  send(method: string, path: string, body?: object, init: RequestInit = {}): Promise<Response> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", contentType(method));
    return this.#fetch(
      new Request(`http://localhost${path}`, { ...init, method, ...content, headers }),
    );
  }

  async call(method: string, path: string, body?: object, init?: RequestInit): Promise<Answer> {
    const response = await this.send(method, path, body, init);
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(await response.text()) as Json,
    };
  }

  get(path: string): Promise<Answer> {
    return this.call("GET", path);
  }

  async watch(path: string, init?: RequestInit): Promise<WatchReader> {
    return new WatchReader(await this.send("GET", path, undefined, init));
  }

  /** Creates a ConfigMap in the namespace "default". */
  createConfigMap(name: string, data: Record<string, string> = {}): Promise<Answer> {
    return this.call("POST", configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data,
    });
  }

  updateConfigMap(name: string, data: Record<string, string>): Promise<Answer> {
    return this.call("PATCH", `${configMaps}/${name}`, { data });
  }
}

export const configMaps = "/api/v1/namespaces/default/configmaps";

function contentType(method: string): string {
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

export class WatchReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";
  chunks: Uint8Array[] = [];

  constructor(response: Response) {
    if (response.body === null) throw new Error(`Expected a stream, got ${response.status}`);
    this.response = response;
    this.#reader = response.body.getReader();
  }

  /** Returns the next event; undefined at a clean end, where an unfinished line is dropped. */
  async next(): Promise<WatchEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line) as WatchEvent;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.chunks.push(value);
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** Returns the next `count` events as "TYPE name". */
  async take(count: number): Promise<readonly string[]> {
    const taken: string[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`The watch ended after ${taken.join(", ")}`);
      taken.push(describe(event));
    }
    return taken;
  }

  async rest(): Promise<readonly string[]> {
    const taken: string[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      taken.push(describe(event));
    }
    return taken;
  }

  /** The beginning of an unfinished line. */
  get unfinished(): string {
    return this.#text;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

function describe({ type, object }: WatchEvent): string {
  const { name } = object["metadata"];
  if (type === "ERROR") return `${type} ${object["code"]}`;
  return name === undefined ? type : `${type} ${name}`;
}
