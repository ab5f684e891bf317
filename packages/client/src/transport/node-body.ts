import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { setSource, type ChunkSource } from "../http/chunk-source.ts";

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
 * the reason of the signal after an abort, and never looks complete when it is not. Readers of our
 * own take the chunks without the stream.
 */
export function bodyOf(body: IncomingBody, options: BodyOptions): ReadableStream<Uint8Array> {
  const source = new IncomingChunks(body, options);
  let isReading = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // An end is also seen by a reader that waits for nothing else.
        source.onEnd = ({ error }) => {
          if (error !== undefined) controller.error(error);
          else if (!isReading && source.isDrained) controller.close();
        };
      },
      async pull(controller) {
        isReading = true;
        const chunk = await source.read();
        isReading = false;
        if (chunk !== undefined) controller.enqueue(chunk);
        if (source.isDrained) controller.close();
      },
      cancel: () => source.cancel(),
    },
    // The source has the buffer.
    { highWaterMark: 0 },
  );
  setSource(stream, source);
  return stream;
}

/** End of a body: complete, or with an error. */
type End = { readonly error?: unknown };

interface PendingRead {
  readonly resolve: (chunk: Uint8Array | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Chunks of a body. A read that waits is resolved in the event in which its chunk arrives. */
class IncomingChunks implements ChunkSource {
  /** Called with the end of the body, unless it was cancelled. */
  onEnd: ((end: End) => void) | undefined;
  readonly #body: IncomingBody;
  readonly #source: Readable;
  readonly #request: BodyOptions["request"];
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #end: End | undefined;
  #pending: PendingRead | undefined;

  constructor(body: IncomingBody, { isZipped, request }: BodyOptions) {
    const { incoming } = body;
    this.#body = body;
    this.#request = request;
    this.#source = isZipped ? incoming.pipe(createGunzip()) : incoming;
    const fail = (error: unknown): void => this.#fail(error);
    this.#source.on("data", (chunk: Uint8Array) => this.#add(chunk));
    this.#source.on("end", () => this.#finish({}));
    this.#source.on("error", fail);
    if (isZipped) incoming.on("error", fail);
    // Not every runtime reports a truncated body as an error.
    incoming.on("close", () => {
      if (!body.isComplete()) fail(brokenOff());
    });
  }

  /** Whether all chunks of a complete body were read. */
  get isDrained(): boolean {
    return this.#end !== undefined && this.#end.error === undefined && this.#chunks.length === 0;
  }

  read(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) this.#bytes -= chunk.length;
    if (this.#end === undefined && this.#bytes < bufferedBytes) this.#source.resume();
    if (chunk !== undefined) return chunk;
    const { error } = this.#end ?? {};
    if (error !== undefined) throw error;
    if (this.#end !== undefined) return undefined;
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  cancel(): void {
    this.onEnd = undefined;
    // Deno also delivers buffered data after the end.
    this.#chunks = [];
    this.#finish({});
    this.#body.cancel();
  }

  #add(chunk: Uint8Array): void {
    if (this.#end !== undefined) return;
    const pending = this.#pending;
    if (pending !== undefined) {
      this.#pending = undefined;
      return pending.resolve(chunk);
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= bufferedBytes) this.#source.pause();
  }

  #fail(error: unknown): void {
    if (this.#end !== undefined) return;
    const { signal } = this.#request;
    if (signal.aborted) this.#chunks = [];
    const { errorOf = (same: unknown) => same } = this.#body;
    this.#finish({ error: signal.aborted ? signal.reason : errorOf(error) });
    // A body that is not gzip leaves the connection open, and can no longer be cancelled.
    this.#body.cancel();
  }

  #finish(end: End): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const pending = this.#pending;
    this.#pending = undefined;
    if (end.error === undefined) pending?.resolve(undefined);
    else pending?.reject(end.error);
    this.onEnd?.(end);
  }
}

/** Creates the error for a connection that ended before the body. */
export function brokenOff(): Error {
  return Object.assign(new Error("The connection was closed before the body ended"), {
    code: "ECONNRESET",
  });
}
