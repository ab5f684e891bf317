import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * Number of bytes of a body that are buffered while nothing reads it, in addition to the socket's
 * buffer.
 */
const bufferedBytes = 65_536;

/** A body as the runtime delivers it, over HTTP/1.1 or HTTP/2. */
export interface IncomingBody {
  readonly incoming: Readable;
  /** Whether all of the body has arrived. */
  readonly isComplete: () => boolean;
  /** Ends the transfer. Without its rest the body is useless. */
  readonly cancel: () => void;
  /** Converts an error of the transfer. @default the error itself */
  readonly errorOf?: ((error: unknown) => unknown) | undefined;
}

/** Options of {@link bodyOf}. */
export interface BodyOptions {
  readonly isZipped: boolean;
  /** Kept until the body ends, because its signal would be lost with it. */
  readonly request: Pick<Request, "signal">;
}

/**
 * Returns the body of a response as a stream. It stops the server when nothing reads, rejects with
 * the reason of the signal after an abort, and never looks complete when it is not.
 */
export function bodyOf(
  { cancel, errorOf = (error) => error, incoming, isComplete }: IncomingBody,
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
            controller.error(request.signal.aborted ? request.signal.reason : errorOf(error));
            // A body that is not gzip leaves the connection open, and can no longer be cancelled.
            cancel();
          });
        source.on("data", (chunk: Uint8Array) => {
          if (hasEnded) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        });
        source.on("end", () => end(() => controller.close()));
        source.on("error", fail);
        if (isZipped) incoming.on("error", fail);
        // Not every runtime reports a truncated body as an error.
        incoming.on("close", () => {
          if (!isComplete()) fail(brokenOff());
        });
      },
      pull() {
        source.resume();
      },
      cancel() {
        // Deno also delivers buffered data after the end.
        hasEnded = true;
        cancel();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
  );
}

/** Creates the error for a connection that ended before the body. */
export function brokenOff(): Error {
  return Object.assign(new Error("The connection was closed before the body ended"), {
    code: "ECONNRESET",
  });
}
