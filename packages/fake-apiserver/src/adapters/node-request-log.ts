import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import type { FetchHandler } from "../api/request.ts";

/** Writes a line of JSON to a file for each request of a handler. */
export class RequestLog implements FetchHandler {
  readonly #file: WriteStream;
  readonly #handler: FetchHandler;

  private constructor(file: WriteStream, handler: FetchHandler) {
    this.#file = file;
    this.#handler = handler;
  }

  /** Creates the file, or empties it. @throws {Error} if it cannot be written */
  static async open(path: string, handler: FetchHandler): Promise<RequestLog> {
    const file = createWriteStream(path, { mode: 0o600 });
    await once(file, "open");
    return new RequestLog(file, handler);
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const startMs = Date.now();
    let status: number | null = null;
    try {
      const response = await this.#handler.fetch(request);
      ({ status } = response);
      return response;
    } finally {
      this.#write(request, startMs, status);
    }
  };

  /** Resolves when all lines are in the file. */
  async close(): Promise<void> {
    this.#file.end();
    await once(this.#file, "close");
  }

  // The status is null if the connection was broken instead of an answer.
  #write({ headers, method, url }: Request, startMs: number, status: number | null): void {
    const { pathname, search } = new URL(url);
    const line = {
      time: new Date(startMs).toISOString(),
      method,
      path: pathname + search,
      status,
      durationMs: Date.now() - startMs,
      userAgent: headers.get("user-agent"),
    };
    this.#file.write(`${JSON.stringify(line)}\n`);
  }
}
