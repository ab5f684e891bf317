import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Bytes of a body that are taken in while nothing reads it, above what the socket holds. */
const bufferedBytes = 65_536;

/** Options of {@link bodyOf}. */
export interface BodyOptions {
  readonly isZipped: boolean;
  /** Held until the body ends; its signal is lost with it. */
  readonly request: Pick<Request, "signal">;
}

/**
 * The body of an answer as a stream. It stops the server when nothing reads, rejects with the
 * reason of the signal after an abort, and never ends as if it were complete when it is not.
 */
export function bodyOf(
  incoming: IncomingMessage,
  { isZipped, request }: BodyOptions,
): ReadableStream<Uint8Array> {
  const source: Readable = isZipped ? incoming.pipe(createGunzip()) : incoming;
  let hasEnded = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (action: () => void): void => {
          if (hasEnded) return;
          hasEnded = true;
          action();
        };
        const fail = (error: unknown): void =>
          end(() => {
            controller.error(request.signal.aborted ? request.signal.reason : error);
            // What is no gzip leaves the connection open, and the body can no more be cancelled.
            incoming.destroy();
          });
        source.on("data", (chunk: Uint8Array) => {
          if (hasEnded) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        });
        source.on("end", () => end(() => controller.close()));
        source.on("error", fail);
        if (isZipped) incoming.on("error", fail);
        // Not every runtime reports a body that ends too early as an error.
        incoming.on("close", () => {
          if (!incoming.complete) fail(brokenOff());
        });
      },
      pull() {
        source.resume();
      },
      cancel() {
        // Deno delivers what it holds after the end, too.
        hasEnded = true;
        incoming.destroy();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
  );
}

function brokenOff(): Error {
  return Object.assign(new Error("The connection was closed before the body ended"), {
    code: "ECONNRESET",
  });
}
