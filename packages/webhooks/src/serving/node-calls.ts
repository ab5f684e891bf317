import { inRealTime } from "@listwatch/core-fifo/base";

/** Time for the last bytes of an answer to leave the process, in milliseconds. */
const flushMs = 100;

/** Requests that are being answered. */
export class Calls {
  /** Whether connections end with their next answer. */
  isDraining = false;
  #count = 0;
  #waiting: (() => void)[] = [];

  async answer(handle: () => Promise<Response>): Promise<Response> {
    this.#count += 1;
    try {
      const response = await handle();
      return this.isDraining ? lastOf(response) : response;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  /** Resolves when each request is answered, and the answers have had time to leave. */
  async untilAnswered(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    // Real time: the network knows no other.
    await inRealTime(new Promise((resolve) => setTimeout(resolve, flushMs)));
  }
}

/** The same answer as the last one of its connection. */
function lastOf({ body, headers, status }: Response): Response {
  return new Response(body, { status, headers: [...headers, ["connection", "close"]] });
}
