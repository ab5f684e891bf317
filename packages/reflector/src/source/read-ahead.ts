import { CapacityLatch, Deque, linkAbort, onAborted } from "@listwatch/core-fifo/base";

/** Options of {@link readAhead}. */
export interface ReadAheadOptions {
  /**
   * Number of waiting items at which reading pauses; 0 means that nothing is read before the
   * consumer asks for it.
   */
  readonly capacity: number;
  /** Ends the reading and the loop. */
  readonly signal: AbortSignal;
}

/**
 * Reads batches while the consumer processes earlier ones, and yields them in order, without empty
 * ones. Batches before an error are delivered first. Leaving the loop aborts the reading and waits
 * for its end.
 */
export async function* readAhead<T>(
  read: (signal: AbortSignal) => AsyncIterable<readonly T[]>,
  { capacity, signal }: ReadAheadOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const linked = linkAbort(signal);
  const buffer = new BatchBuffer<T>(capacity, linked.signal);
  const reading = fill(buffer, read, linked.signal);
  try {
    for (;;) {
      const batch = await buffer.take();
      if (batch === undefined) return;
      yield batch;
    }
  } finally {
    linked.abort();
    await reading;
  }
}

async function fill<T>(
  buffer: BatchBuffer<T>,
  read: (signal: AbortSignal) => AsyncIterable<readonly T[]>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const batch of read(signal)) {
      if (batch.length > 0) await buffer.put(batch);
      signal.throwIfAborted();
    }
    buffer.end({ hasFailed: false });
  } catch (error) {
    buffer.end({ hasFailed: true, error });
  }
}

type ReadingEnd =
  | { readonly hasFailed: false }
  | { readonly hasFailed: true; readonly error: unknown };

/** Batches between one reader, which waits for space, and one consumer, which waits for batches. */
class BatchBuffer<T> {
  readonly #capacity: number;
  readonly #signal: AbortSignal;
  readonly #batches = new Deque<readonly T[]>();
  readonly #arrival = new CapacityLatch();
  readonly #room = new CapacityLatch();
  #items = 0;
  #end: ReadingEnd | undefined;

  constructor(capacity: number, signal: AbortSignal) {
    this.#capacity = capacity;
    this.#signal = signal;
    onAborted(signal, () => {
      this.#arrival.open();
      this.#room.open();
    });
  }

  /** Adds a batch. Resolves when the next one may be read. */
  put(batch: readonly T[]): Promise<void> | undefined {
    this.#batches.push(batch);
    this.#items += batch.length;
    this.#arrival.open();
    const isFull = this.#items >= this.#capacity && !this.#signal.aborted;
    return isFull ? this.#room.wait() : undefined;
  }

  /** Records that no batch follows, with the error if there was one. */
  end(end: ReadingEnd): void {
    this.#end = end;
    this.#arrival.open();
  }

  /** Takes the next batch; `undefined` at the end. An abort precedes waiting batches. */
  async take(): Promise<readonly T[] | undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      const batch = this.#batches.shift();
      if (batch !== undefined) {
        this.#items -= batch.length;
        if (this.#items < this.#capacity) this.#room.open();
        return batch;
      }
      if (this.#end !== undefined) {
        if (this.#end.hasFailed) throw this.#end.error;
        return undefined;
      }
      this.#room.open();
      await this.#arrival.wait();
    }
  }
}
