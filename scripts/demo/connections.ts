import type { FetchFunction } from "@listwatch/client";

/** A `fetch` whose connections can be broken, to see what becomes of the program that uses them. */
export class Connections {
  readonly #open = new Set<AbortController>();

  /** As the global one. */
  readonly fetch: FetchFunction = async (request) => {
    const breaker = new AbortController();
    const signal = AbortSignal.any([request.signal, breaker.signal]);
    this.#open.add(breaker);
    try {
      return this.#watched(await globalThis.fetch(request, { signal }), breaker);
    } catch (error) {
      this.#open.delete(breaker);
      throw error;
    }
  };

  /** Breaks what is open and says so. */
  drop(): string {
    const reason = new TypeError("connection reset (ECONNRESET) by the drop key");
    for (const breaker of this.#open) breaker.abort(reason);
    this.#open.clear();
    return "Broke the connection";
  }

  /** Forgets the connection when its body has been read. */
  #watched(response: Response, breaker: AbortController): Response {
    const end = (): void => {
      this.#open.delete(breaker);
    };
    if (response.body === null) {
      end();
      return response;
    }
    const body = response.body.pipeThrough(new TransformStream({ flush: end }));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }
}
