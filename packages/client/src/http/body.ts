import { onAborted, TimeBudget, type Clock } from "@listwatch/core-fifo/base";
import { networkErrorFrom } from "../errors/network-error.ts";

/**
 * Size of the pieces that are decoded one by one, in bytes, so that a body that arrives as one huge
 * chunk does not block the event loop.
 */
const pieceLength = 64 * 1024;

/** Decoder of a body: that of a list or a watch. */
export interface PieceDecoder<Item> {
  write(chunk: Uint8Array, into: Item[]): void;
  end(into: Item[]): void;
}

/** Options of {@link readBatches}. */
export interface ReadOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The start of the message of an error. */
  readonly attempted: string;
}

/**
 * Reads a body to its end and yields what its pieces decode to, in batches. An empty batch shows
 * that bytes have arrived. What was decoded before an error is yielded before the error is thrown.
 * Leaving the iteration cancels the body; so does an abort, also before the iteration begins.
 */
export function readBatches<Item>(
  body: ReadableStream<Uint8Array>,
  decoder: PieceDecoder<Item>,
  options: ReadOptions,
): AsyncIterable<readonly Item[]> {
  const { signal } = options;
  const reader = body.getReader();
  // Ends a pending read. Leaving the generator cannot, because its clean-up waits for that read.
  const cancel = (): void => void reader.cancel(signal.reason).catch(ignore);
  const removeListener = onAborted(signal, cancel);
  return batches(reader, decoder, options, () => {
    removeListener();
    cancel();
  });
}

async function* batches<Item>(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  decoder: PieceDecoder<Item>,
  options: ReadOptions,
  cancel: () => void,
): AsyncGenerator<readonly Item[], void, undefined> {
  const budget = new TimeBudget({ clock: options.clock });
  try {
    for (;;) {
      const chunk = await readChunk(reader, options);
      if (chunk === undefined) break;
      for (let start = 0; start < chunk.length; start += pieceLength) {
        yield* decode(decoder, chunk.subarray(start, start + pieceLength));
        if (budget.isSpent) await budget.nextTurn();
        options.signal.throwIfAborted();
      }
    }
    const last: Item[] = [];
    decoder.end(last);
    if (last.length > 0) yield last;
  } finally {
    cancel();
  }
}

function* decode<Item>(decoder: PieceDecoder<Item>, piece: Uint8Array): Generator<readonly Item[]> {
  const batch: Item[] = [];
  let failure: unknown;
  let failed = false;
  try {
    decoder.write(piece, batch);
  } catch (error) {
    failure = error;
    failed = true;
  }
  yield batch;
  if (failed) throw failure;
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, attempted }: ReadOptions,
): Promise<Uint8Array | undefined> {
  let result: ReadableStreamReadResult<Uint8Array>;
  try {
    result = await reader.read();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw networkErrorFrom(error, attempted);
  }
  // A body that was cancelled by the abort ends as if it were complete.
  if (signal.aborted) throw signal.reason;
  return result.value;
}

function ignore(): void {}
