import { sleep, type Clock, type FetchFunction } from "listwatch";

/** Pieces of a body that can be in flight while latency is on. */
const mostInFlight = 1024;

type Piece = Uint8Array<ArrayBuffer>;

/** A `fetch` whose connections can be broken and delayed. */
export class Connections {
  /** Added to each request and to each piece of a response, in milliseconds. */
  latencyMs = 0;
  /** Whether the server has ever answered. */
  hasAnswered = false;
  readonly #clock: Clock;
  readonly #fetch: FetchFunction;
  readonly #open = new Set<AbortController>();

  constructor(fetch: FetchFunction, clock: Clock) {
    this.#clock = clock;
    this.#fetch = fetch;
  }

  /** Sends a request like the inner `fetch`, with the faults that are on. */
  readonly fetch: FetchFunction = async (request) => {
    const breaker = new AbortController();
    const signal = AbortSignal.any([request.signal, breaker.signal]);
    this.#open.add(breaker);
    try {
      if (this.latencyMs > 0) await sleep(this.latencyMs, { clock: this.#clock, signal });
      const response = await this.#fetch(new Request(request, { signal }));
      this.hasAnswered = true;
      return this.#breakable(response, breaker);
    } catch (error) {
      this.#open.delete(breaker);
      throw error;
    }
  };

  /** Breaks all open connections; returns their number. */
  drop(): number {
    const count = this.#open.size;
    const reason = new TypeError("connection reset (ECONNRESET) by the demo");
    for (const breaker of this.#open) breaker.abort(reason);
    this.#open.clear();
    return count;
  }

  /** Delays the body, and forgets the connection at its end. */
  #breakable(response: Response, breaker: AbortController): Response {
    const clock = this.#clock;
    const arrivals = new TransformStream<Piece, [Piece, atMs: number]>(
      { transform: (piece, controller) => controller.enqueue([piece, clock.now()]) },
      undefined,
      // Room for the pieces in flight: the delay of each counts from its own arrival.
      { highWaterMark: mostInFlight },
    );
    const delays = new TransformStream<[Piece, atMs: number], Piece>({
      transform: async ([piece, atMs], controller) => {
        const leftMs = atMs + this.latencyMs - clock.now();
        if (this.latencyMs > 0 && leftMs > 0) await sleep(leftMs, { clock });
        controller.enqueue(piece);
      },
    });
    const source = response.body ?? new ReadableStream({ start: (body) => body.close() });
    // `fetch` may have lost its own signal to the garbage collector by now.
    const arrived = source.pipeTo(arrivals.writable, { signal: breaker.signal });
    void arrived.catch(() => {}).finally(() => this.#open.delete(breaker));
    const { status, statusText, headers } = response;
    const body = arrivals.readable.pipeThrough(delays);
    return new Response(response.body && body, { status, statusText, headers });
  }
}
