import type { FetchFunction } from "@listwatch/client";

/** Counts the requests over a `fetch`, the unanswered ones, and the open bodies. */
export class Traffic {
  readonly #fetch: FetchFunction;
  #requests = 0;
  #waiting = 0;
  #openBodies = 0;

  constructor(fetch: FetchFunction) {
    this.#fetch = fetch;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Descriptions of leaks that would keep a connection open. */
  get leaks(): readonly string[] {
    return [
      ...(this.#waiting > 0 ? [`${this.#waiting} requests without an answer`] : []),
      ...(this.#openBodies > 0 ? [`${this.#openBodies} bodies that were not cancelled`] : []),
    ];
  }

  async fetch(request: Request): Promise<Response> {
    this.#requests++;
    this.#waiting++;
    try {
      const response = await this.#fetch(request);
      if (response.body === null) return response;
      return new Response(this.#follow(response.body), response);
    } finally {
      this.#waiting--;
    }
  }

  #follow(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let isOpen = true;
    this.#openBodies++;
    const end = (): void => {
      if (isOpen) this.#openBodies--;
      isOpen = false;
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { value } = await reader.read();
            if (value !== undefined) return controller.enqueue(value);
            end();
            controller.close();
          } catch (error) {
            end();
            controller.error(error);
          }
        },
        async cancel(reason) {
          end();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}
