import type { FetchFunction } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";

/** Pieces of a body that may be under way at once while latency is on. */
const mostUnderWay = 1024;

/** A `fetch` whose connections can be broken and slowed, to see what the program makes of it. */
export class Connections {
  /** How much later each request and each piece of an answer arrives, in milliseconds. */
  latencyMs = 0;
  /** Whether the server has ever answered. */
  hasAnswered = false;
  readonly #open = new Set<AbortController>();
  readonly #fetch: FetchFunction;

  constructor(fetch: FetchFunction) {
    this.#fetch = fetch;
  }

  /** As the one that it was made with. */
  readonly fetch: FetchFunction = async (request) => {
    const breaker = new AbortController();
    const signal = AbortSignal.any([request.signal, breaker.signal]);
    this.#open.add(breaker);
    try {
      if (this.latencyMs > 0) await sleep(this.latencyMs, { signal });
      const response = await this.#fetch(new Request(request, { signal }));
      this.hasAnswered = true;
      return this.#watched(response, breaker);
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

  /** Delays the body, and forgets the connection when it has been read. */
  #watched(response: Response, breaker: AbortController): Response {
    const end = (): void => {
      this.#open.delete(breaker);
    };
    if (response.body === null) {
      end();
      return response;
    }
    const arrivals = new TransformStream<BodyPiece, [BodyPiece, atMs: number]>(
      { transform: (piece, controller) => controller.enqueue([piece, Date.now()]) },
      undefined,
      // Room for the pieces under way: each is delayed from its own arrival.
      { highWaterMark: mostUnderWay },
    );
    const delays = new TransformStream<[BodyPiece, atMs: number], BodyPiece>({
      transform: async ([piece, atMs], controller) => {
        const leftMs = atMs + this.latencyMs - Date.now();
        if (this.latencyMs > 0 && leftMs > 0) await sleep(leftMs);
        controller.enqueue(piece);
      },
      flush: end,
    });
    // `fetch` may have lost its signal to the garbage collector by now.
    const { signal } = breaker;
    const body = response.body.pipeThrough(arrivals, { signal }).pipeThrough(delays);
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }
}

type BodyPiece = Uint8Array<ArrayBuffer>;
