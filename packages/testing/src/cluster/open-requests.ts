import type { Fetch } from "@listwatch/fake-apiserver";

/** Requests of the program under test whose answers have not ended. */
export class OpenRequests {
  readonly #open = new Set<Request>();
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Descriptions such as `a watch of /api/v1/pods` and `GET /api/v1/pods`. */
  get descriptions(): readonly string[] {
    return [...this.#open].map(({ method, url }) => {
      const { pathname, searchParams } = new URL(url);
      return searchParams.has("watch") ? `a watch of ${pathname}` : `${method} ${pathname}`;
    });
  }

  /** Sends a request, which is open until its answer has ended or was cancelled. */
  async send(request: Request): Promise<Response> {
    this.#open.add(request);
    const end = (): void => void this.#open.delete(request);
    request.signal.addEventListener("abort", end, { once: true });
    try {
      const response = await this.#fetch(request);
      if (response.body !== null) return observed(response, response.body, end);
      end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Returns the same response; `end` is called when its body has ended or was cancelled. */
function observed(response: Response, body: ReadableStream<Uint8Array>, end: () => void): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { headers, status, statusText } = response;
  return new Response(stream, { headers, status, statusText });
}
