import { onAborted, BatchBudget, type Clock } from "@listwatch/core-fifo/base";
import { networkErrorFrom } from "../errors/network-error.ts";
import { readerOf, type ChunkSource } from "./chunk-source.ts";
import type { IdleLimit } from "./idle-limit.ts";
import type { ProgressLimit } from "./progress-limit.ts";
import type { Secrets } from "./secrets.ts";

/**
 * Size of the pieces that are decoded one by one, in bytes, so that one huge chunk does not block
 * the event loop.
 */
const pieceLength = 64 * 1024;

/** Decoder of a body: of a list or a watch. */
export interface PieceDecoder<Item> {
  write(chunk: Uint8Array, into: Item[]): void;
  end(into: Item[]): void;
}

/** Options of {@link readBatches}. */
export interface ReadOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Ends a body that arrives too slowly. */
  readonly progress?: ProgressLimit | undefined;
  /** Start of error messages. */
  readonly attempted: string;
  /** Values that errors must not contain. */
  readonly secrets: Secrets;
}

/**
 * Reads a body to its end and yields its decoded pieces, in batches. An empty batch shows that
 * bytes have arrived. Items decoded before an error are yielded before it is thrown. Leaving the
 * loop cancels the body, and so does an abort, even before the loop starts. Reads must not
 * overlap.
 */
export function readBatches<Item>(
  body: ReadableStream<Uint8Array>,
  decoder: PieceDecoder<Item>,
  options: ReadOptions,
): AsyncIterable<readonly Item[]> {
  return new BodyReader(body, decoder, options);
}

const noBytes = new Uint8Array();

/**
 * Iterator of {@link readBatches}. Not a generator, which costs as much as one small event. A batch
 * is delivered in the turn in which its bytes arrived, unless that turn is long already.
 */
class BodyReader<Item> implements AsyncIterableIterator<readonly Item[], undefined> {
  readonly #source: ChunkSource;
  readonly #decoder: PieceDecoder<Item>;
  readonly #options: ReadOptions;
  readonly #budget: BatchBudget;
  readonly #removeListener: () => void;
  #chunk: Uint8Array = noBytes;
  /** Position in the chunk of the next piece. */
  #position = 0;
  /** Error of the decoder after the last batch. */
  #fault: { readonly error: unknown } | undefined;
  #hasEnded = false;

  constructor(body: ReadableStream<Uint8Array>, decoder: PieceDecoder<Item>, options: ReadOptions) {
    this.#source = readerOf(body);
    this.#decoder = decoder;
    this.#options = options;
    this.#budget = new BatchBudget({ clock: options.clock });
    // Ends a pending read.
    this.#removeListener = onAborted(options.signal, () => this.#cancel());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Item[], undefined>> {
    if (this.#hasEnded) return { done: true, value: undefined };
    const { attempted, signal, secrets } = this.#options;
    const budget = this.#budget;
    try {
      if (this.#fault !== undefined) throw this.#fault.error;
      if (budget.isSpent()) await budget.nextTurn();
      signal.throwIfAborted();
      while (this.#position >= this.#chunk.length) {
        this.#beginWait();
        // Awaited here, because another function would add a turn to each chunk.
        let chunk: Uint8Array | undefined;
        try {
          chunk = await this.#source.read();
        } catch (error) {
          throw signal.aborted ? signal.reason : networkErrorFrom(error, attempted);
        }
        this.#endWait(chunk);
        if (chunk === undefined) return this.#last();
        this.#chunk = chunk;
        this.#position = 0;
      }
      return { done: false, value: this.#decode() };
    } catch (error) {
      this.#end();
      throw signal.aborted ? error : secrets.hideIn(error);
    }
  }

  return(): Promise<IteratorResult<never, undefined>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  #beginWait(): void {
    this.#budget.beginWait();
    this.#options.progress?.beginWait();
  }

  #endWait(chunk: Uint8Array | undefined): void {
    this.#options.progress?.endWait(chunk?.length ?? 0);
    this.#budget.endWait();
    // A body that was cancelled by the abort looks complete.
    this.#options.signal.throwIfAborted();
  }

  #decode(): readonly Item[] {
    const batch: Item[] = [];
    const end = this.#position + pieceLength;
    try {
      this.#decoder.write(this.#chunk.subarray(this.#position, end), batch);
    } catch (error) {
      this.#fault = { error };
    }
    this.#position = end;
    return batch;
  }

  #last(): IteratorResult<readonly Item[], undefined> {
    const batch: Item[] = [];
    this.#decoder.end(batch);
    this.#end();
    return batch.length > 0 ? { done: false, value: batch } : { done: true, value: undefined };
  }

  #end(): void {
    this.#hasEnded = true;
    this.#chunk = noBytes;
    this.#removeListener();
    this.#options.progress?.end();
    this.#cancel();
  }

  #cancel(): void {
    this.#source.cancel(this.#options.signal.reason);
  }
}

/**
 * Returns a body as a stream that fails like a request: with a `NetworkError` if it breaks off,
 * with the reason of the limit's signal after an abort. Cancelling the stream ends the request.
 */
export function guardBody(
  body: ReadableStream<Uint8Array>,
  idle: IdleLimit,
  { attempted, secrets }: Pick<ReadOptions, "attempted" | "secrets">,
): ReadableStream<Uint8Array> {
  const { signal } = idle;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(ignore);
  const removeListener = onAborted(signal, cancel);
  const end = (): void => {
    removeListener();
    idle.end();
    cancel();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await idle.wait(readChunk(reader, { signal, attempted }));
          if (chunk !== undefined) return controller.enqueue(chunk);
          controller.close();
        } catch (error) {
          controller.error(signal.aborted ? error : secrets.hideIn(error));
        }
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, attempted }: Pick<ReadOptions, "signal" | "attempted">,
): Promise<Uint8Array | undefined> {
  let result: ReadableStreamReadResult<Uint8Array>;
  try {
    result = await reader.read();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw networkErrorFrom(error, attempted);
  }
  // A body that was cancelled by the abort looks complete.
  if (signal.aborted) throw signal.reason;
  return result.value;
}

function ignore(): void {}
