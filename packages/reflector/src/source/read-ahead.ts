import { LinkedController } from "../internal/linked-controller.ts";

/** Options of {@link readAhead}. */
export interface ReadAheadOptions {
  /**
   * Items that may wait for the consumer before reading pauses; 0 = nothing is read before it is
   * wanted.
   */
  readonly mostItems: number;
  /** Ends the reading and the iteration. */
  readonly signal: AbortSignal;
}

/**
 * Reads batches while the consumer works at earlier ones, and gives them in order; empty ones are
 * left out. What reading throws is thrown behind the batches before it. Leaving the iteration
 * aborts the reading and waits for its end.
 */
export async function* readAhead<T>(
  read: (signal: AbortSignal) => AsyncIterable<readonly T[]>,
  { mostItems, signal }: ReadAheadOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const controller = new LinkedController(signal);
  const buffer = new WaitingBatches<T>(mostItems, controller.signal);
  const reading = fill(buffer, read, controller.signal);
  try {
    for (;;) {
      const batch = await buffer.take();
      if (batch === undefined) return;
      yield batch;
    }
  } finally {
    controller.abort();
    controller.release();
    await reading;
  }
}

async function fill<T>(
  buffer: WaitingBatches<T>,
  read: (signal: AbortSignal) => AsyncIterable<readonly T[]>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const batch of read(signal)) {
      if (batch.length > 0) await buffer.put(batch);
      signal.throwIfAborted();
    }
    buffer.end();
  } catch (error) {
    buffer.end({ error });
  }
}

/** What one reader puts in and one consumer takes out. */
class WaitingBatches<T> {
  readonly #mostItems: number;
  readonly #signal: AbortSignal;
  readonly #batches: (readonly T[])[] = [];
  #items = 0;
  #end: { readonly error?: unknown } | undefined;
  /** Of the consumer, while it waits for a batch; of the reader, while it waits for room. */
  #arrival: PromiseWithResolvers<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(mostItems: number, signal: AbortSignal) {
    this.#mostItems = mostItems;
    this.#signal = signal;
    const wake = (): void => {
      this.#arrival?.resolve();
      this.#room?.resolve();
    };
    signal.addEventListener("abort", wake, { once: true });
  }

  /** Resolves when the next batch may be read. */
  put(batch: readonly T[]): Promise<void> | undefined {
    this.#batches.push(batch);
    this.#items += batch.length;
    this.#arrival?.resolve();
    if (this.#items < this.#mostItems || this.#signal.aborted) return undefined;
    this.#room = Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** Nothing follows, or this error. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#arrival?.resolve();
  }

  /** The next batch, `undefined` at the end; an abort goes before what still waits. */
  async take(): Promise<readonly T[] | undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      const batch = this.#batches.shift();
      if (batch !== undefined) {
        this.#items -= batch.length;
        if (this.#items < this.#mostItems) this.#room?.resolve();
        return batch;
      }
      if (this.#end !== undefined) {
        if ("error" in this.#end) throw this.#end.error;
        return undefined;
      }
      this.#room?.resolve();
      this.#arrival = Promise.withResolvers<void>();
      await this.#arrival.promise;
    }
  }
}
