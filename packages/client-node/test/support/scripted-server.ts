import type { FetchHandler } from "@listwatch/fake-apiserver/node";

const headers = { "content-type": "application/json" };

export function wireMap(name: string, resourceVersion: string): object {
  const metadata = { name, namespace: "default", resourceVersion, uid: `uid-${name}` };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

/**
 * A server for answers that a real one does not send on demand: lists come from a function, watches
 * line by line.
 */
export class ScriptedServer implements FetchHandler {
  readonly #encoder = new TextEncoder();
  readonly #watches: ReadableStreamDefaultController<Uint8Array>[] = [];
  readonly #waits = new Set<() => void>();
  #opened = 0;
  #lists = 0;
  items: readonly object[] = [];
  resourceVersion = "10";
  /** Called before each list with its number, starting at 1. */
  onList: (lists: number) => void = () => undefined;

  /** Path and query of each request. */
  readonly requested: string[] = [];
  /** Answers the next watches in place of a stream. */
  readonly refusals: Response[] = [];

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(request.url);
    this.requested.push(pathname + search);
    if (searchParams.has("watch")) return this.refusals.shift() ?? this.#watch();
    this.#lists++;
    this.onList(this.#lists);
    const metadata = { resourceVersion: this.resourceVersion };
    const items = this.items.map((item) => ({ ...item }));
    return Response.json({ apiVersion: "v1", kind: "ConfigMapList", metadata, items }, { headers });
  };

  get lists(): number {
    return this.#lists;
  }

  /** Resolves when `count` watches have been opened. */
  async opened(count: number): Promise<void> {
    if (this.#opened >= count) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.#opened < count) return;
        this.#waits.delete(check);
        resolve();
      };
      this.#waits.add(check);
    });
  }

  send(type: string, object: object): void {
    this.#watches.at(-1)?.enqueue(this.#encoder.encode(`${JSON.stringify({ type, object })}\n`));
  }

  end(): void {
    this.#watches.at(-1)?.close();
  }

  #watch(): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void this.#watches.push(controller),
    });
    this.#opened++;
    for (const check of this.#waits) check();
    return new Response(body, { headers });
  }
}
